import numpy as np
import pytest

from hitmiss.losses import Weighted
from hitmiss.penalties import L2
from hitmiss.solvers.projected_newton import projected_newton, span_newton
from tests.solvers.problems import SMOOTH, objective, problem


def test_the_gap_bounds_the_error():
    A, loss = problem("log", (30, 200))
    penalty = L2(1e-4)
    best = projected_newton(A, loss, penalty, tol=1e-12, max_iter=100)
    for n in range(8):
        rough = projected_newton(A, loss, penalty, tol=0, max_iter=n)
        value = objective(A, loss, penalty, rough.w)
        excess = value - objective(A, loss, penalty, best.w)
        assert excess <= rough.gap**2 * value * (1 + 1e-9)
        distance = np.linalg.norm(rough.w - best.w)
        assert distance <= rough.gap * np.sqrt(value / penalty.alpha) * (1 + 1e-9)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_span_of_the_rows_holds_the_answer(name):
    A, loss = problem(name)
    inside, outside = (s(A, loss, L2(0.01), tol=1e-9) for s in (span_newton, projected_newton))
    np.testing.assert_allclose(inside.w, outside.w, rtol=1e-6, atol=1e-9)


def test_rows_that_depend_on_one_another():
    A, loss = problem("log")
    twice = Weighted(loss.loss, np.concatenate([loss.weight, loss.weight]) / 2)
    once = span_newton(A, loss, L2(0.01), tol=1e-8, max_iter=50)
    again = span_newton(np.vstack([A, A]), twice, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_allclose(again.w, once.w, rtol=1e-6, atol=1e-9)
    nothing = span_newton(0 * A, loss, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_array_equal(nothing.w, 0)
    assert nothing.converged


def test_single_precision_rows_give_the_same_weights():
    A, loss = problem("square", dtype=np.float32)
    single = span_newton(A, loss, L2(0.01), tol=1e-8, max_iter=50)
    double = span_newton(A.astype(float), loss, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_allclose(single.w, double.w, rtol=1e-12)
