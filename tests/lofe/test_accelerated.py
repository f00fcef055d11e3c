import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.accelerated import Accelerated, cancelling
from hitmiss.lofe.fixed_point import Iteration, Move
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes


def setting():
    rng = np.random.default_rng(0)
    y = (np.arange(80) % 4 == 0).astype(int)
    X = rng.uniform(size=(80, 12))
    X[y == 1, :3] += 0.5
    return InMemory(X, Workers(1)), Problem(Classes(y), 0.5, 0.5), np.ones(12)


def test_it_ends_at_the_fixed_point_of_the_plain_iteration():
    plain = Iteration(*setting()).run(tol=1e-6, max_iter=500)
    quick = Accelerated(*setting()).run(tol=1e-6, max_iter=500)
    assert plain.converged
    assert quick.converged
    np.testing.assert_allclose(quick.w, plain.w, rtol=1e-4, atol=1e-6)


def test_a_linear_map_that_overshoots_and_creeps_ends_after_as_many_moves_as_dimensions():
    slopes, end = np.array([-3.0, 0.9, 0.2]), np.array([1.0, 2.0, 3.0])

    def move(features, problem, w, u):
        return Move(end + slopes * (w - end), 0.0, 0.0, 0.0)

    features = InMemory(np.zeros((4, 3)), Workers(1))
    problem = Problem(Classes(np.array([0, 0, 1, 1])), 1.0, 1.0)
    found = Accelerated(features, problem, end + 0.1, move=move).run(tol=1e-6, max_iter=50)
    assert found.converged
    assert found.n_iter <= 8
    np.testing.assert_allclose(found.w, end, rtol=1e-5)


def test_a_setback_forgets_and_shortens_the_step():
    iteration = Accelerated(*setting())
    iteration._advance(np.full(12, 0.1))
    assert (iteration.step, len(iteration._ws)) == (heuristics.MIXED, 1)
    iteration._advance(np.full(12, 0.3))
    assert iteration.step == heuristics.MIXED * heuristics.SHORTER
    assert len(iteration._ws) == 1


def test_without_a_past_it_is_a_step_towards_the_map():
    found = cancelling([np.array([1.0, 2.0])], [np.array([4.0, -2.0])], 0.5)
    np.testing.assert_array_equal(found, [3.0, 1.0])
