import numpy as np

from hitmiss.solvers.anderson import Anderson


def iterated(anderson, T, w, n_iter):
    """Residuals of a fixed-point iteration with extrapolation."""
    sizes = []
    for _ in range(n_iter):
        residual = T(w) - w
        sizes.append(np.linalg.norm(residual))
        moved = anderson.next(w, residual)
        w = w + 0.5 * residual if moved is None else moved
    return sizes


def test_a_linear_map_is_solved_in_as_many_steps_as_it_has_directions():
    A = np.diag([-2.0, 0.9, 0.5])  # a plain iteration diverges, a damped one crawls
    anderson = Anderson().on(np.arange(3))
    sizes = iterated(anderson, lambda w: A @ w + 1, np.zeros(3), 8)
    assert sizes[-1] < 1e-5 * sizes[0]


def test_what_is_known_serves_for_more_features():
    A = np.diag([-2.0, 0.9, 0.5])
    anderson = Anderson().on(np.array([2, 5, 7]))
    iterated(anderson, lambda w: A @ w + 1, np.zeros(3), 6)
    anderson.on(np.array([2, 3, 5, 7]))
    B = np.diag([-2.0, 0.0, 0.9, 0.5])
    sizes = iterated(anderson, lambda w: B @ w + [2, 0, 2, 2], np.zeros(4), 2)
    assert sizes[1] < 1e-2 * sizes[0]


def test_a_much_larger_residual_makes_it_forget():
    anderson = Anderson().on(np.arange(2))
    iterated(anderson, lambda w: 0.5 * w + 1, np.zeros(2), 4)
    assert anderson.next(np.zeros(2), np.full(2, 9.0)) is None
