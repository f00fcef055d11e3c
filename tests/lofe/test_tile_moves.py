import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.fixed_point import next_move
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.lofe.starts import gradient
from hitmiss.lofe.tile_moves import matrix_gradient, matrix_of, tile_move
from hitmiss.targets.classes import Classes


def setting(n_features):
    rng = np.random.default_rng(0)
    y = (np.arange(70) % 4 == 0).astype(int)
    features = InMemory(rng.uniform(size=(70, n_features)), Workers(1))
    return features, Problem(Classes(y), 0.5, 0.2), rng.uniform(size=n_features)


@pytest.mark.parametrize("n_features", [3, 20])  # in boxes and without
def test_a_move_is_that_with_a_matrix(n_features):
    features, problem, w = setting(n_features)
    expected, found = next_move(features, problem, w, w), tile_move(features, problem, w, w)
    np.testing.assert_allclose(found.u, expected.u, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(matrix_of(found.point.Q, features), expected.point.Q, atol=1e-9)
    np.testing.assert_allclose(found.gap, expected.gap, rtol=1e-6)


def test_a_gradient_is_that_of_the_tiles_or_of_the_matrix():
    features, problem, w = setting(20)
    point = tile_move(features, problem, w, w).point
    expected = gradient(features, evaluate(features, problem, w).Q, point.pull)
    for Q in (point.Q, matrix_of(point.Q, features)):
        np.testing.assert_allclose(matrix_gradient(features, Q, point.pull), expected, atol=1e-9)


def test_without_weights_all_samples_are_equally_near():
    features, problem, _ = setting(3)
    w = np.zeros(3)
    found = tile_move(features, problem, w, w)
    np.testing.assert_allclose(found.u, next_move(features, problem, w, w).u)
