import numpy as np
import pytest
from scipy.optimize import minimize

from hitmiss.kernels import linear
from hitmiss.kernels.linear import chunked_gram, weighted_gram, weighted_row_sum

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (9, 40)])
def test_weighted_row_sum(shape, dtype):
    Z, s, out = RNG.standard_normal(shape).astype(dtype), RNG.random(shape[0]), np.full(40, np.nan)
    s[1::3] = 0
    weighted_row_sum(s, Z, out[: shape[1]])
    np.testing.assert_allclose(out[: shape[1]], s @ Z.astype(float), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (9, 40)])
def test_weighted_gram(shape):
    Z, c = RNG.standard_normal(shape), RNG.random(shape[1])
    H = np.full((shape[0], shape[0]), np.nan)
    weighted_gram(Z, c, np.empty(shape[1]), H)
    np.testing.assert_allclose(H, (Z * c) @ Z.T, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shape", [(4, 1), (8, 256), (12, 700)])
def test_chunked_gram(shape):
    Z, c = RNG.standard_normal(shape), RNG.random(shape[1])
    H = np.full((shape[0], shape[0]), np.nan)
    chunked_gram(Z, c, np.empty((4, 256)), H)
    np.testing.assert_allclose(H, (Z * c) @ Z.T, rtol=1e-12, atol=1e-12)


def descend_quadratic(H, r, u, *rest):
    return linear.descend_quadratic(H, H @ u - r, u, *rest)


def random_program(size, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((2 * size, size))
    return A.T @ A, 3 * rng.standard_normal(size)


@pytest.mark.parametrize(
    ("r", "lower", "expected"),
    [
        (3.0, 0.0, 1.0),
        (-3.0, 0.0, 0.0),
        (-3.0, -np.inf, -1.0),
        (0.5, -np.inf, 0.0),
        (-3.0, -0.2, -0.2),
    ],
)
def test_one_variable_by_hand(r, lower, expected):
    u = np.array([7.0])
    descend_quadratic(np.array([[2.0]]), np.array([r]), u, 1.0, lower, 1e-12, 10)
    np.testing.assert_allclose(u, [expected], rtol=1e-15)


@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_without_penalty_and_bound_it_solves_the_linear_system(size):
    H, r = random_program(size)
    u = np.zeros(size)
    descend_quadratic(H, r, u, 0.0, -np.inf, 1e-13, 10_000)
    np.testing.assert_allclose(u, np.linalg.solve(H, r), rtol=1e-9)


@pytest.mark.parametrize("lower", [0.0, -np.inf])
@pytest.mark.parametrize("size", [5, 11, 30])
def test_optimality_conditions(size, lower):
    H, r = random_program(size)
    u = np.ones(size)
    descend_quadratic(H, r, u, 0.8, lower, 1e-13, 10_000)
    slope = r - H @ u
    assert 0 < np.count_nonzero(u) < size
    assert u.min() >= lower
    np.testing.assert_allclose(slope[u != 0], 0.8 * np.sign(u[u != 0]), rtol=1e-9)
    assert np.all(slope[u == 0] <= 0.8)
    assert lower == 0 or np.all(slope[u == 0] >= -0.8)


def test_agrees_with_a_general_solver():
    H, r = random_program(12, seed=3)
    u = np.zeros(12)
    descend_quadratic(H, r, u, 0.8, 0.0, 1e-12, 10_000)
    general = minimize(
        lambda u: (u @ H @ u / 2 - r @ u + 0.8 * u.sum(), H @ u - r + 0.8),
        np.ones(12),
        jac=True,
        bounds=[(0, None)] * 12,
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    np.testing.assert_allclose(u, general.x, atol=1e-6)


def test_number_of_sweeps():
    H, r = random_program(6)
    u = np.ones(6)
    assert descend_quadratic(H, r, u, 0.1, 0.0, 0.0, 3) == 3
    n_sweeps = descend_quadratic(H, r, u, 0.1, 0.0, 1e-10, 1000)
    assert 1 < n_sweeps < 1000
    assert descend_quadratic(H, r, u, 0.1, 0.0, 1e-9, 1000) == 1
    u = np.ones(6)
    assert descend_quadratic(np.eye(6), r, u, 0.1, 0.0, 1e-10, 1000) == 2  # the second confirms
