import numpy as np
import pytest

from hitmiss.kernels.rough_tiles import (
    mirror_rows,
    rough_distances,
    rough_margins,
    rough_probabilities,
    single_probabilities,
)


@pytest.mark.parametrize(
    ("kernel", "dtype", "tol"),
    [(rough_probabilities, "f8", 1e-8), (single_probabilities, "f4", 2e-6)],
)
def test_probabilities(kernel, dtype, tol):
    rng = np.random.default_rng(0)
    y, D = np.array([0, 1, 0, 2, 1, 3]), (rng.random((6, 6)) * 9).astype(dtype)
    own, Q = np.arange(6), np.empty((6, 6), dtype)
    kernel(D.copy(), y, own, y, 0.7, Q)
    for k in range(6):
        P, hit = np.exp(-D[k] / 0.7) * (own != k), y == y[k]
        lonely = not P[hit].any()
        expected = np.where(hit, -P / (P[hit].sum() or 1), P / P[~hit].sum()) * (not lonely)
        np.testing.assert_allclose(Q[k], expected, rtol=tol, atol=1e-12)


def test_neighbors_far_beyond_the_nearest_in_single_precision():
    D, y, Q = np.array([[1e4, 1e4, 1e4, 9e4, 9e4]], "f4"), np.array([0, 0, 0, 1, 1]), None
    for sigma, near in ((2.0, [0, -0.5, -0.5, 0.5, 0.5]), (np.inf, [0, -0.5, -0.5, 0.5, 0.5])):
        Q = np.empty_like(D)
        single_probabilities(D.copy(), y[:1], np.array([0]), y, sigma, Q)
        np.testing.assert_array_equal(Q[0], near)


def test_distances_and_margins():
    rng = np.random.default_rng(0)
    A, R, Q = rng.random((8, 8)), rng.random((8, 1500)), rng.standard_normal((8, 1500))
    D, Z, difference = np.empty((8, 1500)), np.empty((8, 8)), np.abs(A[:, :, None] - R)
    rough_distances(A, R, 0, 1.0, D)
    np.testing.assert_allclose(D, difference.sum(axis=1), rtol=1e-12)
    rough_margins(A, R, Q, Z)
    np.testing.assert_allclose(Z, np.einsum("ki,kji->kj", Q, difference), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("size", [5, 32, 70])
def test_distances_of_a_tile_are_mirrored(size):
    D = np.random.default_rng(0).random((size, size))
    D = np.triu(D) + np.triu(D, 1).T
    whole, upper = D.copy(), np.triu(D)
    for start in range(0, size, 8):
        stop = min(start + 8, size)
        upper[start:stop, start:stop] = D[start:stop, start:stop]  # found with the tile
        mirror_rows(upper, start, stop)
    np.testing.assert_array_equal(upper, whole)


def test_distances_from_a_start_on():
    rng = np.random.default_rng(0)
    A, R = rng.random((4, 4)), rng.random((4, 40))
    D = np.full((4, 40), np.nan)
    rough_distances(A, R, 7, 1.0, D)
    assert np.isnan(D[:, :7]).all()
    np.testing.assert_allclose(D[:, 7:], np.abs(A[:, :, None] - R).sum(axis=1)[:, 7:], rtol=1e-12)
