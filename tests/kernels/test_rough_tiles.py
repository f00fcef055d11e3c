import numpy as np

from hitmiss.kernels.rough_tiles import rough_probabilities


def test_probabilities():
    rng = np.random.default_rng(0)
    y, D = np.array([0, 1, 0, 2, 1, 3]), rng.random((6, 6)) * 9
    own, Q = np.arange(6), np.empty((6, 6))
    rough_probabilities(D, y, own, y, 0.7, Q)
    for k in range(6):
        P, hit = np.exp(-D[k] / 0.7) * (own != k), y == y[k]
        lonely = not P[hit].any()
        expected = np.where(hit, -P / (P[hit].sum() or 1), P / P[~hit].sum()) * (not lonely)
        np.testing.assert_allclose(Q[k], expected, rtol=1e-8, atol=1e-12)
