import numpy as np
import pytest

from hitmiss.kernels.packing import pack, pack_some, pad_weights


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("view", [lambda X: X, lambda X: X[::2], lambda X: X[:, 2:]])
def test_pack(view, dtype):
    rng = np.random.default_rng(0)
    X = view(rng.standard_normal((10, 40)).astype(dtype))
    center, factor = rng.standard_normal((2, 7)).astype(dtype)
    block = np.full((len(X) + 3, 7), np.nan, dtype)
    pack(X, 5, center, factor, block)
    np.testing.assert_array_equal(block[: len(X)], (X[:, 5:12] - center) * factor)
    assert not block[len(X) :].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("view", [lambda X: X, lambda X: X[::2], lambda X: X[:, 2:]])
def test_pack_some(view, dtype):
    rng = np.random.default_rng(0)
    X, index = view(rng.standard_normal((10, 40)).astype(dtype)), np.array([0, 3, 4, 30])
    center, factor = rng.standard_normal((2, 4)).astype(dtype)
    block = np.full((len(X) + 2, 4), np.nan, dtype)
    pack_some(X, index, center, factor, block)
    np.testing.assert_array_equal(block[: len(X)], (X[:, index] - center) * factor)
    assert not block[len(X) :].any()


def test_pad_weights():
    Q, out = np.array([[1.0, -2.0], [1e-9, 3.0]]), np.full((4, 4), 7.0)
    pad_weights(Q, 1e-8, 0, 4, out)
    expected = np.zeros((4, 4))
    expected[:2, :2] = np.where(np.abs(Q) > 1e-8, Q, 0.0)
    np.testing.assert_array_equal(out, expected)
