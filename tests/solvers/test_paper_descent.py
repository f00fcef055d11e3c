import numpy as np
import pytest

from hitmiss.losses import LOSSES, Logistic, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers.paper_descent import single_pass, squared_descent
from tests import reference as ref


@pytest.mark.parametrize("kind", [L1, L2])
@pytest.mark.parametrize("name", LOSSES)
def test_single_pass_is_algorithm_1(name, kind):
    """Fifteen lines of the paper: w = 1, then one unit step against each sample's gradient."""
    rng, n, d = np.random.default_rng(1), 10, 7
    hits, misses, penalty = rng.random((n, d)), rng.random((n, d)), kind(0.1, positive=False)
    w = np.ones(d)
    for h, m in zip(hits, misses, strict=True):
        E, E_bar = w @ h, w @ m
        dL = {
            "log": (h - m) / (1 + np.exp(E_bar - E)),
            "square": 2 * E * h - 2 * max(0, 1 - E_bar) * m,
            "hinge": (h - m) * (1 + E - E_bar >= 0),
            "square-exp": 2 * E * h - np.exp(-E_bar) * m,
        }[name]
        dR = np.sign(w) if kind is L1 else 2 * w
        nabla = dL / n + 0.1 * dR
        w = w - nabla / np.linalg.norm(nabla)
    A = misses - hits if LOSSES[name].reads == "margins" else np.vstack([hits, misses])
    found = single_pass(A, Weighted(LOSSES[name], np.full(len(A), 1 / n)), penalty, n)
    np.testing.assert_allclose(found.w, w, rtol=1e-12)


def test_a_zero_gradient_is_no_step():
    A, loss = np.zeros((3, 2)), Weighted(LOSSES["log"], np.ones(3) / 3)
    np.testing.assert_array_equal(single_pass(A, loss, L2(0.0), 3).w, 1)


def margin_like(n, p, seed=0):
    return 0.1 + 0.5 * np.random.default_rng(seed).standard_normal((n, p))


@pytest.mark.parametrize("shape", [(20, 3), (40, 15), (30, 200)])
@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("max_iter", [1, 2, 10, 500])
def test_number_by_number_as_the_reference(shape, alpha, max_iter):
    Z = margin_like(*shape)
    v = squared_descent(Z, Logistic(), alpha, np.ones(shape[1]), max_iter=max_iter)
    expected = ref.paper_descent(Z, np.ones(shape[1]), alpha, max_iter=max_iter)
    np.testing.assert_allclose(v, expected, rtol=1e-9, atol=1e-12)


def test_one_step_by_hand():
    # v = 1, w = 1, s = 1 / (1 + e): F falls from 2 log(1 + 1/e) + 0.1 at rate 1.
    Z, s = np.ones((2, 1)), 1 / (1 + np.e)
    v = squared_descent(Z, Logistic(), 0.1, np.ones(1), max_iter=1)
    np.testing.assert_allclose(v, 1 - (0.1 - 2 * s))


@pytest.mark.parametrize(("alpha", "rate"), [(2 - 4e-4, 1.0), (2 - 1e-4, 0.5)])
def test_a_step_that_hardly_descends_is_halved(alpha, rate):
    # F(v) = alpha v² + constant; the step to 1 - alpha descends enough if alpha <= 2 - 2e-4.
    v = squared_descent(np.zeros((2, 1)), Logistic(), alpha, np.ones(1), max_iter=1)
    np.testing.assert_allclose(v, 1 - rate * alpha)


def test_a_long_descent_reaches_the_exact_minimum():
    Z = margin_like(40, 15)
    v = squared_descent(Z, Logistic(), 0.5, np.ones(15), tol=1e-15, max_iter=100_000)
    u = ref.step(Z, 0.5)
    assert ref.loss(Z, v**2, 0.5) == pytest.approx(ref.loss(Z, u, 0.5), rel=1e-8)
    np.testing.assert_allclose(v**2, u, atol=1e-3)


def test_a_zero_stays_zero_and_the_start_is_kept():
    Z, start = margin_like(40, 15), np.ones(15)
    best = int(ref.step(Z, 0.5).argmax())
    start[best] = 0
    before = start.copy()
    v = squared_descent(Z, Logistic(), 0.5, start)
    assert v[best] == 0
    assert np.count_nonzero(v) == 14
    np.testing.assert_array_equal(start, before)


@pytest.mark.parametrize("v", [0.0, 1.0])
def test_where_the_gradient_is_zero_nothing_moves(v):
    alpha = 2 / (1 + np.e)  # the gradient of log(1 + exp(-w)) twice at w = 1
    found = squared_descent(np.ones((2, 1)), Logistic(), alpha, np.array([v]))
    np.testing.assert_allclose(found, v, rtol=1e-12)


def test_the_objective_never_rises():
    Z = 20 * margin_like(30, 10)
    values = [
        ref.loss(Z, squared_descent(Z, Logistic(), 0.5, np.ones(10), max_iter=k) ** 2, 0.5)
        for k in range(1, 40)
    ]
    assert np.all(np.diff([ref.loss(Z, np.ones(10), 0.5), *values]) <= 0)
    assert values[-1] < 0.5 * values[0]
