import numpy as np
import pytest
from scipy.optimize import check_grad

from hitmiss import Simba, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import Rows
from hitmiss.weighting.simba import Ascent, linear, sigmoid
from tests import relief_reference as relief


def ascent(X, y, utility=linear, factor=None):
    return Ascent(Rows(X, Workers(1)), y, factor, utility)


def margin(X, y, w, n):
    """Half the distance to the nearest miss minus half that to the nearest hit, under w."""
    d = np.sqrt(((X - X[n]) ** 2) @ w**2)
    i = relief.others(n, len(y))
    return d[i[y[i] != y[n]]].min() / 2 - d[i[y[i] == y[n]]].min() / 2


def test_one_step_by_hand():
    # Sample 0: nearest hit (3, 4) away, norm 5; nearest miss (8, 6) away, norm 10.
    X, y = np.array([[0.0, 0], [3, 4], [8, 6], [9, 9]]), np.array([0, 0, 1, 1])
    expected = (np.array([64, 36]) / 10 - np.array([9, 16]) / 5) / 2
    np.testing.assert_allclose(ascent(X, y).gradient(np.ones(2), 0), expected)


@pytest.mark.parametrize("utility", [linear, sigmoid(3.0)])
@pytest.mark.parametrize("n", [0, 7, 19])
def test_the_gradient_against_finite_differences(utility, n):
    X, y = relief.gaussian_classes(20, sizes=(1, 1, 2))
    model = ascent(X, y, utility)
    w = np.random.default_rng(n).uniform(0.5, 2, 8)
    error = check_grad(
        lambda w: utility(margin(X, y, w, n))[0], lambda w: model.gradient(w, n), w, epsilon=1e-6
    )
    assert error < 1e-6


def test_the_objective_is_the_sum_of_utilities():
    X, y = relief.gaussian_classes(20)
    w = np.random.default_rng(0).random(8)
    margins = [margin(X, y, w, n) for n in range(20)]
    assert ascent(X, y).objective(w) == pytest.approx(sum(margins))
    squashed = sum(1 / (1 + np.exp(-2.0 * np.array(margins))))
    assert ascent(X, y, sigmoid(2.0)).objective(w) == pytest.approx(squashed)


def test_a_factor_scales_the_features():
    X, y = relief.gaussian_classes(20)
    factor = np.random.default_rng(0).random(8)
    scaled, folded = ascent(X * factor, y), ascent(X, y, factor=factor)
    np.testing.assert_allclose(
        folded.gradient(np.ones(8), 3), scaled.gradient(np.ones(8), 3), rtol=1e-12
    )
    assert folded.objective(np.ones(8)) == pytest.approx(scaled.objective(np.ones(8)))


@pytest.mark.parametrize("utility", ["linear", "sigmoid"])
def test_it_finds_an_interaction(utility):
    xor = datasets.make_xor(n_irrelevant=10, random_state=0)
    found = Simba(utility, beta=5.0, random_state=0).fit(xor.data, xor.target)
    assert set(found.ranking_[:2]) == {0, 1}
    assert found.weights_.max() == 1
    assert found.weights_.min() >= 0


def test_the_best_run_is_kept_and_its_objective_is_true():
    X, y = relief.gaussian_classes(40)
    found = Simba(n_passes=2, n_restarts=4, random_state=1).fit(X, y)
    objectives = [row["objective"] for row in found.history_]
    assert len(set(objectives)) == 4
    assert found.objective_ == max(objectives)
    margins = [margin(X, y, np.sqrt(found.weights_), n) for n in range(40)]
    assert found.objective_ == pytest.approx(sum(margins))
    uniform = ascent(X, y).objective(np.ones(8))
    assert found.objective_ > uniform / 8  # the weights are at most 1, as are ones / 8 ** 0.5


def test_it_repeats_with_the_seed_and_whatever_the_threads():
    X, y = datasets.make_twonorm(30, n_irrelevant=40_000, random_state=0, return_X_y=True)
    fast = {"n_passes": 1, "n_restarts": 2}
    a, b = (Simba(**fast, random_state=3, n_jobs=n).fit(X, y).weights_ for n in (1, 3))
    np.testing.assert_array_equal(a, b)
    assert (Simba(**fast, random_state=4).fit(X, y).weights_ != a).any()


def test_misses_of_all_classes_are_pooled():
    X, y = relief.gaussian_classes(30, sizes=(1, 1, 1))
    model = ascent(X, y)
    for n in range(30):
        _, miss, _, distance = model._neighbors(np.ones(8), n)
        d = np.linalg.norm(X - X[n], axis=1)
        assert distance == pytest.approx(d[y != y[n]].min())
        assert y[miss] != y[n]


def test_samples_that_teach_nothing_are_skipped():
    X = np.repeat(np.arange(4.0), 2)[:, None]  # every sample has a miss at distance zero
    found = Simba(random_state=0).fit(X, [0, 1] * 4)
    np.testing.assert_array_equal(found.weights_, [0])


@pytest.mark.parametrize(
    "wrong", [{"utility": "square"}, {"beta": 0}, {"n_passes": 0}, {"n_restarts": 1.5}]
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Simba(**wrong).fit(np.eye(6), [0, 1] * 3)
