import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    class_distances,
    expected_distance,
    soft_neighbors,
    soft_neighbors_by_class,
    trust,
)
from hitmiss.neighbors.soft import ROWS, LeftOutPairs
from hitmiss.neighbors.tiles import PairTiles
from hitmiss.targets.classes import Classes
from hitmiss.targets.numbers import Numbers
from tests import reference as ref
from tests import relief_reference as relief
from tests.neighbors.problems import ALONE, LABELS, LINE, SIGMA, random_problem, uniform_problem

SERIAL = Workers(1)


def reference_neighbors(D, y, sigma):
    P_hit, P_miss = ref.probabilities(D, y, sigma)
    return np.where(ref.has_hit(y)[:, None], P_miss - P_hit, 0)


def test_four_points_by_hand():
    Q = soft_neighbors(LINE, Classes(LABELS), SIGMA, SERIAL)
    near, far = 8 / 9, 1 / 9
    expected = [
        [0, -1, near, far],
        [-1, 0, near, far],
        [1 / 3, 2 / 3, 0, -1],
        [1 / 3, 2 / 3, -1, 0],
    ]
    np.testing.assert_allclose(Q, expected, atol=1e-15)


def test_misses_of_all_other_classes_are_pooled():
    Q = soft_neighbors(LINE, Classes(np.array([0, 0, 1, 2])), SIGMA, SERIAL)
    np.testing.assert_allclose(Q[0], [0, -1, 8 / 9, 1 / 9], atol=1e-15)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("n_samples", [6, ROWS, ROWS + 1, 2 * ROWS + 3])
def test_soft_neighbors_against_the_reference(n_samples, n_classes):
    D, y = random_problem(n_samples, n_classes)
    Q = soft_neighbors(D, Classes(y), 0.7, SERIAL)
    np.testing.assert_allclose(Q, reference_neighbors(D, y, 0.7), rtol=1e-8, atol=1e-20)


def test_a_wide_kernel_gives_uniform_probabilities():
    D, y = random_problem(20, 3)
    Q = soft_neighbors(D, Classes(y), 1e12, SERIAL)
    same = y[:, None] == y
    n_hits, n_misses = same.sum(axis=1, keepdims=True) - 1, (~same).sum(axis=1, keepdims=True)
    expected = np.where(same, -1 / n_hits, 1 / n_misses) * ~np.eye(20, dtype=bool)
    np.testing.assert_allclose(Q, expected, rtol=1e-9)


def test_a_narrow_kernel_gives_the_nearest():
    D, y = random_problem(20, 3)
    Q = soft_neighbors(D, Classes(y), 1e-9, SERIAL)
    expected, allowed = np.zeros((20, 20)), D + np.diag(np.full(20, np.inf))
    same = y[:, None] == y
    expected[np.arange(20), np.where(same, allowed, np.inf).argmin(axis=1)] = -1
    expected[np.arange(20), np.where(same, np.inf, allowed).argmin(axis=1)] = 1
    np.testing.assert_allclose(Q, expected, atol=1e-15)


@pytest.mark.parametrize("shift", [1e6, 1e12])
def test_huge_distances_do_not_underflow(shift):
    D, y = random_problem(20, 2)
    D = np.round(D * 64) / 64  # so that adding the shift loses nothing
    far = (D + shift) * ~np.eye(20, dtype=bool)
    Q = soft_neighbors(far, Classes(y), 1.0, SERIAL)
    np.testing.assert_array_equal(Q, soft_neighbors(D, Classes(y), 1.0, SERIAL))
    np.testing.assert_allclose(np.abs(Q).sum(axis=1), 2, rtol=1e-12)


def test_a_sample_alone_in_its_class_has_a_zero_row_but_is_a_miss():
    Q = soft_neighbors(LINE, Classes(np.array([0, 0, 0, 1])), SIGMA, SERIAL)
    assert not Q[3].any()
    np.testing.assert_allclose(Q[:3, 3], 1)


def test_no_bit_depends_on_the_number_of_threads():
    D, y = random_problem(3 * ROWS + 1, 3)
    one = soft_neighbors(D, Classes(y), 0.5, SERIAL)
    for n_jobs in (2, 4):
        workers = Workers(n_jobs)
        np.testing.assert_array_equal(soft_neighbors(D, Classes(y), 0.5, workers), one)


@given(
    st.integers(3, 25),
    st.integers(2, 4),
    st.floats(1e-3, 1e3),
    st.floats(1e-3, 1e6),
    st.integers(0, 99),
)
def test_rows_are_two_distributions(n_samples, n_classes, sigma, scale, seed):
    D, y = random_problem(n_samples, min(n_classes, n_samples - 1), seed)
    Q = soft_neighbors(scale * D, Classes(y), sigma, SERIAL)
    same, counted = y[:, None] == y, ref.has_hit(y)
    np.testing.assert_allclose(np.where(same, Q, 0).sum(axis=1), -1.0 * counted, atol=1e-12)
    np.testing.assert_allclose(np.where(same, 0, Q).sum(axis=1), 1.0 * counted, atol=1e-12)
    assert not Q.diagonal().any()
    assert np.all(np.where(same, -Q, Q) >= 0)


