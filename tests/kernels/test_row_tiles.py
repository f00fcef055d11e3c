import numpy as np

from hitmiss.kernels.row_tiles import tile_distances, tile_margins, tile_probabilities


def test_the_kernels_against_numpy():
    rng = np.random.default_rng(0)
    A, R = rng.standard_normal((4, 7)), rng.standard_normal((7, 1500))
    difference = np.abs(A[:, :, None] - R)
    D, Q, Z = np.empty((4, 1500)), np.empty((4, 1500)), np.empty((4, 7))
    tile_distances(A, R, D)
    np.testing.assert_allclose(D, difference.sum(axis=1), rtol=1e-12)
    y, labels, own = rng.integers(0, 2, 1500), np.array([0, 1, 0, 1]), np.array([-1, 5, 1499, 0])
    y[own[1:]] = labels[1:]
    tile_probabilities(D, labels, own, y, 2.0, 1e-6, Q)
    tile_margins(A, R, Q, Z)
    np.testing.assert_allclose(Z, np.einsum("ki,kji->kj", Q, difference), rtol=1e-10)
    hits = y == labels[:, None]
    hits[[1, 2, 3], own[1:]] = False
    for members, sign in ((hits, -1), (y != labels[:, None], 1)):
        P = np.where(members, np.exp(-D / 2), 0)
        P /= P.sum(axis=1, keepdims=True)
        expected = np.where(P > 1e-6, sign * P, 0)
        np.testing.assert_allclose(np.where(members, Q, 0), expected, rtol=1e-6, atol=1e-9)
    assert not Q[[1, 2, 3], own[1:]].any()
