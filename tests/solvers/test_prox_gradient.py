import numpy as np
import pytest

from hitmiss.losses import Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers import prox_gradient as module
from hitmiss.solvers.exact import exact
from hitmiss.solvers.prox_gradient import prox_gradient
from tests.solvers.problems import SHAPES, SMOOTH, ElasticNet, SquaredHinge, objective, problem

each_sign = pytest.mark.parametrize("positive", [False, True])


class HalfSquare:
    reads, smooth = "margins", True

    def value(self, margins):
        return (1 - margins) ** 2 / 2

    def derivative(self, margins):
        return margins - 1


@each_sign
def test_by_hand(positive):
    """Of rows that are orthonormal every weight is shrunk by itself."""
    A, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((8, 8)))
    pull = A.sum(axis=0)
    shrunk = np.sign(pull) * np.maximum(np.abs(pull) - 0.3, 0) / (1 + 2 * 0.2)
    expected = np.maximum(shrunk, 0) if positive else shrunk
    assert 0 < np.count_nonzero(expected) < 8
    penalty = ElasticNet(0.3, 0.2, positive=positive)
    found = prox_gradient(A, Weighted(HalfSquare(), np.ones(8)), penalty, tol=1e-12)
    assert found.converged
    np.testing.assert_allclose(found.w, expected, atol=1e-12)


@each_sign
@pytest.mark.parametrize("penalty", [L1(0.05), L1(0.005), L2(0.05), L2(0.001)], ids=vars)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SMOOTH)
def test_agrees_with_newton(name, shape, penalty, positive):
    A, loss = problem(name, shape)
    penalty = type(penalty)(penalty.alpha, positive=positive)
    newton = exact(A, loss, penalty, tol=1e-7, max_iter=500)
    found = prox_gradient(A, loss, penalty, tol=1e-7)
    assert newton.converged
    assert found.converged
    assert (found.w >= penalty.lower).all()
    values = [objective(A, loss, penalty, w) for w in (found.w, newton.w)]
    assert values[0] == pytest.approx(values[1], rel=1e-10)
    np.testing.assert_allclose(found.w, newton.w, atol=2e-5 * abs(newton.w).max())


@pytest.mark.parametrize("penalty", [L1(0.005), L2(1e-4), ElasticNet(0.01, 0.001)])
def test_the_gap_bounds_the_error(penalty, monkeypatch):
    A, loss = problem("log", (30, 200))
    best = prox_gradient(A, loss, penalty, tol=1e-12, max_iter=1000)
    assert best.converged
    monkeypatch.setattr(module, "STEPS", 3)
    tried = 0
    for n in range(1, 40):
        rough = prox_gradient(A, loss, penalty, tol=0, max_iter=n)
        near = np.linalg.norm(rough.w - best.w) <= np.linalg.norm(rough.w)
        value = objective(A, loss, penalty, rough.w)
        excess = value - objective(A, loss, penalty, best.w)
        assert not near or excess <= rough.gap * value * (1 + 1e-9)
        tried += near
    assert tried > 20


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_scale_of_the_rows_does_not_matter(factor):
    A, loss = problem("log")
    found = prox_gradient(A, loss, L2(0.01), tol=1e-10)
    scaled = prox_gradient(factor * A, loss, L2(0.01 * factor**2), tol=1e-10)
    np.testing.assert_allclose(factor * scaled.w, found.w, rtol=1e-6, atol=1e-9)
    assert scaled.n_iter <= found.n_iter + 1


def test_a_bound_alone():
    class Box:
        def value(self, w):
            return 0.0

        def prox(self, w, step):
            return np.clip(w, 0.25, 0.75)

    A = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
    loss = Weighted(HalfSquare(), np.array([1.0, 1.0, 1.0]))
    found = prox_gradient(A / [[1], [2], [1]], loss, Box(), tol=1e-10)
    assert found.converged
    np.testing.assert_allclose(found.w, [0.75, 0.75, 0.25])


def test_nothing_to_find():
    A, loss = problem("log")
    for rows, penalty in ((A, L1(1e3)), (0 * A, L2(0.1))):
        found = prox_gradient(rows, loss, penalty)
        assert (found.gap, found.converged, found.n_iter) == (0.0, True, 1)
        assert not found.w.any()


def test_single_precision_rows_give_the_same_weights():
    A, loss = problem(SquaredHinge(), dtype=np.float32)
    single, double = (prox_gradient(rows, loss, L2(0.01)) for rows in (A, A.astype(float)))
    np.testing.assert_array_equal(single.w, double.w)


def test_too_few_iterations_are_reported():
    A, loss = problem("square")
    found = prox_gradient(A, loss, L2(1e-4), max_iter=2)
    assert found.n_iter == 2
    assert not found.converged
    assert found.gap > 1e-3


def test_a_penalty_that_returns_no_numbers_ends_the_search():
    class Broken(L2):
        def prox(self, w, step):
            return np.full_like(w, np.nan)

    A, loss = problem("log")
    found = prox_gradient(A, loss, Broken(0.1))
    assert not found.converged
    assert found.gap == np.inf
