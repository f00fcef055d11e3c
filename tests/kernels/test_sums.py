from itertools import pairwise

import numpy as np
import pytest

from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.sums import (
    column_sums,
    column_sums_two,
    count_pairs,
    difference_sums,
    difference_sums_two,
    eight_sums,
    fold_upper,
    list_pairs,
    pair_sums,
    sizes_of_weights,
)
from tests.kernels.packing import differences, packed, signs

ATOL = {np.float32: 1e-5, np.float64: 1e-13}
each_dtype = pytest.mark.parametrize("dtype", ATOL)
each_size = pytest.mark.parametrize(
    ("n_samples", "n_features"), [(1, 1), (2, 3), (3, 17), (4, 64), (5, 65), (13, 130), (33, 7)]
)


@each_dtype
@each_size
def test_difference_sums(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    S, row_sum, total = np.triu(signs(block), 1), np.empty(n_features, dtype), np.ones(n_features)
    difference_sums(block, *NUMBERS, S, row_sum, total)
    expected = 1 + np.einsum("ni,nij->j", S, differences(block, block))
    np.testing.assert_allclose(total, expected, atol=ATOL[dtype])


@each_dtype
@each_size
def test_difference_sums_two(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    pair = [np.triu(signs(block, seed), 1) for seed in (1, 2)]
    wide = np.ones((2, n_features + 3))  # a part of the totals, as in Blockwise
    difference_sums_two(block, *NUMBERS, *pair, np.empty((2, n_features), dtype), *wide[:, 2:-1])
    expected = [1 + np.einsum("ni,nij->j", S, differences(block, block)) for S in pair]
    np.testing.assert_allclose(wide[:, 2:-1], expected, atol=ATOL[dtype])
    assert np.all(wide[:, [0, 1, -1]] == 1)


def test_difference_sums_add_rows_in_double_precision():
    block = np.array([[0], [1], [0], [1]], np.float32)
    S = np.zeros((4, 4), np.float32)
    S[0, 1], S[2, 3] = 2**24, 1  # their sum needs 25 bits, one more than float32 has
    total = np.zeros(1)
    difference_sums(block, *NUMBERS, S, np.empty(1, np.float32), total)
    assert total[0] == 2**24 + 1


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


def listed(S):
    first = np.empty(len(S) + 1, np.intp)
    count_pairs(S, first)
    partner, weight = np.full(first[-1], -1, np.intp), np.full(first[-1], np.nan)
    list_pairs(S, first, partner, weight)
    return first, partner, weight


def test_a_list_of_three_samples_by_hand():
    S = np.array([[9.0, 2, 0], [9, 9, -1], [9, 9, 9]])  # only what is right of the diagonal counts
    first, partner, weight = listed(S)
    assert first.tolist() == [0, 4, 8, 8]
    assert partner.tolist() == [1, 0, 0, 0, 2, 1, 1, 1]
    assert weight.tolist() == [2, 0, 0, 0, -1, 0, 0, 0]
    block, total = np.array([[0.0, 1], [3, 5], [4, 4]]), np.zeros(2)
    pair_sums(block, *NUMBERS, first, partner, weight, np.empty(2), total)
    assert total.tolist() == [2 * 3 - 1 * 1, 2 * 4 - 1 * 1]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_over_a_list(share, dtype):
    rng = np.random.default_rng(0)
    block = rng.standard_normal((24, 70)).astype(dtype)  # more rows than samples: padded
    S = rng.standard_normal((22, 22)) * (rng.random((22, 22)) < share)
    first, partner, weight = listed(S)
    assert (first % 4 == 0).all()
    total = np.ones(70)
    pair_sums(block, *NUMBERS, first, partner, weight.astype(dtype), np.empty(70, dtype), total)
    A = np.abs(block[:22, None] - block[None, :22]).astype(float)
    expected = 1 + np.einsum("ni,nij->j", np.triu(S, 1), A)
    np.testing.assert_allclose(total, expected, rtol=1e-4 if dtype == np.float32 else 1e-12)


def test_weights_are_counted_by_their_power_of_two():
    S = np.array([[9.0, 2, -0.75], [9, 9, 3], [9, 9, 9]])
    total, count = np.zeros((2, 2049))
    sizes_of_weights(S, total, count)
    assert np.flatnonzero(count).tolist() == [1024, 1026]  # from 1/2 to 1, and from 2 to 4
    assert count[[1024, 1026]].tolist() == [1, 2]
    assert total[[1024, 1026]].tolist() == [0.75, 5]


def test_sizes_of_weights():
    rng = np.random.default_rng(0)
    S = rng.standard_normal((30, 30)) * 2.0 ** rng.integers(-300, 300, (30, 30))
    S[3, 4], S[5, 6] = 0.0, 5e-324
    total, count = np.zeros((2, 2049))
    sizes_of_weights(S, total, count)
    upper = np.abs(S[np.triu_indices(30, 1)])
    place = np.maximum(np.frexp(upper[upper > 0])[1] + 1024, 0)
    np.testing.assert_array_equal(count, np.bincount(place, minlength=2049))
    np.testing.assert_allclose(total, np.bincount(place, upper[upper > 0], 2049))


def test_eight_sums():
    rng = np.random.default_rng(0)
    weights, (a, b), samples = rng.random((4, 37)), rng.random((2, 37)), rng.random((2, 4))
    found = eight_sums(*weights, a, b, *samples)
    expected = [
        [w @ np.abs(value - others) for w, value in zip(weights, values, strict=True)]
        for values, others in zip(samples, (a, b), strict=True)
    ]
    np.testing.assert_allclose(found, np.ravel(expected), rtol=1e-12)


@pytest.mark.parametrize("n_samples", [4, 12, 1500])
def test_column_sums(n_samples):
    rng = np.random.default_rng(0)
    columns, S = rng.random((6, n_samples)), np.triu(rng.normal(size=(n_samples,) * 2), 1)
    total = np.ones(6)
    column_sums(columns, S, total)
    expected = [1 + (S * np.abs(np.subtract.outer(x, x))).sum() for x in columns]
    np.testing.assert_allclose(total, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_samples", [4, 12, 1500])
def test_column_sums_two(n_samples):
    rng = np.random.default_rng(0)
    columns = rng.random((8, n_samples))
    S, T = np.triu(rng.normal(size=(2, n_samples, n_samples)), 1)
    alone, both = np.ones((2, 8)), np.ones((2, 8))
    for weights, total in zip((S, T), alone, strict=True):
        column_sums(columns, weights, total)
    column_sums_two(columns, S, T, *both)
    np.testing.assert_allclose(both, alone, rtol=1e-9, atol=1e-9)
