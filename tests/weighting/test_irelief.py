import numpy as np
import pytest

from hitmiss import datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.solvers.anderson import Anderson
from hitmiss.targets.classes import Classes
from hitmiss.weighting.irelief import WIDTH, iterate, mean_margin, positive_unit, spread


def test_iterate_stops_at_zero():
    w, nu, steps = iterate(lambda w: -w, np.ones(2), 1e-3, 50)
    assert w.tolist() == [0, 0]
    assert nu.tolist() == [-1, -1]
    assert len(steps) == 1


def test_positive_unit_of_tiny_and_huge_margins():
    for scale in (1e-300, 1.0, 1e300):
        np.testing.assert_allclose(positive_unit(scale * np.array([3.0, -1, 4])), [0.6, 0, 0.8])


def test_accelerated_steps_end_where_plain_ones_do():
    X, y = datasets.make_twonorm(60, n_irrelevant=40, random_state=0, return_X_y=True)
    features, target = InMemory(X, Workers(1)), Classes(y)

    def margin(w):
        return mean_margin(features, target, w, 1.0, by_class=False, outliers=True)

    start = np.full(60, 1 / 60)
    plain, _, many = iterate(margin, start, 1e-7, 500)
    quick, nu, few = iterate(margin, start, 1e-7, 500, Anderson())
    np.testing.assert_allclose(quick, plain, atol=1e-5)
    np.testing.assert_allclose(positive_unit(nu), quick)
    assert len(few) < len(many)


def test_the_width_in_units_of_the_data_does_not_depend_on_these():
    X, y = datasets.make_twonorm(60, n_irrelevant=40, random_state=0, return_X_y=True)
    w = np.full(60, 1.0)
    few, many = (
        mean_margin(InMemory(A, Workers(1)), Classes(y), w, np.nan, by_class=False, outliers=True)
        for A in (X, 100 * X)
    )
    np.testing.assert_allclose(100 * few, many, rtol=1e-6)
    D = np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]])
    assert spread(D) == pytest.approx(WIDTH * np.std([1, 3, 2]))
    assert spread(np.zeros((3, 3))) == 1.0
