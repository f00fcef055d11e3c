import numpy as np
import pytest
from scipy.optimize import minimize

from hitmiss.losses import Logistic
from hitmiss.penalties import L1
from hitmiss.solvers import prox_newton as module
from hitmiss.solvers.prox_newton import MAX_ENTERING, prox_newton
from tests import reference as ref


def margin_like(n, p, seed=0):
    return 0.1 + 0.5 * np.random.default_rng(seed).standard_normal((n, p))


def solve(Z, alpha, start=None, **options):
    w = np.zeros(Z.shape[1]) if start is None else start
    return prox_newton(Z, Logistic(), L1(alpha), w, **options)


def violation(Z, w, alpha):
    """Computed anew from the definition."""
    return ref.violation(alpha - ref.loss_gradient(np.asarray(Z, float), w, alpha), w, alpha)


def test_one_feature_by_hand():
    np.testing.assert_allclose(solve(np.ones((4, 1)), 1.0).w, np.log(3), rtol=1e-5)
    for Z, alpha in [(np.ones((4, 1)), 2.0), (-np.ones((4, 3)), 0.1), (np.zeros((4, 2)), 1e-9)]:
        solution = solve(Z, alpha)
        assert not solution.w.any()
        assert (solution.n_iter, solution.gap, solution.converged) == (0, 0.0, True)


@pytest.mark.parametrize("n_features", [1, 3, 8, 30])
def test_thousands_of_samples_have_the_same_answer(monkeypatch, n_features):
    Z = margin_like(300, n_features)
    expected = solve(Z, 1.0)
    monkeypatch.setattr(module, "CHUNKED", 1)
    found = solve(Z, 1.0)
    assert found.converged
    assert found.n_iter == expected.n_iter
    np.testing.assert_allclose(found.w, expected.w, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("shape", [(20, 1), (20, 5), (40, 60), (40, 300), (80, 900)])
@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_against_the_reference(shape, alpha, seed):
    Z = margin_like(*shape, seed)
    solution = solve(Z, alpha)
    assert solution.converged
    assert solution.gap <= 1e-6
    assert solution.n_iter <= 20
    assert solution.gap == pytest.approx(violation(Z, solution.w, alpha), abs=1e-12)
    np.testing.assert_allclose(solution.w, ref.step(Z, alpha), atol=3e-5)


def test_against_a_general_solver():
    Z = margin_like(40, 60, seed=3)
    general = minimize(
        lambda u: (ref.loss(Z, u, 0.5), ref.loss_gradient(Z, u, 0.5)),
        np.ones(60),
        jac=True,
        bounds=[(0, None)] * 60,
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000},
    )
    w = solve(Z, 0.5).w
    np.testing.assert_allclose(w, general.x, atol=1e-4)
    assert ref.loss(Z, w, 0.5) <= general.fun + 1e-10


@pytest.mark.parametrize("positive", [True, False])
def test_against_a_general_solver_with_weights_of_both_signs(positive):
    Z, alpha = margin_like(40, 20) - 0.1, 0.5
    both = np.hstack([Z, -Z])  # w = u - v with u, v >= 0
    w = prox_newton(Z, Logistic(), L1(alpha, positive=positive), np.zeros(20)).w
    u = ref.step(both, alpha)
    expected = ref.step(Z, alpha) if positive else u[:20] - u[20:]
    np.testing.assert_allclose(w, expected, atol=1e-5)
    assert (w < 0).any() != positive


@pytest.mark.parametrize("start", [0.01, 1.0, 30.0])
def test_the_start_does_not_matter(start):
    Z = margin_like(60, 40)
    w = np.full(40, start)
    warm = solve(Z, 0.5, w)
    assert warm.converged
    np.testing.assert_allclose(warm.w, solve(Z, 0.5).w, atol=1e-5)
    np.testing.assert_array_equal(w, np.full(40, start))


def test_a_warm_start_at_the_answer_takes_no_iteration():
    Z = margin_like(60, 40)
    answer = solve(Z, 0.5).w
    again = solve(Z, 0.5, answer)
    assert again.n_iter == 0
    np.testing.assert_array_equal(again.w, answer)


