import numpy as np
import pytest

from hitmiss import Simba, datasets
from tests import relief_reference as relief


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
    margins = [relief.simba_margin(X, y, np.sqrt(found.weights_), n) for n in range(40)]
    assert found.objective_ == pytest.approx(sum(margins))
    uniform = sum(relief.simba_margin(X, y, np.ones(8), n) for n in range(40))
    assert found.objective_ > uniform / 8  # the weights are at most 1, as are ones / 8 ** 0.5


def test_it_repeats_with_the_seed_and_whatever_the_threads():
    X, y = datasets.make_twonorm(30, n_irrelevant=40_000, random_state=0, return_X_y=True)
    fast = {"n_passes": 1, "n_restarts": 2}
    a, b = (Simba(**fast, random_state=3, n_jobs=n).fit(X, y).weights_ for n in (1, 3))
    np.testing.assert_array_equal(a, b)
    assert (Simba(**fast, random_state=4).fit(X, y).weights_ != a).any()


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


def test_the_estimated_time_grows_with_the_passes():
    least, most = Simba(n_passes=1, n_restarts=1)._pair_nanoseconds
    assert Simba(n_passes=4, n_restarts=3)._pair_nanoseconds == (12 * least, 12 * most)
