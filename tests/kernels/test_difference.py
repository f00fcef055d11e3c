"""The difference of two values, and that every kernel treats gaps and nominal values alike."""

import ast
from pathlib import Path

import numpy as np
import pytest

from hitmiss import kernels
from hitmiss.data.scaling import Rule
from hitmiss.kernels.difference import NUMBERS, difference
from hitmiss.kernels.distances import add_pair_distances, cross_distances
from hitmiss.kernels.margins import difference_moments, margin_vectors
from hitmiss.kernels.one_sample import unlike_row_squares
from hitmiss.kernels.row_tiles import tile_distances, tile_margins
from hitmiss.kernels.sums import (
    count_pairs,
    difference_sums,
    difference_sums_two,
    fold_upper,
    list_pairs,
    pair_sums,
)
from tests.kernels.packing import packed

ATOL = {np.float32: 1e-5, np.float64: 1e-13}
N, J = 13, 70
TINY = 2.0**-30  # 1 - TINY is not 1 in double precision, but it is in single precision


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (3.0, 5.0, 2.0),
        (5.0, 3.0, 2.0),
        (1.0, TINY, 1 - TINY),
        (np.float32(1), TINY, 1 - TINY),
        (np.float32(1), np.float32(TINY), 1.0),
        (np.inf, 1.0, np.inf),
        (np.nan, 1.0, np.nan),
    ],
)
def test_by_hand(a, b, expected):
    np.testing.assert_equal(difference(a, b), expected)


def is_difference(node):
    """Whether a node of a syntax tree is ``abs(... - ...)``."""
    called = isinstance(node, ast.Call) and ast.unparse(node.func) == "abs"
    return called and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Sub)


def test_it_is_written_once():
    files = Path(kernels.__file__).parent.glob("*.py")
    written = [f.name for f in files if any(map(is_difference, ast.walk(ast.parse(f.read_text()))))]
    assert written == ["difference.py"]


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
def block_case(request):
    dtype, nominal = request.param
    return *holed(dtype, nominal=nominal), ATOL[dtype]


def weights(dtype, seed=1):
    Q = np.zeros((16, 16))
    Q[:N, :N] = np.random.default_rng(seed).standard_normal((N, N)) / N
    return Q.astype(dtype)


def test_gaps_and_caps_by_hand():
    block = np.array([[0.0, np.nan], [3.0, 2.0], [1.0, 5.0], [np.nan, 2.0]])
    D = np.zeros((4, 4))
    add_pair_distances(block, np.array([1.5, 0.25]), np.array([np.inf, 1.0]), 0, 4, 1.0, D)
    # 3 and a gap; 1 and a gap; two gaps; 2 and unlike; a gap and alike; a gap and unlike
    expected = [3.25, 1.25, 1.75, 3.0, 1.5, 2.5]
    np.testing.assert_array_equal(D[np.triu_indices(4, 1)], expected)


def test_distances(block_case):
    block, rule, d, atol = block_case
    D = np.ones((16, 16))
    add_pair_distances(block, *rule, 0, 16, block.dtype.type(1), D)
    upper = np.triu_indices(N, 1)
    np.testing.assert_allclose(D[upper], 1 + d.sum(axis=2)[upper], atol=J * atol)


def test_margins_are_zero_without_a_value(block_case):
    block, rule, d, atol = block_case
    Q, Z = weights(block.dtype), np.empty_like(block)
    Q[:N, :N] -= Q[:N, :N].mean(axis=1, keepdims=True)
    margin_vectors(block, *rule, Q, np.zeros(16, block.dtype), 0, 16, Z)
    np.testing.assert_allclose(Z[:N], np.einsum("ni,nij->nj", Q, d)[:N], atol=atol)
    assert not Z[np.isnan(block)].any()
    margin_vectors(block, *rule, np.abs(Q), np.full(16, 2, block.dtype), 0, 16, Z)
    holes = np.isnan(block)
    np.testing.assert_array_equal(Z[holes], np.broadcast_to(2 * rule.gap, Z.shape)[holes])


def test_sums(block_case):
    block, rule, d, atol = block_case
    S, T = np.triu(weights(block.dtype), 1), np.triu(weights(block.dtype, 2), 1)
    expected = [1 + np.einsum("ni,nij->j", each, d) for each in (S, T)]
    alone, (s, t), rows = np.ones(J), np.ones((2, J)), np.empty((2, J), block.dtype)
    difference_sums(block, *rule, S, rows[0], alone)
    difference_sums_two(block, *rule, S, T, rows, s, t)
    np.testing.assert_allclose([alone, s, t], [expected[0], *expected], atol=N * atol)