@given(st.integers(4, 20), st.floats(0.01, 100), st.integers(0, 99), st.sampled_from([0.5, 4, 256]))
def test_only_the_ratio_of_distance_and_width_counts(n_samples, sigma, seed, factor):
    D, y = random_problem(n_samples, 2, seed)
    Q = soft_neighbors(D, Classes(y), sigma, SERIAL)
    np.testing.assert_array_equal(soft_neighbors(factor * D, Classes(y), factor * sigma, SERIAL), Q)
    order = np.random.default_rng(seed).permutation(n_samples)
    moved = soft_neighbors(D[np.ix_(order, order)], Classes(1 - y[order]), sigma, SERIAL)
    np.testing.assert_allclose(moved, Q[np.ix_(order, order)], atol=1e-14)


def test_soft_neighbors_by_class_of_two_classes_are_pooled():
    D, y = uniform_problem(n_classes=2)
    by_class = soft_neighbors_by_class(D, Classes(y), 0.3, SERIAL)
    np.testing.assert_allclose(by_class, soft_neighbors(D, Classes(y), 0.3, SERIAL), rtol=1e-12)


def test_soft_neighbors_by_class_against_the_definition():
    D, y = uniform_problem(n_samples=20, n_classes=4, seed=1)
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
    D, y = uniform_problem(n_samples=30)
    gamma = trust(D, soft_neighbors(D, Classes(y), sigma, SERIAL), sigma)
    for n in range(30):
        i = relief.others(n, 30)
        k = np.exp(-D[n, i] / sigma)
        np.testing.assert_allclose(gamma[n], k[y[i] == y[n]].sum() / k.sum(), rtol=1e-7)


def test_a_sample_alone_in_its_class_has_no_row_by_class_and_no_trust():
    target = Classes(ALONE)
    Q = soft_neighbors_by_class(LINE, target, 1.0, SERIAL)
    assert not Q[2:].any()
    assert Q[:2].any(axis=1).all()
    gamma = trust(LINE, soft_neighbors(LINE, target, 1.0, SERIAL), 1.0)
    np.testing.assert_array_equal(gamma[2:], 0)


def test_by_class_no_bit_depends_on_the_number_of_threads():
    D, y = uniform_problem()
    one, three = (soft_neighbors_by_class(D, Classes(y), 0.1, n) for n in (SERIAL, Workers(3)))
    np.testing.assert_array_equal(three, one)


def test_class_distances_by_hand():
    E = class_distances(LINE, LABELS, SIGMA, leave_out=True)
    np.testing.assert_allclose(E, [[1, 10 / 3], [1, 7 / 3], [7 / 3, 3], [16 / 3, 3]])
    np.testing.assert_allclose(class_distances(LINE[:1], LABELS, SIGMA), [[1 / 3, 10 / 3]])


@pytest.mark.parametrize("leave_out", [True, False])
@pytest.mark.parametrize("sigma", [0.05, 1.0, 20.0])
def test_class_distances_against_the_reference(sigma, leave_out):
    rng = np.random.default_rng(0)
    X, y, w = rng.standard_normal((30, 4)), np.append(rng.integers(0, 3, 29), 3), rng.random(4)
    queries = X if leave_out else rng.standard_normal((7, 4))
    D = np.abs(queries[:, None] - X) @ w
    expected = ref.class_distances(X, y, queries, w, sigma, leave_out=leave_out)
    np.testing.assert_allclose(
        class_distances(D, y, sigma, leave_out=leave_out), expected, rtol=1e-12
    )
    assert np.isinf(expected).any() == leave_out  # class 3 has a single sample


def test_class_distances_far_beyond_the_kernel_width():
    D = np.array([[1e6, 1e6 + 1, 2e6]])
    np.testing.assert_allclose(class_distances(D, np.array([0, 0, 1]), 1e-3), [[1e6, 2e6]])
    assert np.isinf(expected_distance(D, np.zeros(3, bool), 1.0)).all()


def test_left_out_class_distances_differ_by_the_margin():
    D, y = random_problem(40, 2)
    margin = (soft_neighbors(D, Classes(y), 0.7, SERIAL) * D).sum(axis=1)
    E = class_distances(D, y, 0.7, leave_out=True)
    np.testing.assert_allclose(E[np.arange(40), 1 - y] - E[np.arange(40), y], margin, rtol=1e-7)


@pytest.mark.parametrize("neighbors", [np.arange(12), np.arange(0, 12, 2)])
def test_both_of_a_pair_are_left_out(neighbors):
    """Two samples lie so close together that each has nearly all of the other's kernel."""
    rng = np.random.default_rng(0)
    A, values, every = rng.uniform(0, 30, size=(12, 3)), rng.uniform(size=12), np.arange(12)
    A[2] = A[0] + 1e-3
    tiles = PairTiles(A, Numbers(values, 1.0), every, 0.5)
    own, other = LeftOutPairs(tiles, values, neighbors).of(np.array([0, 5]))
    D = np.abs(A[:, None] - A).sum(axis=2)
    for row, n in enumerate((0, 5)):
        for i in np.delete(every, n):
            left = np.setdiff1d(neighbors, [n, i])
            for found, k in ((own, n), (other, i)):
                kernel = np.exp(-(D[k, left] - D[k, left].min()) / 0.5)
                assert found[row, i] == pytest.approx(kernel @ values[left] / kernel.sum())
