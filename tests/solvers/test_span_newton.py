import numpy as np
import pytest

from hitmiss.losses import Weighted
from hitmiss.penalties import L2
from hitmiss.solvers.projected_newton import projected_newton
from hitmiss.solvers.span_newton import span_newton
from tests.solvers.problems import SMOOTH, problem


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