def test_sums_over_a_list(block_case):
    block, rule, d, atol = block_case
    S = weights(block.dtype).astype(float)
    S[np.abs(S) < 0.05] = 0
    upper, first = np.empty((16, 16)), np.empty(17, np.intp)
    fold_upper(S, 0.0, 0, 16, upper)
    count_pairs(upper, first)
    partner, weight = np.empty(first[-1], np.int32), np.empty(first[-1], block.dtype)
    list_pairs(upper, first, partner, weight)
    total, row = np.zeros(J), np.empty(J, block.dtype)
    pair_sums(block, *rule, first, partner, weight, row, total)
    np.testing.assert_allclose(total, np.einsum("ni,nij->j", upper, d), atol=N * atol)


def test_moments():
    block, rule, d = holed(np.float64, nominal=True)
    X, d, Q = np.ascontiguousarray(block[:N, :5]), d[:N, :N, :5], weights(float)[:N, :N]
    miss, hit, second = np.empty((N, 5)), np.empty((N, 5)), np.empty((N, 5, 5))
    few = rule.gap[:5], rule.cap[:5]
    difference_moments(X, X, *few, Q, 0, N, np.empty((7, N)), miss, hit, second)
    np.testing.assert_allclose(miss - hit, np.einsum("ni,nij->nj", Q, d), atol=1e-13)
    np.testing.assert_allclose(second, np.einsum("ni,nij,nik->njk", Q, d, d), atol=1e-13)


def test_numbers_alone_are_as_ever():
    block, D, E = packed(N, J, np.float64), np.zeros((16, 16)), np.zeros((16, 16))
    add_pair_distances(block, np.full(J, np.nan), None, 0, 16, 1.0, D)
    add_pair_distances(block, *NUMBERS, 0, 16, 1.0, E)
    np.testing.assert_allclose(D, E, rtol=1e-14)
    found = [[np.empty((N, J)), np.empty((N, J)), np.empty((N, J, J))] for _ in range(2)]
    X, Q, scratch = block[:N], weights(float)[:N, :N], np.empty((J + 2, N))
    difference_moments(X, X, np.full(J, np.nan), None, Q, 0, N, scratch, *found[0])
    difference_moments(X, X, *NUMBERS, Q, 0, N, scratch, *found[1])
    np.testing.assert_allclose(found[0][2], found[1][2], rtol=1e-12, atol=1e-14)


@pytest.fixture(params=[False, True], ids=["numbers", "nominal"])
def rows_case(request):
    """Samples A, references B, how their values differ, and all differences."""
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((4, 7)), rng.standard_normal((1100, 7))
    cap = None
    if request.param:
        A[:, ::2], B[:, ::2] = 2 * rng.integers(3, size=(4, 4)), 2 * rng.integers(3, size=(1100, 4))
        cap = np.where(np.arange(7) % 2, np.inf, 1.0)
    A[rng.random(A.shape) < 0.3], B[rng.random(B.shape) < 0.3] = np.nan, np.nan
    rule = Rule(rng.random(7), cap)
    return A, B, rule, rule.differences(A[:, None], B)


def test_cross_and_tile_distances(rows_case):
    A, B, rule, d = rows_case
    D, E = np.empty((4, 1100)), np.empty((4, 1100))
    cross_distances(A, B, *rule, D)
    tile_distances(A, np.ascontiguousarray(B.T), *rule, E)
    np.testing.assert_allclose([D, E], [d.sum(axis=2)] * 2, rtol=1e-12)


def test_tile_margins(rows_case):
    A, B, rule, d = rows_case
    everything = np.array([[0, 1100]])
    Q, Z = np.random.default_rng(1).standard_normal((4, 1100)), np.empty((4, 7))
    tile_margins(A, np.ascontiguousarray(B.T), *rule, everything, Q, np.full(4, 3.0), Z)
    expected = np.einsum("ki,kij->kj", Q, d)
    holes = np.isnan(A)
    np.testing.assert_allclose(Z[~holes], expected[~holes], atol=1e-10)
    np.testing.assert_array_equal(Z[holes], np.broadcast_to(3 * rule.gap, Z.shape)[holes])


def test_row_squares(rows_case):
    A, B, rule, d = rows_case
    w, found = np.arange(7.0), np.empty(1100)
    unlike_row_squares(B, A[0], w, *rule, found)
    np.testing.assert_allclose(found, ((w * d[0]) ** 2).sum(axis=1), rtol=1e-12)
