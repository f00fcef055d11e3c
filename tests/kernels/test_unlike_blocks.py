"""Kernels of missing and nominal values against NumPy, and against those of numbers."""

import numpy as np
import pytest

from hitmiss.data.scaling import Rule
from hitmiss.kernels.distances import add_pair_distances
from hitmiss.kernels.margins import difference_moments, fold_upper
from hitmiss.kernels.pair_list import count_pairs, list_pairs
from hitmiss.kernels.unlike_blocks import (
    add_unlike_distances,
    unlike_margins,
    unlike_moments,
    unlike_pair_sums,
    unlike_sums,
    unlike_sums_two,
)
from tests.kernels.packing import packed

ATOL = {np.float32: 1e-5, np.float64: 1e-13}
N, J = 13, 70


def holed(dtype, *, nominal):
    """A block with gaps, some features nominal; how its values differ, and all differences."""
    rng = np.random.default_rng(0)
    block = packed(N, J, dtype)
    gap, cap = rng.random(J).astype(dtype), None
    if nominal:
        block[:N, ::3] = 2 * rng.integers(4, size=(N, len(range(0, J, 3))))
        cap = np.where(np.arange(J) % 3, np.inf, 1.0).astype(dtype)
    block[:N][rng.random((N, J)) < 0.2] = np.nan
    rule = Rule(gap, cap)
    wide = Rule(gap.astype(float), None if cap is None else cap.astype(float))
    return block, rule, wide.differences(block[:, None].astype(float), block.astype(float))


@pytest.fixture(params=[(t, nominal) for t in ATOL for nominal in (False, True)], ids=str)
def case(request):
    dtype, nominal = request.param
    return *holed(dtype, nominal=nominal), ATOL[dtype]


def weights(dtype, seed=1):
    Q = np.zeros((16, 16))
    Q[:N, :N] = np.random.default_rng(seed).standard_normal((N, N)) / N
    return Q.astype(dtype)


def test_by_hand():
    block = np.array([[0.0, np.nan], [3.0, 2.0], [1.0, 5.0], [np.nan, 2.0]])
    D = np.zeros((4, 4))
    add_unlike_distances(block, np.array([1.5, 0.25]), np.array([np.inf, 1.0]), 0, 4, D)
    # 3 and a gap; 1 and a gap; two gaps; 2 and unlike; a gap and alike; a gap and unlike
    expected = [3.25, 1.25, 1.75, 3.0, 1.5, 2.5]
    np.testing.assert_array_equal(D[np.triu_indices(4, 1)], expected)


def test_distances(case):
    block, rule, d, atol = case
    D = np.ones((16, 16))
    add_unlike_distances(block, *rule, 0, 16, D)
    upper = np.triu_indices(N, 1)
    np.testing.assert_allclose(D[upper], 1 + d.sum(axis=2)[upper], atol=J * atol)


def test_margins_are_zero_without_a_value(case):
    block, rule, d, atol = case
    Q, Z = weights(block.dtype), np.empty_like(block)
    Q[:N, :N] -= Q[:N, :N].mean(axis=1, keepdims=True)
    unlike_margins(block, *rule, Q, np.zeros(16, block.dtype), 0, 16, Z)
    np.testing.assert_allclose(Z[:N], np.einsum("ni,nij->nj", Q, d)[:N], atol=atol)
    assert not Z[np.isnan(block)].any()
    unlike_margins(block, *rule, np.abs(Q), np.full(16, 2, block.dtype), 0, 16, Z)
    holes = np.isnan(block)
    np.testing.assert_array_equal(Z[holes], np.broadcast_to(2 * rule.gap, Z.shape)[holes])


def test_sums(case):
    block, rule, d, atol = case
    S, T = np.triu(weights(block.dtype), 1), np.triu(weights(block.dtype, 2), 1)
    expected = [1 + np.einsum("ni,nij->j", each, d) for each in (S, T)]
    alone, (s, t), rows = np.ones(J), np.ones((2, J)), np.empty((2, J), block.dtype)
    unlike_sums(block, *rule, S, rows[0], alone)
    unlike_sums_two(block, *rule, S, T, rows, s, t)
    np.testing.assert_allclose([alone, s, t], [expected[0], *expected], atol=N * atol)


def test_sums_over_a_list(case):
    block, rule, d, atol = case
    S = weights(block.dtype).astype(float)
    S[np.abs(S) < 0.05] = 0
    upper, first = np.empty((16, 16)), np.empty(17, np.intp)
    fold_upper(S, 0.0, 0, 16, upper)
    count_pairs(upper, first)
    partner, weight = np.empty(first[-1], np.int32), np.empty(first[-1], block.dtype)
    list_pairs(upper, first, partner, weight)
    total, row = np.zeros(J), np.empty(J, block.dtype)
    unlike_pair_sums(block, *rule, first, partner, weight, row, total)
    np.testing.assert_allclose(total, np.einsum("ni,nij->j", upper, d), atol=N * atol)


def test_moments():
    block, rule, d = holed(np.float64, nominal=True)
    X, d, Q = np.ascontiguousarray(block[:N, :5]), d[:N, :N, :5], weights(float)[:N, :N]
    miss, hit, second = np.empty((N, 5)), np.empty((N, 5)), np.empty((N, 5, 5))
    few = rule.gap[:5], rule.cap[:5]
    unlike_moments(X, X, *few, Q, 0, N, np.empty((7, N)), miss, hit, second)
    np.testing.assert_allclose(miss - hit, np.einsum("ni,nij->nj", Q, d), atol=1e-13)
    np.testing.assert_allclose(second, np.einsum("ni,nij,nik->njk", Q, d, d), atol=1e-13)


def test_numbers_alone_are_as_ever():
    block, D, E = packed(N, J, np.float64), np.zeros((16, 16)), np.zeros((16, 16))
    add_unlike_distances(block, np.full(J, np.nan), None, 0, 16, D)
    add_pair_distances(block, 0, 16, 1.0, E)
    np.testing.assert_allclose(D, E, rtol=1e-14)
    found = [[np.empty((N, J)), np.empty((N, J)), np.empty((N, J, J))] for _ in range(2)]
    X, Q, scratch = block[:N], weights(float)[:N, :N], np.empty((J + 2, N))
    unlike_moments(X, X, np.full(J, np.nan), None, Q, 0, N, scratch, *found[0])
    difference_moments(X, X, Q, 0, N, scratch, *found[1])
    np.testing.assert_allclose(found[0][2], found[1][2], rtol=1e-12, atol=1e-14)
