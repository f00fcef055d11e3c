import dask.array as da
import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import r2_score

from hitmiss import LOFE, LOFERegressor, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import local_learning
from hitmiss.inference import permutation_test
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.metrics import synergy
from hitmiss.targets.numbers import Numbers


def product(n_samples=120, n_irrelevant=30, seed=0):
    return datasets.make_product(
        n_samples, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True
    )


def close(one, other):
    np.testing.assert_allclose(one.weights_, other.weights_, rtol=1e-9, atol=1e-9)


def test_what_it_is():
    assert is_regressor(LOFERegressor())
    assert not is_classifier(LOFERegressor())
    assert not hasattr(LOFERegressor().fit(*product()), "classes_")


@pytest.mark.parametrize("how", [{}, {"alpha": "evidence"}, {"max_references": 60}])
def test_of_two_values_it_is_the_classifier(how):
    X, y = datasets.make_xor(100, n_irrelevant=40, random_state=0, return_X_y=True)
    how = {"alpha": 1.0, **how}
    numbers, classes = LOFERegressor(**how).fit(X, 5.0 * y - 1), LOFE(**how).fit(X, y)
    assert classes.weights_.max() > 1
    close(numbers, classes)
    assert numbers.objective_ == pytest.approx(classes.objective_, abs=1e-9)


@pytest.mark.parametrize("sigma", [2.0, "auto"])
def test_alpha_that_noise_does_not_exceed(sigma):
    X, y = product()
    found = LOFERegressor(sigma, "auto").fit(X, y)
    assert found.get_support(indices=True).tolist() == [0, 1]
    chance = np.random.default_rng(0).permutation(y)
    with pytest.warns(UserWarning, match="no feature does better than noise can"):
        assert not LOFERegressor(alpha="auto").fit(X, chance).weights_.any()


def test_the_certificate_is_that_of_the_definition():
    X, y = product()
    found = LOFERegressor().fit(X, y)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    problem = Problem(Numbers(y, 0.1), 2.0, 1.5)
    point = evaluate(InMemory(scaled, Workers(1)), problem, found.weights_)
    assert point.gap == pytest.approx(found.optimality_gap_, abs=1e-9)
    assert point.gap < 1e-3
    assert point.objective == pytest.approx(found.objective_)
    assert found.converged_


@pytest.mark.parametrize("make", [datasets.make_product, datasets.make_ring])
def test_an_interaction_among_many_and_the_same_weights_as_alone(make):
    X, y = make(n_irrelevant=1000, random_state=0, return_X_y=True)
    among = LOFERegressor().fit(X, y)
    assert set(among.get_support(indices=True)) == {0, 1}
    alone = LOFERegressor().fit(X[:, :2], y)
    np.testing.assert_allclose(among.weights_[:2], alone.weights_, rtol=1e-3)


def test_a_bend_of_y_changes_no_weight():
    X, y = product(seed=1)
    close(LOFERegressor().fit(X, y), LOFERegressor().fit(X, np.exp(3 * y)))


def test_the_same_on_tiles_of_rows_on_a_cluster_and_with_checkpoints(tmp_path, monkeypatch):
    X, y = product()
    plain = LOFERegressor().fit(X, y)
    with monkeypatch.context() as patch:
        patch.setattr(local_learning, "MATRIX_SAMPLES", 50)
        tiles = LOFERegressor().fit(X, y)
    np.testing.assert_allclose(tiles.weights_, plain.weights_, rtol=1e-4, atol=1e-4)
    assert tiles.loo_r2_ == pytest.approx(plain.loo_r2_, abs=1e-4)
    close(LOFERegressor().fit(da.from_array(X, chunks=(60, 16)), y), plain)
    for _ in range(2):  # the second time from the folder
        stored = LOFERegressor(checkpoint=tmp_path).fit(X, y)
        assert (stored.weights_ == plain.weights_).all()
    with pytest.raises(ValueError, match="other data"):
        LOFERegressor(checkpoint=tmp_path).fit(X, y[::-1].copy())


def test_prediction_is_the_mean_of_soft_neighbors():
    X, y = product()
    fitted = LOFERegressor(sigma=0.7, scale=None).fit(X, y)
    new = product(seed=5)[0][:7]
    D = (np.abs(new[:, None] - X) * fitted.weights_).sum(axis=2)
    P = np.exp(-D / 0.7)
    np.testing.assert_allclose(fitted.predict(new), P @ y / P.sum(axis=1))


def test_leaving_one_out_by_hand():
    X, y = product(40, 2)
    fitted = LOFERegressor(alpha=0.5, scale=None).fit(X, y)
    D = (np.abs(X[:, None] - X) * fitted.weights_).sum(axis=2)
    P = np.exp(-D / 2) * (1 - np.eye(40))
    assert fitted.loo_r2_ == pytest.approx(r2_score(y, P @ y / P.sum(axis=1)))


def test_groups_are_no_neighbors():
    X, y = product(80, 3)
    twice, groups = np.repeat(X, 2, axis=0), np.repeat(np.arange(80), 2)
    apart = LOFERegressor().fit(twice, np.repeat(y, 2), groups=groups)
    together = LOFERegressor().fit(twice, np.repeat(y, 2))
    assert apart.loo_r2_ < together.loo_r2_ - 0.01  # a copy predicts itself


@pytest.mark.full
def test_sigma_of_largest_r2_and_a_path():
    X, y = product()
    auto = LOFERegressor("auto").fit(X, y)
    fits = [LOFERegressor(sigma).fit(X, y).loo_r2_ for sigma in (0.5, 1.0, 2.0, 4.0, 8.0)]
    assert auto.loo_r2_ == max(fits)
    path = LOFERegressor().path(X, y, [3.0, 1.5])
    np.testing.assert_allclose(path.weights[1], LOFERegressor().fit(X, y).weights_, atol=1e-3)


def test_permuted_numbers():
    X, y = product(100, 20)
    test = permutation_test(LOFERegressor(), X, y, n_permutations=9, random_state=0)
    assert set(test.selected(0.2)) == {0, 1}


def test_features_that_only_work_together():
    X, y = product(150, 5)
    fitted = LOFERegressor().fit(X, y)
    found = synergy(fitted, X, y, [0, 1], verbose=False)
    assert found.matrix[0, 1] > 10 > abs(found.matrix[0, 0])
    with pytest.raises(ValueError, match="those of the fit, of 7 features; got 6"):
        synergy(fitted, X[:, 1:], y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.ones(4), "y is 1 for all samples"),
        ([1, np.nan, 2, np.nan], r"Input y contains NaN in 2 rows \(1, 3\)"),
        ([1, np.inf, 2, 3], "infinity in row 1"),
        (["a", "b", "a", "b"], "y must hold numbers"),
    ],
)
def test_bad_numbers(y, message):
    with pytest.raises(ValueError, match=message):
        LOFERegressor().fit(np.eye(4), y)


def test_nothing_to_find():
    rng = np.random.default_rng(0)
    X, y = rng.random((30, 4)), rng.random(30)
    with pytest.warns(UserWarning, match="or they say nothing about y"):
        empty = LOFERegressor(alpha=50.0).fit(X, y)
    assert empty.loo_r2_ == 0
    np.testing.assert_allclose(empty.predict(X[:3]), y.mean())
