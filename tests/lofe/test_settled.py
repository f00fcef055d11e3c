import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_xor
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.settled import settle
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes
from tests import reference as ref

XOR = np.array([6.53893, 6.78223])  # the fixed point of the data below at sigma = 2, alpha = 1


def xor(pairs):
    X, y = make_xor(100, noise=0.3, random_state=0, return_X_y=True)
    X = ref.range_scale(X)
    return X, y, InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0, pairs=pairs)


@pytest.mark.parametrize("pairs", [AllPairs(), RowTiles()], ids=["matrix", "tiles"])
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_all_that_is_known_at_the_fixed_point(pairs, tol):
    X, y, features, problem = xor(pairs)
    found = settle(features, problem, np.array([7.0, 7.0]), tol)
    error = np.linalg.norm(found.w - XOR)
    assert error <= 2 * tol * np.linalg.norm(XOR)
    assert error == pytest.approx(found.distance, rel=0.5, abs=1e-5)
    margins = ref.margins_at(X, y, found.w, 2.0) @ found.w
    np.testing.assert_allclose(found.pull, 1 / (1 + np.exp(margins)), rtol=1e-6)
    np.testing.assert_allclose(found.gradient, ref.gradient(X, y, found.w, 2.0), rtol=1e-6)
    expected = np.log1p(np.exp(-margins)).sum() + found.w.sum()
    assert found.objective == pytest.approx(expected, rel=1e-7)


def test_a_looser_tolerance_takes_fewer_steps():
    _, _, features, problem = xor(RowTiles())
    steps = [settle(features, problem, np.array([7.0, 7.0]), tol).n_steps for tol in (0.1, 1e-6)]
    assert steps[0] < steps[1]


def test_none_where_nothing_is_near():
    _, _, features, problem = xor(RowTiles())
    assert settle(features, problem, np.array([60.0, 60.0]), 1e-5) is None
