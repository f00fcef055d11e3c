import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.fixed_point import next_move
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.rough_moves import rough_margins, rough_move, rough_pair_weights
from hitmiss.targets.classes import Classes


def random_problem(n_samples=50, n_features=6, dtype=float):
    rng = np.random.default_rng(0)
    features = InMemory(rng.random((n_samples, n_features)).astype(dtype), Workers(1))
    target = Classes(np.r_[2, np.arange(n_samples - 1) % 2])  # one is alone in its class
    return features, Problem(target, 0.5, 1.0), np.array([2.0, 0, 1, 0, 3, 0])


def test_margins_are_those_of_the_matrix():
    features, problem, w = random_problem()
    exact = features.margins(problem.neighbors(features, w))
    np.testing.assert_allclose(rough_margins(features, problem, w), exact, rtol=0, atol=1e-8)


def test_weights_of_pairs_are_those_of_the_matrix():
    for dtype, tol in ((float, 1e-8), (np.float32, 1e-5)):
        features, problem, w = random_problem(n_samples=70, dtype=dtype)
        Q = problem.neighbors(features, w)
        pull = problem.pull(features.margins(Q) @ w)
        found = rough_pair_weights(features, problem, w)
        np.testing.assert_allclose(found, pull[:, None] * Q, rtol=0, atol=tol)
        assert found.dtype == dtype


def test_a_move_is_the_exact_one_but_for_rounding():
    for dtype, tol in ((float, 1e-7), (np.float32, 1e-3)):
        features, problem, w = random_problem(dtype=dtype)
        rough, exact = (f(features, problem, w, w) for f in (rough_move, next_move))
        np.testing.assert_allclose(rough.u, exact.u, rtol=tol, atol=tol)
        np.testing.assert_allclose(rough.objective, exact.objective, rtol=1e-6)
        assert rough.point is None


def test_without_weights_it_is_the_exact_one():
    features, problem, w = random_problem()
    np.testing.assert_array_equal(
        rough_move(features, problem, 0 * w, w).u, next_move(features, problem, 0 * w, w).u
    )
