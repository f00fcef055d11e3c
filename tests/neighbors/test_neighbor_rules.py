"""Hard neighbors, soft neighbors by class, trust."""

import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    band_neighbors,
    dead_band,
    mean_distance,
    nearest_neighbors,
    single_neighbors,
    soft_neighbors,
    soft_neighbors_by_class,
    trust,
)
from hitmiss.targets.classes import Classes
from tests import reference as ref
from tests import relief_reference as relief

SERIAL = Workers(1)
# Points 0, 1, 3, 6 on a line: two hits, two misses.
LINE = np.abs(np.subtract.outer([0.0, 1, 3, 6], [0.0, 1, 3, 6]))
LABELS = np.array([0, 0, 1, 1])


def random_problem(n_samples=150, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    D = ref.distances(rng.random((n_samples, 4)), np.ones(4))
    return D, rng.integers(0, n_classes, n_samples)


def test_single_neighbors_by_hand():
    expected = [[0, -1, 1, 0], [-1, 0, 1, 0], [0, 1, 0, -1], [0, 1, -1, 0]]
    np.testing.assert_array_equal(single_neighbors(LINE, Classes(LABELS)), expected)


def test_nearest_neighbors_by_hand():
    Q = nearest_neighbors(LINE, Classes(LABELS), 2, SERIAL)
    expected = [[0, -1, 0.5, 0.5], [-1, 0, 0.5, 0.5], [0.5, 0.5, 0, -1], [0.5, 0.5, -1, 0]]
    np.testing.assert_array_equal(Q, expected)


def test_band_neighbors_by_hand():
    Q = band_neighbors(LINE, Classes(LABELS), 1.5, 3.5, SERIAL)  # distances 2 and 3
    np.testing.assert_array_equal(Q, [[0, 0, 1, 0], [0, 0, 1, 0], [0.5, 0.5, 0, -1], [0, 0, -1, 0]])


def test_the_radii_by_hand():
    assert mean_distance(LINE) == pytest.approx((1 + 3 + 6 + 2 + 5 + 3) / 6)
    near, far = dead_band(LINE)
    d = np.array([1.0, 3, 6])
    np.testing.assert_allclose([near[0], far[0]], [d.mean() - d.std() / 2, d.mean() + d.std() / 2])


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_the_radii_scale_with_the_distances(factor):
    D, _ = random_problem()
    np.testing.assert_allclose(mean_distance(D * factor) / factor, mean_distance(D), rtol=1e-12)
    for scaled, plain in zip(dead_band(D * factor), dead_band(D), strict=True):
        np.testing.assert_allclose(scaled / factor, plain, rtol=1e-12)


def test_one_nearest_neighbor_of_two_classes_is_the_single_one():
    D, y = random_problem(n_classes=2)
    np.testing.assert_array_equal(
        nearest_neighbors(D, Classes(y), 1, SERIAL), single_neighbors(D, Classes(y))
    )


def test_all_neighbors_by_class_are_those_of_an_infinite_kernel():
    D, y = random_problem()
    expected = soft_neighbors_by_class(D, Classes(y), np.inf, SERIAL)
    np.testing.assert_allclose(nearest_neighbors(D, Classes(y), 150, SERIAL), expected, rtol=1e-12)
    np.testing.assert_allclose(
        band_neighbors(D, Classes(y), -np.inf, np.inf, SERIAL), expected, rtol=1e-12
    )


def test_soft_neighbors_by_class_of_two_classes_are_pooled():
    D, y = random_problem(n_classes=2)
    by_class = soft_neighbors_by_class(D, Classes(y), 0.3, SERIAL)
    np.testing.assert_allclose(by_class, soft_neighbors(D, Classes(y), 0.3, SERIAL), rtol=1e-12)


def test_soft_neighbors_by_class_against_the_definition():
    D, y = random_problem(n_samples=20, n_classes=4, seed=1)
    Q = soft_neighbors_by_class(D, Classes(y), 0.2, SERIAL)
    for n in range(20):
        i = relief.others(n, 20)
        for c in np.unique(y):
            members = i[y[i] == c]
            share = -1 if c == y[n] else np.mean(y == c) / np.mean(y != y[n])
            expected = share * ref.soft_neighbors(D[n, members], 0.2)
            np.testing.assert_allclose(Q[n, members], expected, rtol=1e-8)


@pytest.mark.parametrize("sigma", [0.05, 1.0, np.inf])
def test_trust_against_the_definition(sigma):
    D, y = random_problem(n_samples=30)
    gamma = trust(D, soft_neighbors(D, Classes(y), sigma, SERIAL), sigma)
    for n in range(30):
        i = relief.others(n, 30)
        k = np.exp(-D[n, i] / sigma)
        np.testing.assert_allclose(gamma[n], k[y[i] == y[n]].sum() / k.sum(), rtol=1e-7)


def test_a_sample_alone_in_its_class_has_no_row_and_no_trust():
    y = np.array([0, 0, 1, 2])
    soft = soft_neighbors(LINE, Classes(y), 1.0, SERIAL)
    rules = [
        single_neighbors(LINE, Classes(y)),
        nearest_neighbors(LINE, Classes(y), 2, SERIAL),
        band_neighbors(LINE, Classes(y), -np.inf, np.inf, SERIAL),
        soft_neighbors_by_class(LINE, Classes(y), 1.0, SERIAL),
        soft,
    ]
    for Q in rules:
        assert not Q[2:].any()
        assert Q[:2].any(axis=1).all()
    np.testing.assert_array_equal(trust(LINE, soft, 1.0)[2:], 0)


def test_the_number_of_threads_changes_nothing():
    D, y = random_problem()
    threads = Workers(3)
    for rule in (
        lambda w: nearest_neighbors(D, Classes(y), 7, w),
        lambda w: band_neighbors(D, Classes(y), 0.2, dead_band(D)[0], w),
        lambda w: soft_neighbors_by_class(D, Classes(y), 0.1, w),
    ):
        np.testing.assert_array_equal(rule(threads), rule(SERIAL))
