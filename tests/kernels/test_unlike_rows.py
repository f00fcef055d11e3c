"""Kernels of a few samples with missing and nominal values against NumPy."""

import numpy as np
import pytest

from hitmiss.data.scaling import Rule
from hitmiss.kernels.unlike_rows import (
    unlike_cross_distances,
    unlike_row_squares,
    unlike_tile_distances,
    unlike_tile_margins,
)


@pytest.fixture(params=[False, True], ids=["numbers", "nominal"])
def case(request):
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


def test_cross_and_tile_distances(case):
    A, B, rule, d = case
    D, E = np.empty((4, 1100)), np.empty((4, 1100))
    unlike_cross_distances(A, B, *rule, D)
    unlike_tile_distances(A, np.ascontiguousarray(B.T), *rule, E)
    np.testing.assert_allclose([D, E], [d.sum(axis=2)] * 2, rtol=1e-12)


def test_tile_margins(case):
    A, B, rule, d = case
    Q, Z = np.random.default_rng(1).standard_normal((4, 1100)), np.empty((4, 7))
    unlike_tile_margins(A, np.ascontiguousarray(B.T), *rule, Q, np.full(4, 3.0), Z)
    expected = np.einsum("ki,kij->kj", Q, d)
    holes = np.isnan(A)
    np.testing.assert_allclose(Z[~holes], expected[~holes], atol=1e-10)
    np.testing.assert_array_equal(Z[holes], np.broadcast_to(3 * rule.gap, Z.shape)[holes])


def test_row_squares(case):
    A, B, rule, d = case
    w, found = np.arange(7.0), np.empty(1100)
    unlike_row_squares(B, A[0], w, *rule, found)
    np.testing.assert_allclose(found, ((w * d[0]) ** 2).sum(axis=1), rtol=1e-12)
