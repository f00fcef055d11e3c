import numpy as np
import pytest

from hitmiss.kernels.tile_moments import tile_moments


def moments(A, R, Q):
    found = np.empty(A.shape), np.empty(A.shape), np.empty((*A.shape, A.shape[1]))
    tile_moments(A, R, Q, *found)
    return found


def test_by_hand():
    A, R = np.array([[0.0, 5.0]]), np.array([[1.0, 3.0], [5.0, 4.0]])
    miss, hit, second = moments(A, R, np.array([[-1.0, 0.5]]))
    np.testing.assert_array_equal(miss, [[1.5, 0.5]])
    np.testing.assert_array_equal(hit, [[1, 0]])
    np.testing.assert_array_equal(second, [[[3.5, 1.5], [1.5, 0.5]]])


@pytest.mark.parametrize("n_references", [1, 1024, 2500])
@pytest.mark.parametrize("n_features", [1, 5])
def test_against_numpy(n_features, n_references):
    rng = np.random.default_rng(0)
    A, R = rng.random((3, n_features)), rng.random((n_features, n_references))
    Q = rng.standard_normal((4, n_references))  # a row more, as tiles are padded
    d = np.abs(A[:, :, None] - R)
    expected = (
        np.einsum("ki,kji->kj", np.maximum(Q[:3], 0), d),
        np.einsum("ki,kji->kj", np.maximum(-Q[:3], 0), d),
        np.einsum("ki,kji,kmi->kjm", Q[:3], d, d),
    )
    for found, right in zip(moments(A, R, Q), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-10)
