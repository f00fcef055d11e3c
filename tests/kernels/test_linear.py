import numpy as np
import pytest

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
