from itertools import pairwise

import numpy as np
import pytest

from hitmiss.kernels.margins import (
    difference_moments,
    difference_sums,
    difference_sums_two,
    fold_upper,
    margin_vectors,
)
from tests.kernels.packing import differences, packed

ATOL = {np.float32: 1e-5, np.float64: 1e-13}
each_dtype = pytest.mark.parametrize("dtype", ATOL)
each_size = pytest.mark.parametrize(
    ("n_samples", "n_features"), [(1, 1), (2, 3), (3, 17), (4, 64), (5, 65), (13, 130), (33, 7)]
)


def signs(block, seed=1):
    """Numbers of both signs, one per pair of rows."""
    Q = np.random.default_rng(seed).standard_normal((len(block), len(block))) / len(block)
    return Q.astype(block.dtype)


@each_dtype
@each_size
def test_margin_vectors(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    Q, Z = signs(block), np.full_like(block, np.nan)
    margin_vectors(block, Q, 0, len(block), Z)
    expected = np.einsum("ni,nij->nj", Q, differences(block, block))
    np.testing.assert_allclose(Z, expected, atol=ATOL[dtype])
    assert Z.dtype == dtype


@each_dtype
def test_row_tiles_of_margin_vectors_change_no_bit(dtype):
    block = packed(23, 70, dtype)
    Q, whole, tiled = signs(block), np.empty_like(block), np.full_like(block, np.nan)
    margin_vectors(block, Q, 0, 24, whole)
    margin_vectors(block, Q, 8, 24, tiled)
    assert np.isnan(tiled[:8]).all()
    margin_vectors(block, Q, 0, 8, tiled)
    np.testing.assert_array_equal(tiled, whole)


@each_dtype
@each_size
def test_difference_sums(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    S, row_sum, total = np.triu(signs(block), 1), np.empty(n_features, dtype), np.ones(n_features)
    difference_sums(block, S, row_sum, total)
    expected = 1 + np.einsum("ni,nij->j", S, differences(block, block))
    np.testing.assert_allclose(total, expected, atol=ATOL[dtype])


@each_dtype
@each_size
def test_difference_sums_two(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    pair = [np.triu(signs(block, seed), 1) for seed in (1, 2)]
    wide = np.ones((2, n_features + 3))  # a part of the totals, as in Blockwise
    difference_sums_two(block, *pair, np.empty((2, n_features), dtype), *wide[:, 2:-1])
    expected = [1 + np.einsum("ni,nij->j", S, differences(block, block)) for S in pair]
    np.testing.assert_allclose(wide[:, 2:-1], expected, atol=ATOL[dtype])
    assert np.all(wide[:, [0, 1, -1]] == 1)


def test_tiles_of_zeros_add_nothing():
    block = packed(13, 7, float)
    Q = signs(block)
    Q[2:8, 4:12] = 0
    Z, total, S = np.empty_like(block), np.zeros(7), np.triu(Q, 1)
    margin_vectors(block, Q, 0, 16, Z)
    np.testing.assert_allclose(Z, np.einsum("ni,nij->nj", Q, differences(block, block)), atol=1e-13)
    difference_sums(block, S, np.empty(7), total)
    np.testing.assert_allclose(total, np.einsum("ni,nij->j", S, differences(block, block)))


def test_difference_sums_add_rows_in_double_precision():
    block = np.array([[0], [1], [0], [1]], np.float32)
    S = np.zeros((4, 4), np.float32)
    S[0, 1], S[2, 3] = 2**24, 1  # their sum needs 25 bits, one more than float32 has
    total = np.zeros(1)
    difference_sums(block, S, np.empty(1, np.float32), total)
    assert total[0] == 2**24 + 1


@each_dtype
def test_margin_kernels_hide_no_bad_value(dtype):
    block = packed(8, 9, dtype)
    block[5, 3] = np.nan
    Z, total = np.empty_like(block), np.zeros(9)
    margin_vectors(block, signs(block), 0, 8, Z)
    difference_sums(block, np.triu(signs(block), 1), np.empty(9, dtype), total)
    assert (
        np.isnan(Z).all(axis=0).tolist() == np.isnan(total).tolist() == [j == 3 for j in range(9)]
    )


@each_dtype
@pytest.mark.parametrize("size", [1, 5, 8, 70, 72])
def test_fold_upper(size, dtype):
    padded = -(-size // 8) * 8
    S, out = signs(np.empty((size, 1))), np.full((padded, padded), np.nan, dtype)
    for start, stop in pairwise(sorted({0, min(4, padded), padded // 2, padded})):
        fold_upper(S, 0.0, start, stop, out)
    expected = np.zeros((padded, padded))
    expected[:size, :size] = np.triu(S + S.T, 1)
    np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_fold_upper_drops_what_is_negligible():
    S, out = np.zeros((4, 4)), np.full((4, 4), np.nan)
    S[0, 1], S[2, 0], S[1, 3], S[3, 1] = 5.0, -5e-8, 1.0, -1.0
    S[2, 3] = 5e-6
    fold_upper(S, 1e-7, 0, 4, out)
    expected = np.zeros((4, 4))
    expected[0, 1], expected[2, 3] = 5.0, 5e-6
    np.testing.assert_array_equal(out, expected)


@each_dtype
@pytest.mark.parametrize(("n_samples", "n_features"), [(2, 1), (5, 3), (9, 4)])
def test_difference_moments(n_samples, n_features, dtype):
    X = packed(n_samples, n_features, dtype)[:n_samples]
    Q, d = signs(np.empty((n_samples, 1))), differences(X, X)
    shape = X.shape
    miss, hit, second = np.ones(shape), np.ones(shape), np.ones((*shape, n_features))
    scratch = np.full((n_features + 2, n_samples), np.nan)
    difference_moments(X, X, Q, 1, n_samples, scratch, miss, hit, second)
    expected_miss = np.einsum("ni,nij->nj", np.maximum(Q, 0), d)
    expected_hit = np.einsum("ni,nij->nj", np.maximum(-Q, 0), d)
    expected_second = np.einsum("ni,nij,nik->njk", Q, d, d)
    np.testing.assert_allclose(miss[1:], expected_miss[1:], atol=ATOL[dtype])
    np.testing.assert_allclose(hit[1:], expected_hit[1:], atol=ATOL[dtype])
    np.testing.assert_allclose(second[1:], expected_second[1:], atol=ATOL[dtype])
    assert all(np.all(moment[0] == 1) for moment in (miss, hit, second))  # row 0 was not asked for
