import numpy as np
import pytest

from hitmiss.kernels.one_sample import row_distances, row_distances_at, row_margin, row_squares

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("dtype", "order"),
    [("float64", "C"), ("float64", "F"), ("float32", "F"), ("uint8", "C"), ("bool", "C")],
)
def test_distances_and_margin_against_numpy(dtype, order):
    X = np.asarray(RNG.integers(0, 200, (9, 13)), dtype=dtype, order=order)
    w, q, x = RNG.random(13), RNG.standard_normal(9), X[4]
    A = np.abs(X.astype(float) - x.astype(float)) / 2
    d, s, z = np.empty(9), np.empty(9), np.full(13, 7.0)
    row_distances(X, 0.5, x / 2, w, 2, 11, d)
    row_squares(X, 0.5, x / 2, w, 2, 11, s)
    row_margin(X, 0.5, x / 2, q, 2, 11, z)
    np.testing.assert_allclose(d, A[:, 2:11] @ w[2:11], rtol=1e-13)
    np.testing.assert_allclose(s, (A[:, 2:11] * w[2:11]) ** 2 @ np.ones(9), rtol=1e-13)
    np.testing.assert_allclose(z[2:11], q @ A[:, 2:11], rtol=1e-12, atol=1e-12)
    assert (z[[0, 1, 11, 12]] == 7).all()


@pytest.mark.parametrize("n_kept", [0, 1, 4, 6, 9])
def test_neighbors_without_a_share_are_left_out_of_the_margin(n_kept):
    X, q, z = RNG.random((9, 5)), RNG.standard_normal(9), np.empty(5)
    q[RNG.permutation(9)[n_kept:]] = 0
    row_margin(X, 0.5, X[4] / 2, q, 0, 5, z)
    np.testing.assert_allclose(z, q @ np.abs(X - X[4]) / 2, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("support", [[], [3], [0, 5, 12]])
def test_distances_over_a_few_features(support):
    X, w, d = RNG.random((9, 13)).astype(np.float32), RNG.random(13), np.empty(9)
    row_distances_at(X, 0.5, X[4] / 2.0, w, np.array(support, np.intp), d)
    expected = np.abs(X.astype(float) - X[4])[:, support] @ w[support] / 2
    np.testing.assert_allclose(d, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("dtype", "accuracy"), [("float32", 1e-6), ("float64", 1e-13)])
@pytest.mark.parametrize("n_samples", [1, 4, 9, 14])
def test_scaled_samples_against_numpy(dtype, accuracy, n_samples):
    S = RNG.standard_normal((n_samples, 13)).astype(dtype)
    w, q = RNG.random(13).astype(dtype), RNG.standard_normal(n_samples).astype(dtype)
    q[::3] = 0
    A = np.abs(S.astype(float) - S[0])[:, 2:11]
    d, z = np.empty(n_samples), np.full(13, 7, dtype)
    row_distances(S, S.dtype.type(1), S[0], w, 2, 11, d)
    row_margin(S, S.dtype.type(1), S[0], q, 2, 11, z)
    np.testing.assert_allclose(d, A @ w[2:11], rtol=accuracy)
    np.testing.assert_allclose(z[2:11], q @ A, rtol=accuracy, atol=5 * accuracy)
    assert (z[[0, 1, 11, 12]] == 7).all()


def test_no_difference_overflows():
    X = np.array([[1.7e308], [-1.7e308]])
    d = np.empty(2)
    row_distances(X, 0.5, X[0] / 2, np.array([1e-308]), 0, 1, d)
    np.testing.assert_allclose(d, [0, 1.7])
