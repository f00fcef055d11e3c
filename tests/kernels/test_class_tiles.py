import numpy as np
import pytest

from hitmiss.kernels.class_tiles import tile_class_distances


def test_by_hand():
    D, E = np.array([[0.0, 1.0, 3.0, 5.0]]), np.empty((1, 3))
    # Class 0 is the sample itself and one more, class 1 has two, class 2 none.
    tile_class_distances(D, np.arange(4), np.array([0, 2, 4, 4]), np.array([0]), np.inf, E)
    np.testing.assert_array_equal(E, [[1, 4, np.inf]])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("sigma", [0.2, 3.0, np.inf])
def test_against_numpy(sigma, dtype):
    rng = np.random.default_rng(0)
    D, y = (rng.random((5, 700)) * 20).astype(dtype), rng.integers(0, 3, 700)
    order, E = np.argsort(y, kind="stable"), np.empty((5, 3))
    own = np.array([-1, 0, 3, 699, -1])  # places in that order
    edges = np.searchsorted(y[order], np.arange(4))
    tile_class_distances(D, order, edges, own, sigma, E)
    for k in range(5):
        for c in range(3):
            d = np.delete(D[k], order[own[k]]) if own[k] >= 0 else D[k]
            members = np.delete(y, order[own[k]]) == c if own[k] >= 0 else y == c
            d = d[members].astype(float)
            P = np.exp((d.min() - d) / sigma)
            assert E[k, c] == pytest.approx(P @ d / P.sum(), rel=1e-8)
