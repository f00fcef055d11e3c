import numpy as np
import pytest

from hitmiss.solvers.anderson import Anderson

A = np.diag([-2.0, 0.9, 0.5])  # plain steps diverge, damped ones crawl
FIXED = 1 / (1 - A.diagonal())


def iterated(anderson, T, w, n_iter):
    """Last weights, and the residuals, of a fixed-point iteration that is accelerated."""
    sizes = []
    for _ in range(n_iter):
        residual = T(w) - w
        sizes.append(np.linalg.norm(residual))
        found = anderson.next(w, residual)
        w = w + 0.5 * residual if found is None else found
    return w, sizes


@pytest.mark.parametrize("step", [0.5, 1.0])
def test_a_linear_map_is_solved_in_one_step_more_than_it_has_directions(step):
    anderson = Anderson(step=step, ridge=1e-14)
    w, sizes = iterated(anderson, lambda w: A @ w + 1, np.zeros(3), 4)
    np.testing.assert_allclose(w, FIXED, rtol=1e-8)
    assert sizes[-1] > 1e-3  # one iteration less is too few
    w, _ = iterated(Anderson(10, least=2, step=step), lambda w: A @ w + 1, np.zeros(3), 8)
    np.testing.assert_allclose(w, FIXED, rtol=1e-5)


def test_one_change_by_hand():
    """In one direction the secant through two residuals leads to the fixed point."""
    anderson = Anderson(ridge=0.0)
    assert anderson.next(np.zeros(1), np.array([1.0])) is None
    np.testing.assert_allclose(anderson.next(np.ones(1), np.array([0.5])), [2.0])


def test_the_limit_is_that_of_plain_steps_in_fewer_iterations():
    B = np.array([[0.5, 0.3], [0.2, 0.6]])

    def T(w):
        return np.tanh(B @ w) + 0.1

    plain = np.zeros(2)
    for _ in range(500):
        plain = T(plain)
    w, _ = iterated(Anderson(), T, np.zeros(2), 10)
    np.testing.assert_allclose(w, plain, atol=1e-9)
    w, _ = iterated(Anderson(least=99), T, np.zeros(2), 10)
    assert np.abs(w - plain).max() > 1e-3


def test_the_changes_are_kept_when_features_join_and_leave():
    anderson = Anderson(10, least=2, step=0.5).on(np.array([2, 5, 7]))
    iterated(anderson, lambda w: A @ w + 1, np.zeros(3), 6)
    B = np.diag([-2.0, 0.0, 0.9, 0.5])
    anderson.on(np.array([2, 3, 5, 7]))
    _, sizes = iterated(anderson, lambda w: B @ w + [2, 0, 2, 2], np.zeros(4), 2)
    assert sizes[1] < 1e-2 * sizes[0]
    anderson.on(np.array([2, 7]))
    _, sizes = iterated(anderson, lambda w: A[::2, ::2] @ w + 3, np.zeros(2), 2)
    assert sizes[1] < 1e-2 * sizes[0]


@pytest.mark.parametrize("worse", [2.0, 100.0])
def test_a_much_larger_residual_makes_it_forget(worse):
    anderson = Anderson(worse=worse)
    anderson.next(np.zeros(2), np.ones(2))
    assert anderson.next(np.ones(2), np.full(2, 0.5)) is not None
    assert (anderson.next(np.zeros(2), np.full(2, 9.0)) is None) == (worse == 2.0)


@pytest.mark.parametrize("lasting", [False, True])
def test_the_least_residual_may_outlast_what_is_forgotten(lasting):
    anderson = Anderson(lasting=lasting)
    anderson.next(np.zeros(1), np.ones(1))
    assert anderson.next(np.ones(1), np.full(1, 9.0)) is None  # far worse: all is forgotten
    assert (anderson.next(np.zeros(1), np.full(1, 8.0)) is None) == lasting
    found = [anderson.next(np.full(1, float(k)), np.ones(1) + k) for k in (0, 1)]
    assert found[1] is not None


def test_changes_that_repeat_are_no_problem():
    anderson = Anderson()
    for _ in range(3):
        found = anderson.next(np.ones(2), np.ones(2))
    np.testing.assert_allclose(found, [2.0, 2.0])
