"""The exact solvers against scipy, scikit-learn and one another; the paper's pass by a loop."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from hitmiss.losses import LOSSES, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers.exact import check_solvable, exact
from hitmiss.solvers.projected_newton import projected_newton
from hitmiss.solvers.single_pass import single_pass
from hitmiss.solvers.span_newton import span_newton

SHAPES = [(15, 60), (40, 6)]  # fewer samples than features, and more
SMOOTH = [name for name, loss in LOSSES.items() if loss.smooth]


@pytest.fixture(scope="module", autouse=True)
def one_blas_thread():
    with threadpool_limits(1, user_api="blas"):
        yield


each_sign = pytest.mark.parametrize("positive", [False, True])


def problem(name, shape=(15, 60), seed=0, dtype=float):
    """Rows, and the weighted loss that reads them."""
    rng, loss = np.random.default_rng(seed), LOSSES[name]
    hits = rng.random(shape)
    misses = rng.random(shape) + 0.3 * (np.arange(shape[1]) < 3)
    A = misses - hits if loss.reads == "margins" else np.vstack([hits, misses])
    share = rng.random(shape[0])
    return A.astype(dtype), Weighted(loss, np.resize(share / share.sum(), len(A)))


def objective(A, loss, penalty, w):
    return loss.value(A @ w).sum() + penalty.value(w)


def by_lbfgs(A, loss, penalty):
    """The minimum by L-BFGS-B; L1 without a bound as the difference of two positive parts."""
    split = penalty.name == "l1" and not penalty.positive
    B = np.hstack([A, -A]) if split else A
    slope = penalty.gradient if penalty.name == "l2" else lambda w: np.full_like(w, penalty.alpha)
    bound = (0, None) if penalty.positive or split else (None, None)
    result = minimize(
        lambda w: (objective(B, loss, penalty, w), loss.derivative(B @ w) @ B + slope(w)),
        np.zeros(B.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=[bound] * B.shape[1],
        options={"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-10},
    )
    return result.fun


@each_sign
@pytest.mark.parametrize(("kind", "alpha"), [(L1, 0.05), (L1, 0.005), (L2, 0.05), (L2, 0.001)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SMOOTH)
def test_agrees_with_lbfgs(name, shape, kind, alpha, positive):
    A, loss = problem(name, shape)
    penalty = kind(alpha, positive=positive)
    found = exact(A, loss, penalty, tol=1e-6, max_iter=500)
    assert found.converged
    assert found.gap <= 1e-6
    assert (found.w >= penalty.lower).all()
    value = objective(A, loss, penalty, found.w)
    assert value == pytest.approx(by_lbfgs(A, loss, penalty), rel=1e-6)


@pytest.mark.parametrize("alpha", [1.0, 0.01, 1e-4])
@pytest.mark.parametrize("shape", SHAPES)
def test_hinge_agrees_with_a_support_vector_machine(shape, alpha):
    A, loss = problem("hinge", shape)
    found = exact(A, loss, L2(alpha), tol=1e-6, max_iter=100)
    # Its objective is |w|^2 / 2 + C sum of hinges; mirrored rows stand for a second class.
    svm = LinearSVC(C=1, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=200_000)
    svm.fit(np.vstack([A, -A]), np.repeat([1, -1], len(A)), np.tile(loss.weight / (4 * alpha), 2))
    best = objective(A, loss, L2(alpha), svm.coef_[0])
    assert found.converged
    assert objective(A, loss, L2(alpha), found.w) <= best * (1 + 1e-6)
    np.testing.assert_allclose(found.w, svm.coef_[0], rtol=1e-2, atol=1e-3 * abs(found.w).max())


@pytest.mark.parametrize("name", SMOOTH)
def test_the_span_of_the_rows_holds_the_answer(name):
    A, loss = problem(name)
    inside, outside = (s(A, loss, L2(0.01), tol=1e-9) for s in (span_newton, projected_newton))
    np.testing.assert_allclose(inside.w, outside.w, rtol=1e-6, atol=1e-9)


def test_rows_that_depend_on_one_another():
    A, loss = problem("log")
    twice = Weighted(loss.loss, np.concatenate([loss.weight, loss.weight]) / 2)
    once = exact(A, loss, L2(0.01), tol=1e-8, max_iter=50)
    again = exact(np.vstack([A, A]), twice, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_allclose(again.w, once.w, rtol=1e-6, atol=1e-9)
    nothing = exact(0 * A, loss, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_array_equal(nothing.w, 0)
    assert nothing.converged


def test_the_gap_bounds_the_error():
    A, loss = problem("log", (30, 200))
    penalty = L2(1e-4)
    best = exact(A, loss, penalty, tol=1e-12, max_iter=100)
    for n in range(8):
        rough = projected_newton(A, loss, penalty, tol=0, max_iter=n)
        value = objective(A, loss, penalty, rough.w)
        excess = value - objective(A, loss, penalty, best.w)
        assert excess <= rough.gap**2 * value * (1 + 1e-9)
        distance = np.linalg.norm(rough.w - best.w)
        assert distance <= rough.gap * np.sqrt(value / penalty.alpha) * (1 + 1e-9)


def test_single_precision_rows_give_the_same_weights():
    A, loss = problem("square", dtype=np.float32)
    single = exact(A, loss, L2(0.01), tol=1e-8, max_iter=50)
    double = exact(A.astype(float), loss, L2(0.01), tol=1e-8, max_iter=50)
    np.testing.assert_allclose(single.w, double.w, rtol=1e-12)


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


def test_pairs_that_cannot_be_done_get_a_sentence():
    hinge = LOSSES["hinge"]
    with pytest.raises(
        ValueError, match=r"solver='exact' cannot do loss='hinge' with penalty='l1'"
    ):
        check_solvable(hinge, L1(1.0, positive=False), "exact")
    with pytest.raises(ValueError, match=r"positive=True.*no derivative at its corner"):
        check_solvable(hinge, L2(1.0, positive=True), "exact")
    with pytest.raises(ValueError, match=r"solver='paper' cannot do.*keeps no bound"):
        check_solvable(LOSSES["log"], L2(1.0, positive=True), "paper")
    other = L2(1.0)
    other.name = "group"
    with pytest.raises(ValueError, match="cannot do loss='log' with penalty='group': it knows"):
        check_solvable(LOSSES["log"], other, "exact")
    for loss in LOSSES.values():
        check_solvable(loss, L1(1.0, positive=False), "paper")
        check_solvable(loss, L2(1.0), "exact")
