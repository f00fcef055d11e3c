import numpy as np
import pytest

from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.row_tiles import (
    tile_class_distances,
    tile_distances,
    tile_margins,
    tile_probabilities,
)


def test_the_kernels_against_numpy():
    rng = np.random.default_rng(0)
    A, R = rng.standard_normal((4, 7)), rng.standard_normal((7, 1500))
    difference = np.abs(A[:, :, None] - R)
    D, Q, Z = np.empty((4, 1500)), np.empty((4, 1500)), np.empty((4, 7))
    tile_distances(A, R, *NUMBERS, D)
    np.testing.assert_allclose(D, difference.sum(axis=1), rtol=1e-12)
    y, labels, own = rng.integers(0, 2, 1500), np.array([0, 1, 0, 1]), np.array([-1, 5, 1499, 0])
    y[own[1:]] = labels[1:]
    tile_probabilities(D, labels, own, y, 2.0, 1e-6, Q)
    tile_margins(A, R, *NUMBERS, np.array([[0, 1500]]), Q, None, Z)
    np.testing.assert_allclose(Z, np.einsum("ki,kji->kj", Q, difference), rtol=1e-10)
    hits = y == labels[:, None]
    hits[[1, 2, 3], own[1:]] = False
    for members, sign in ((hits, -1), (y != labels[:, None], 1)):
        P = np.where(members, np.exp(-D / 2), 0)
        P /= P.sum(axis=1, keepdims=True)
        expected = np.where(P > 1e-6, sign * P, 0)
        np.testing.assert_allclose(np.where(members, Q, 0), expected, rtol=1e-6, atol=1e-9)
    assert not Q[[1, 2, 3], own[1:]].any()


@pytest.mark.parametrize(
    "places", [[(3, 5)], [(0, 1), (7, 1400)], [(2, 1026), (1026, 2050), (2999, 3000)]]
)
def test_margins_over_some_references(places):
    rng = np.random.default_rng(0)
    A, R = rng.random((8, 3)), rng.random((3, 3000))
    some = np.concatenate([np.arange(*place) for place in places])
    Q, Z = rng.standard_normal((8, len(some))), np.empty((8, 3))
    tile_margins(A, R, *NUMBERS, np.array(places), Q, None, Z)
    expected = np.einsum("ki,kji->kj", Q, np.abs(A[:, :, None] - R[:, some]))
    np.testing.assert_allclose(Z, expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_sample_without_a_hit_or_a_miss_has_no_neighbors(dtype):
    D, y = np.array([[0.0, 1, 2, 4]] * 3, dtype), np.array([0, 0, 0, 1])
    before, Q = D.copy(), np.full((3, 4), 7, dtype)
    tile_probabilities(D, np.array([0, 1, 2]), np.array([0, 3, -1]), y, 2.0, 0.0, Q)
    np.testing.assert_array_equal(D, before)  # nothing is left of the place of the sample itself
    hits = np.exp([-0.5, -1])
    expected = [[0, *(-hits / hits.sum()), 1], [0] * 4, [0] * 4]
    np.testing.assert_allclose(Q, expected, rtol=1e-6)


def test_a_kernel_of_infinite_width_takes_all_neighbors_alike():
    D, Q = np.array([[0.0, 1, 2, 4]]), np.empty((1, 4))
    tile_probabilities(D, np.array([0]), np.array([0]), np.array([0, 0, 0, 1]), np.inf, 0.0, Q)
    np.testing.assert_array_equal(Q, [[0, -0.5, -0.5, 1]])


def test_neighbors_far_beyond_the_nearest_do_not_overflow():
    D, Q = np.array([[1e4, 1e4 + 1, 3e4, 3e4]], "f4"), np.empty((1, 4), "f4")
    tile_probabilities(D, np.array([0]), np.array([-1]), np.array([0, 0, 1, 1]), 1.0, 1e-9, Q)
    hit = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(Q, [[-hit, hit - 1, 0.5, 0.5]], rtol=1e-6)


def test_distances_to_classes_by_hand():
    D, E = np.array([[0.0, 1.0, 3.0, 5.0]]), np.empty((1, 3))
    # Class 0 is the sample itself and one more, class 1 has two, class 2 none.
    tile_class_distances(D, np.arange(4), np.array([0, 2, 4, 4]), np.array([0]), np.inf, E)
    np.testing.assert_array_equal(E, [[1, 4, np.inf]])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("sigma", [0.2, 3.0, np.inf])
def test_distances_to_classes(sigma, dtype):
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
