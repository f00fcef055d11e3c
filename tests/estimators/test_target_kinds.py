import numpy as np
import pytest

from hitmiss import FDRSelector, LOFERegressor, RReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.target_kinds import leave_one_out_r2
from hitmiss.lofe.problem import Problem
from hitmiss.targets.numbers import Numbers


def test_leaving_one_out_of_three_by_hand():
    """Far apart, so that the nearest alone counts: 1 for 0, 0 for 1, 1 for 5."""
    X, y = np.array([[0.0], [100.0], [300.0]]), np.array([0.0, 1.0, 5.0])
    left = 1 + 1 + 16
    r2 = leave_one_out_r2(InMemory(X, Workers(1)), Problem(Numbers(y), 1.0, 1.0), np.ones(1))
    assert r2 == pytest.approx(1 - left / (3 * y.var()))


def test_weights_of_samples_count():
    X, y = np.array([[0.0], [100.0], [300.0]]), np.array([0.0, 1.0, 5.0])
    target = Numbers(y, sample_weight=np.array([1.0, 1.0, 0.0]))
    r2 = leave_one_out_r2(InMemory(X, Workers(1)), Problem(target, 1.0, 1.0), np.ones(1))
    assert r2 == pytest.approx(1 - 2 / 0.5)


@pytest.mark.parametrize("base", [LOFERegressor(), RReliefF()], ids=lambda b: type(b).__name__)
def test_which_features_of_numbers_are_real(base):
    X, y = datasets.make_additive(100, n_irrelevant=10, random_state=0, return_X_y=True)
    found = FDRSelector(base, 0.2, n_permutations=9, random_state=0).fit(X, y)
    assert {0, 2} <= set(found.get_support(indices=True))
    assert not hasattr(found, "classes_")
