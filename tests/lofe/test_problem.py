import numpy as np
import pytest
from scipy.optimize import approx_fprime

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_twonorm
from hitmiss.lofe.fixed_point import fixed_point
from hitmiss.lofe.multistart import STARTS, FixedPoints
from hitmiss.lofe.problem import Problem, evaluate, weighted_margins
from hitmiss.losses import Hinge
from hitmiss.penalties import L1, L2
from hitmiss.targets.classes import Classes
from tests import reference as ref
from tests.solvers.problems import Absolute, BentSquaredHinge, SquaredHinge

SERIAL = Workers(1)
# Four points on a line with one hit each, and a constant feature; k(d) = 2^-d.
LINE = np.array([[0.0, 7.0], [1.0, 7.0], [3.0, 7.0], [6.0, 7.0]])
LABELS = np.array([0, 0, 1, 1])
SIGMA = 1 / np.log(2)


def random_data(n_samples=41, n_features=30, n_classes=3, seed=0):
    """Data of several classes, the last of which has a single sample, and weights with zeros."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(n_samples - 1) % (n_classes - 1), n_classes - 1)
    X = rng.standard_normal((n_samples, n_features)) + 0.5 * y[:, None]
    return X, y, np.maximum(rng.standard_normal(n_features), 0)


def test_four_points_by_hand():
    w, z = np.array([1.0, 0.0]), np.array([7 / 3, 4 / 3, -2 / 3, 7 / 3])
    point = evaluate(InMemory(LINE, SERIAL), Problem(Classes(LABELS), SIGMA, 0.5), w)
    c = np.sum(z / (1 + np.exp(z)))
    np.testing.assert_allclose(point.Z, np.outer(z, [1, 0]), atol=1e-14)
    np.testing.assert_allclose(point.pull, 1 / (1 + np.exp(z)))
    np.testing.assert_allclose(point.gradient, [c, 0], atol=1e-14)
    assert point.objective == pytest.approx(np.sum(np.log1p(np.exp(-z))) + 0.5, rel=1e-12)
    assert point.gap == pytest.approx(abs(c - 0.5) / 0.5, rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_classes", [3, 4])
def test_evaluate_against_the_reference(n_classes, dtype):
    X, y, w = random_data(n_classes=n_classes)
    X = X.astype(dtype)
    tol = 1e-5 if dtype == np.float32 else 1e-9
    point = evaluate(InMemory(X, SERIAL), Problem(Classes(y), 2.0, 0.7), w)
    np.testing.assert_allclose(point.Z, ref.margins_at(X, y, w, 2.0), atol=tol)
    np.testing.assert_allclose(point.gradient, ref.gradient(X, y, w, 2.0), atol=20 * tol)
    assert point.objective == pytest.approx(ref.objective(X, y, w, 2.0, 0.7), rel=tol)
    assert point.gap == pytest.approx(ref.optimality_gap(X, y, w, 2.0, 0.7), rel=20 * tol)
    assert point.w is w


def test_evaluate_at_zero_weights():
    X, y, _ = random_data()
    problem, zeros = Problem(Classes(y), 2.0, 0.7), np.zeros(30)
    point = evaluate(InMemory(X, SERIAL), problem, zeros)
    assert point.objective == pytest.approx(40 * np.log(2))  # one sample of 41 has no hit
    np.testing.assert_allclose(point.gradient, ref.gradient(X, y, zeros, 2.0), rtol=1e-8)
    np.testing.assert_allclose(problem.first_pull @ point.Z, point.gradient, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weighted_margins_are_sums_of_the_margin_vectors(dtype):
    X, y, w = random_data(n_features=1100)
    features, problem = InMemory(X.astype(dtype), SERIAL), Problem(Classes(y), 2.0, 0.7)
    for u in (w / 50, np.zeros_like(w)):
        point = evaluate(features, problem, u)
        found = weighted_margins(features, point.Q, point.pull, problem.share)
        expected = np.array([point.pull, problem.share]) @ point.Z.astype(float)
        np.testing.assert_allclose(found, expected, atol=1e-5 if dtype == np.float32 else 1e-11)
        np.testing.assert_allclose(
            point.gradient, expected[0], atol=1e-4 if dtype == np.float32 else 1e-11
        )


def test_neighbors_move_with_the_weights():
    X, y, w = random_data()
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 0.7)
    P_hit, P_miss = ref.probabilities(ref.distances(X, w), y, 2.0)
    counted = problem.target.has_hit
    Q = problem.neighbors(features, w)
    np.testing.assert_allclose(Q[counted], (P_miss - P_hit)[counted], rtol=1e-8)
    assert not Q[~counted].any()
    assert np.abs(problem.neighbors(features, 0 * w) - Q).max() > 0.1


def test_pull_and_objective_leave_out_samples_without_a_hit():
    problem = Problem(Classes(np.array([0, 0, 1, 2, 2])), 1.0, 3.0)
    assert problem.target.has_hit.tolist() == [True, True, False, True, True]
    assert problem.pull(np.zeros(5)).tolist() == [0.5, 0.5, 0, 0.5, 0.5]
    value = problem.objective(np.zeros(5), np.array([1.0, 0, 2]))
    assert value == pytest.approx(4 * np.log(2) + 9)


def test_pull_is_minus_the_slope_of_the_objective():
    problem, w = Problem(Classes(np.array([0, 0, 1, 2, 2])), 1.0, 3.0), np.ones(2)
    margins = np.array([-2.0, 0.3, 5, 1, -0.1])
    slope = approx_fprime(margins, lambda m: problem.objective(m, w))
    np.testing.assert_allclose(problem.pull(margins), -slope, atol=1e-6)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_optimality_gap(alpha):
    gap = Problem(Classes(LABELS), 2.0, alpha).gap
    w, c = np.array([1.0, 2.0, 0, 0]), alpha * np.array([1.1, 0.7, -5, 0.9])
    assert gap(w, c) == pytest.approx(0.3)  # a weight whose gradient is too small
    c[3] = 1.5 * alpha
    assert gap(w, c) == pytest.approx(0.5)  # a zero that wants to enter
    assert gap(w, c) == pytest.approx(ref.violation(c, w, alpha))
    assert gap(np.zeros(2), np.array([0.9, -9]) * alpha) == 0
    assert gap(np.zeros(0), np.zeros(0)) == 0


def squared_hinge_gap(X, y, w, sigma, alpha):
    """Violation of the optimality condition, relative to alpha, by NumPy."""
    Z = ref.margins_at(X, y, w, sigma)
    c = 2 * np.maximum(1 - Z @ w, 0) @ Z
    return ref.violation(c, w, alpha)


@pytest.fixture(scope="module")
def another_loss():
    """Scaled data of two classes, and their problem with a loss that a user may write."""
    X, y = make_twonorm(60, n_irrelevant=20, random_state=0, return_X_y=True)
    X = ref.range_scale(X)
    return X, y, Problem(Classes(y), 2.0, 3.0, loss=BentSquaredHinge())


def test_another_convex_loss_has_a_fixed_point_of_its_own(another_loss):
    X, y, problem = another_loss
    features, how = InMemory(X, SERIAL), {"tol": 1e-6, "max_iter": 200}
    found = fixed_point(features, problem, np.ones(40), **how)
    assert found.converged
    assert 0 < np.count_nonzero(found.w) < 40
    assert squared_hinge_gap(X, y, found.w, 2.0, 3.0) < 1e-5
    w = fixed_point(features, Problem(Classes(y), 2.0, 3.0), np.ones(40), **how).w
    assert np.linalg.norm(found.w - w) > 0.1 * np.linalg.norm(w)


def test_a_search_takes_another_convex_loss(another_loss):
    X, y, problem = another_loss
    options = {"more_starts": STARTS, "tol": 1e-6, "max_iter": 200, "record": lambda **row: None}
    found = FixedPoints(InMemory(X, SERIAL), problem, [40**-0.5, 1.0], **options).solve(2.0, 3.0)
    assert found.converged
    assert squared_hinge_gap(X, y, found.w, 2.0, 3.0) < 1e-5
    Z = ref.margins_at(X, y, found.w, 2.0)
    expected = (np.maximum(1 - Z @ found.w, 0) ** 2).sum() + 3.0 * found.w.sum()
    assert found.objective == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("loss", [Hinge(), Absolute(), SquaredHinge()])
def test_a_loss_without_a_smooth_slope_or_a_curvature_is_refused(loss):
    message = f"^The fixed point cannot be found with {type(loss).__name__} and L1; use a smooth"
    with pytest.raises(ValueError, match=message):
        Problem(Classes(LABELS), 1.0, 1.0, loss=loss)


class Doubled(L1):
    """An L1 penalty of twice the strength."""

    def __init__(self, alpha, **options):
        super().__init__(2 * alpha, **options)

    pure_l1 = property(lambda self: self.alpha)


class Own:
    """The L1 penalty on weights of at least 0, written by a user."""

    lower = 0.0

    def __init__(self, alpha):
        self.pure_l1 = alpha

    def value(self, w):
        return self.pure_l1 * w.sum()

    def gradient(self, w):
        return np.full(len(w), self.pure_l1)

    def violation(self, w, gradient):
        slope = gradient + self.pure_l1
        return np.where(w > 0, np.abs(slope), np.maximum(-slope, 0.0))

    def times(self, factor):
        return Own(factor * self.pure_l1)


def test_a_penalty_of_the_user_gives_the_same_fixed_point():
    X, y, _ = random_data(n_classes=3)
    features, target = InMemory(X, SERIAL), Classes(y)
    problems = [Problem(target, 2.0, 1.0, penalty=penalty) for penalty in (L1, Own)]
    how = {"tol": 1e-6, "max_iter": 200}
    found = [fixed_point(features, problem, np.ones(30), **how).point for problem in problems]
    np.testing.assert_allclose(found[1].w, found[0].w, atol=1e-6)
    assert found[1].gap == pytest.approx(found[0].gap, abs=1e-6)
    assert found[0].w.any()


@pytest.mark.parametrize("penalty", [Doubled, lambda alpha: L1(alpha, positive=False), L2])
def test_a_penalty_that_the_optimality_condition_does_not_know_is_refused(penalty):
    with pytest.raises(ValueError, match="an L1 penalty of strength alpha on weights of at least"):
        Problem(Classes(LABELS), 2.0, 1.0, penalty=penalty)