def test_zeros_return():
    Z = margin_like(60, 40)
    answer = solve(Z, 0.5).w
    wrong = np.where(answer > 0, 0.0, 1.0)  # every weight on the wrong side
    np.testing.assert_allclose(solve(Z, 0.5, wrong).w, answer, atol=1e-5)


def test_more_features_enter_than_fit_into_one_iteration():
    z = np.linspace(1, 2, 3 * MAX_ENTERING)  # each feature alone has four samples
    Z = np.kron(np.diag(z), np.ones((4, 1)))
    assert np.count_nonzero(solve(Z, 1.0, max_iter=1).w) == MAX_ENTERING
    np.testing.assert_allclose(solve(Z, 1.0).w, np.log(4 * z - 1) / z, rtol=1e-5)


def test_many_features_equally_wrong_enter_together():
    solution = solve(np.ones((4, 3 * MAX_ENTERING)), 1.0)
    assert solution.converged
    assert solution.w.sum() == pytest.approx(np.log(3), rel=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duplicated_columns_share_the_weight(dtype):
    Z = margin_like(40, 10).astype(dtype)
    solution = solve(np.hstack([Z, Z, Z]), 0.5)
    assert solution.converged
    np.testing.assert_allclose(solution.w.reshape(3, 10).sum(axis=0), solve(Z, 0.5).w, atol=1e-5)


def test_useless_columns_get_no_weight():
    Z = margin_like(40, 25)
    useless = np.hstack([np.zeros((40, 2)), Z, -np.abs(Z)])
    for start in (np.zeros(52), np.ones(52)):
        w = solve(useless, 0.5, start).w
        np.testing.assert_allclose(w[2:27], ref.step(Z, 0.5), atol=1e-5)
        assert not w[:2].any()
        assert not w[27:].any()


def test_a_strong_penalty_makes_every_weight_zero():
    Z = margin_like(40, 25)
    largest = Z.sum(axis=0).max() / 2  # the gradient at zero
    assert not solve(Z, 1e6, np.ones(25)).w.any()
    assert not solve(Z, 1.000001 * largest, np.ones(25)).w.any()
    assert np.count_nonzero(solve(Z, 0.99 * largest).w) == 1


def test_without_any_margin_every_weight_is_zero():
    solution = solve(np.zeros((7, 3)), 0.5, np.array([0.0, 2.0, 1e9]))
    assert solution.converged
    np.testing.assert_array_equal(solution.w, np.zeros(3))


@pytest.mark.parametrize("seed", range(3))
def test_large_margins_and_a_weak_penalty(seed):
    Z = 100 * margin_like(40, 60, seed)  # separable
    solution = solve(Z, 1e-3)
    assert solution.converged
    assert violation(Z, solution.w, 1e-3) <= 1.1e-6
    np.testing.assert_allclose(solution.w, ref.step(Z, 1e-3), atol=1e-6)


def test_float32_margins():
    Z = margin_like(100, 800).astype(np.float32)
    solution = solve(Z, 0.5)
    assert solution.converged
    assert solution.w.dtype == np.float64
    assert violation(Z, solution.w, 0.5) <= 3e-6
    np.testing.assert_allclose(solution.w, ref.step(Z.astype(float), 0.5), atol=1e-5)
    assert solve(Z, 0.5, tol=1e-8).converged  # beyond single precision


def test_too_few_iterations_are_reported():
    Z = margin_like(40, 60)
    solution = solve(Z, 0.1, max_iter=2)
    assert not solution.converged
    assert solution.n_iter == 2
    assert solution.gap == pytest.approx(violation(Z, solution.w, 0.1))
    assert solution.gap > 1e-3


def test_tol_is_relative_to_alpha():
    Z = margin_like(40, 60)
    for tol in (1e-1, 1e-3, 1e-8):
        assert violation(Z, solve(Z, 0.1, tol=tol).w, 0.1) <= 1.01 * tol
    assert solve(Z, 0.1, tol=1e-1).n_iter < solve(Z, 0.1, tol=1e-8).n_iter
