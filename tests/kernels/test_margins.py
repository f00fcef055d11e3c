import numpy as np
import pytest

from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.margins import difference_moments, margin_vectors, pad_weights, tile_moments
from hitmiss.kernels.sums import difference_sums
from tests.kernels.packing import differences, packed, signs

ATOL = {np.float32: 1e-5, np.float64: 1e-13}
each_dtype = pytest.mark.parametrize("dtype", ATOL)
each_size = pytest.mark.parametrize(
    ("n_samples", "n_features"), [(1, 1), (2, 3), (3, 17), (4, 64), (5, 65), (13, 130), (33, 7)]
)


@each_dtype
@each_size
def test_margin_vectors(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    Q, Z = signs(block), np.full_like(block, np.nan)
    margin_vectors(block, *NUMBERS, Q, None, 0, len(block), Z)
    expected = np.einsum("ni,nij->nj", Q, differences(block, block))
    np.testing.assert_allclose(Z, expected, atol=ATOL[dtype])
    assert Z.dtype == dtype


@each_dtype
def test_row_tiles_of_margin_vectors_change_no_bit(dtype):
    block = packed(23, 70, dtype)
    Q, whole, tiled = signs(block), np.empty_like(block), np.full_like(block, np.nan)
    margin_vectors(block, *NUMBERS, Q, None, 0, 24, whole)
    margin_vectors(block, *NUMBERS, Q, None, 8, 24, tiled)
    assert np.isnan(tiled[:8]).all()
    margin_vectors(block, *NUMBERS, Q, None, 0, 8, tiled)
    np.testing.assert_array_equal(tiled, whole)


def test_tiles_of_zeros_add_nothing():
    block = packed(13, 7, float)
    Q = signs(block)
    Q[2:8, 4:12] = 0
    Z, total, S = np.empty_like(block), np.zeros(7), np.triu(Q, 1)
    margin_vectors(block, *NUMBERS, Q, None, 0, 16, Z)
    np.testing.assert_allclose(Z, np.einsum("ni,nij->nj", Q, differences(block, block)), atol=1e-13)
    difference_sums(block, *NUMBERS, S, np.empty(7), total)
    np.testing.assert_allclose(total, np.einsum("ni,nij->j", S, differences(block, block)))


@each_dtype
def test_margin_kernels_hide_no_bad_value(dtype):
    block = packed(8, 9, dtype)
    block[5, 3] = np.nan
    Z, total = np.empty_like(block), np.zeros(9)
    margin_vectors(block, *NUMBERS, signs(block), None, 0, 8, Z)
    difference_sums(block, *NUMBERS, np.triu(signs(block), 1), np.empty(9, dtype), total)
    assert (
        np.isnan(Z).all(axis=0).tolist() == np.isnan(total).tolist() == [j == 3 for j in range(9)]
    )


@each_dtype
@pytest.mark.parametrize(("n_samples", "n_features"), [(2, 1), (5, 3), (9, 4)])
def test_difference_moments(n_samples, n_features, dtype):
    X = packed(n_samples, n_features, dtype)[:n_samples]
    Q, d = signs(np.empty((n_samples, 1))), differences(X, X)
    shape = X.shape
    miss, hit, second = np.ones(shape), np.ones(shape), np.ones((*shape, n_features))
    scratch = np.full((n_features + 2, n_samples), np.nan)
    difference_moments(X, X, *NUMBERS, Q, 1, n_samples, scratch, miss, hit, second)
    expected_miss = np.einsum("ni,nij->nj", np.maximum(Q, 0), d)
    expected_hit = np.einsum("ni,nij->nj", np.maximum(-Q, 0), d)
    expected_second = np.einsum("ni,nij,nik->njk", Q, d, d)
    np.testing.assert_allclose(miss[1:], expected_miss[1:], atol=ATOL[dtype])
    np.testing.assert_allclose(hit[1:], expected_hit[1:], atol=ATOL[dtype])
    np.testing.assert_allclose(second[1:], expected_second[1:], atol=ATOL[dtype])
    assert all(np.all(moment[0] == 1) for moment in (miss, hit, second))  # row 0 was not asked for


def test_pad_weights():
    Q, out = np.array([[1.0, -2.0], [1e-9, 3.0]]), np.full((4, 4), 7.0)
    pad_weights(Q, 1e-8, 0, 4, out)
    expected = np.zeros((4, 4))
    expected[:2, :2] = np.where(np.abs(Q) > 1e-8, Q, 0.0)
    np.testing.assert_array_equal(out, expected)


def moments_of_tile(A, R, Q):
    found = np.empty(A.shape), np.empty(A.shape), np.empty((*A.shape, A.shape[1]))
    tile_moments(A, R, Q, *found)
    return found


def test_moments_of_a_tile_by_hand():
    A, R = np.array([[0.0, 5.0]]), np.array([[1.0, 3.0], [5.0, 4.0]])
    miss, hit, second = moments_of_tile(A, R, np.array([[-1.0, 0.5]]))
    np.testing.assert_array_equal(miss, [[1.5, 0.5]])
    np.testing.assert_array_equal(hit, [[1, 0]])
    np.testing.assert_array_equal(second, [[[3.5, 1.5], [1.5, 0.5]]])


@pytest.mark.parametrize("n_references", [1, 1024, 2500])
@pytest.mark.parametrize("n_features", [1, 5])
def test_moments_of_a_tile(n_features, n_references):
    rng = np.random.default_rng(0)
    A, R = rng.random((3, n_features)), rng.random((n_features, n_references))
    Q = rng.standard_normal((4, n_references))  # a row more, as tiles are padded
    d = np.abs(A[:, :, None] - R)
    expected = (
        np.einsum("ki,kji->kj", np.maximum(Q[:3], 0), d),
        np.einsum("ki,kji->kj", np.maximum(-Q[:3], 0), d),
        np.einsum("ki,kji,kmi->kjm", Q[:3], d, d),
    )
    for found, right in zip(moments_of_tile(A, R, Q), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-10)
