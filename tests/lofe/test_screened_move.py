import numpy as np
import pytest

from hitmiss import LOFE
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import next_move
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.screened_move import SCREENED_STEPS, screened_move
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes


def noise(n_samples, n_features):
    X = np.random.default_rng(0).random((n_samples, n_features))
    return InMemory(X, Workers(1)), Classes(np.arange(n_samples) % 2)


def weights(n_features, kind):
    if kind == "dense":
        return np.full(n_features, 0.02), np.zeros(n_features)
    w, u = np.zeros((2, n_features))
    w[:5], u[3:7] = 2.0, 1.0
    return w, u


@pytest.mark.parametrize("pairs", [AllPairs(), RowTiles()])
@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_the_step_is_that_with_all_features(kind, pairs):
    features, target = noise(30, heuristics.SCREENED_FROM)
    problem, start = Problem(target, 2.0, 0.5, pairs=pairs), weights(features.n_features, kind)
    found, expected = (move(features, problem, *start) for move in (screened_move, next_move))
    assert np.count_nonzero(expected.u) > 5
    np.testing.assert_allclose(found.u, expected.u, rtol=1e-5, atol=1e-8)
    assert found[2:4] == pytest.approx(expected[2:4], rel=1e-9)
    np.testing.assert_allclose(found.point.gradient, expected.point.gradient, atol=1e-9)
    np.testing.assert_allclose(found.point.pull, expected.point.pull, rtol=1e-9)


def test_a_feature_that_was_left_out_is_found_all_the_same(monkeypatch):
    """Among one feature a step finds less, and the answer is certified over all of them."""
    monkeypatch.setattr(heuristics, "SCREENED_FROM", 0)
    monkeypatch.setattr(heuristics, "SCREENED", 1)
    features, target = noise(40, 300)
    weigher = LOFE(tol=1e-6)._weigher()
    expected = weigher.fixed_points(features, target).solve(2.0, 0.7)
    found = weigher.fixed_points(features, target, SCREENED_STEPS).solve(2.0, 0.7)
    assert found.converged
    assert np.count_nonzero(expected.w) > 3
    np.testing.assert_allclose(found.w, expected.w, rtol=1e-4)
