import numpy as np
import pytest

from hitmiss.kernels.neighbors import (
    class_pair_probabilities,
    class_probabilities,
    insert_nearest,
    nearest_of_classes,
    nearest_pairs,
    pair_probabilities,
    pairs_within_band,
    share_probabilities,
    signed_probabilities,
    signed_row,
    within_band,
)
from tests import reference as ref

RNG = np.random.default_rng(0)
LABELS = np.array([0, 1, 0, 2, 1, 1, 0])
NEARER = 1 - 1e-12


def random_distances(scale=1.0):
    A = scale * np.random.default_rng(0).random((8, 8))
    A = A + A.T
    np.fill_diagonal(A, 0)
    return A[:7, :7]  # not contiguous, as `distances` of the features returns them


def twin(D, y, sigma):
    K, same = np.exp(-D / sigma), y[:, None] == y
    hit, miss = np.where(same & ~np.eye(len(y), dtype=bool), K, 0), np.where(same, 0, K)
    return miss / miss.sum(axis=1, keepdims=True) - hit / hit.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("sigma", [0.1, 2.0, 1e6])
def test_signed_probabilities(sigma):
    D, y, Q = random_distances(), np.array([0, 1, 0, 0, 1, 1, 0]), np.full((7, 7), np.nan)
    signed_probabilities(D, y, sigma, 0, 7, Q)
    np.testing.assert_allclose(Q, twin(D, y, sigma), rtol=1e-8)


def test_signed_probabilities_of_a_tile_leave_other_rows_alone():
    D, whole, tile = random_distances(), np.empty((7, 7)), np.full((7, 7), np.nan)
    signed_probabilities(D, LABELS, 0.5, 0, 7, whole)
    signed_probabilities(D, LABELS, 0.5, 2, 5, tile)
    np.testing.assert_array_equal(tile[2:5], whole[2:5])
    assert np.isnan(tile[[0, 1, 5, 6]]).all()


def test_a_row_without_a_hit_or_without_a_miss_is_zero():
    D, Q = random_distances(), np.full((7, 7), np.nan)
    signed_probabilities(D, LABELS, 0.5, 0, 7, Q)
    assert (Q == 0).all(axis=1).tolist() == [n == 3 for n in range(7)]  # alone in class 2
    signed_probabilities(D, np.zeros(7, int), 0.5, 0, 7, Q)
    assert not Q.any()


@pytest.mark.parametrize("sigma", [0.1, 2.0, 1e6])
def test_class_probabilities(sigma):
    D, prior, Q = random_distances(), np.array([0.5, 0.2, 0.3]), np.full((7, 7), np.nan)
    class_probabilities(D, LABELS, sigma, prior, 1, 7, Q)
    K, same = np.where(np.eye(7, dtype=bool), 0, np.exp(-D / sigma)), LABELS[:, None] == LABELS
    share = prior[LABELS] / (1 - prior[LABELS][:, None])
    K[3] = 0  # alone in class 2, so without a hit
    expected = np.where(same, -1, share) * K / np.fmax(K @ same, 1e-300)
    np.testing.assert_allclose(Q[1:], expected[1:], rtol=1e-8)
    assert np.isnan(Q[0]).all()  # row 0 was not asked for


@pytest.mark.parametrize("sigma", [1e-300, 1e-3])
def test_distances_far_beyond_the_kernel_width_leave_the_nearest(sigma):
    D, Q = random_distances(scale=1e6), np.empty((7, 7))
    signed_probabilities(D, LABELS, sigma, 0, 7, Q)
    same = LABELS[:, None] == LABELS
    others = np.delete(np.arange(7), 3)
    for sign, allowed in [(1, ~same), (-1, same & ~np.eye(7, dtype=bool))]:
        nearest = np.where(allowed, D, np.inf).argmin(axis=1)
        np.testing.assert_allclose(Q[others, nearest[others]], sign, rtol=1e-12)
    np.testing.assert_allclose(np.abs(Q[others]).sum(axis=1), 2, rtol=1e-12)


@pytest.mark.parametrize("sigma", [0.1, 1.0, np.inf])
def test_probabilities_against_the_reference(sigma):
    D = ref.distances(RNG.standard_normal((12, 4)), np.ones(4))
    y = np.arange(12) % 3
    P_hit, P_miss = ref.probabilities(D, y, sigma)
    for n in range(12):
        q = np.empty(12)
        gamma = signed_row(D[n], y, y[n], n, sigma, q)
        np.testing.assert_allclose(q, P_miss[n] - P_hit[n], rtol=1e-8, atol=1e-25)
        k = np.exp(-np.delete(D[n], n) / sigma)
        np.testing.assert_allclose(gamma, k[np.delete(y, n) == y[n]].sum() / k.sum(), rtol=1e-8)


def test_a_sample_from_outside_counts_every_neighbor():
    q = np.empty(3)
    gamma = signed_row(np.array([0.0, 1, 1]), np.array([0, 0, 1]), 0, -1, np.inf, q)
    np.testing.assert_allclose(q, [-0.5, -0.5, 1])
    np.testing.assert_allclose(gamma, 2 / 3)


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 1]])
def test_no_hit_or_no_miss_is_said(labels):
    assert signed_row(np.zeros(3), np.array(labels), 0, 0, 1.0, np.empty(3)) == -1


def test_far_neighbors_do_not_overflow():
    q = np.empty(3)
    gamma = signed_row(np.array([0, 1e300, 1e200]), np.array([0, 0, 1]), 0, 0, 1.0, q)
    assert gamma == pytest.approx(0, abs=1e-300)
    np.testing.assert_allclose(q, [0, -1, 1])


def test_insertion_keeps_the_nearest_in_order():
    near, index, found = np.empty(3), np.empty(3, int), 0
    for i, d in enumerate([5.0, 2, 7, 2, 1, 9]):
        found = insert_nearest(d, i, near, index, found, NEARER)
    assert found == 3
    assert near.tolist() == [1, 2, 2]
    assert index.tolist() == [4, 1, 3]  # of the equal ones the first comes first


def test_of_distances_that_are_equal_but_for_rounding_the_first_is_the_nearest():
    near, index, found = np.empty(2), np.empty(2, int), 0
    for i, d in enumerate([0.3, np.nextafter(0.3, 0), 0.1 + 0.2, np.nextafter(0.3, 0)]):
        found = insert_nearest(d, i, near, index, found, NEARER)
    assert index.tolist() == [0, 1]


def problem(seed, n_classes=3, n_samples=17):
    rng = np.random.default_rng(seed)
    D = rng.random((n_samples, n_samples))
    y = np.append(np.repeat(np.arange(n_classes), 2), rng.integers(0, n_classes, n_samples - 6))
    return D, y, np.bincount(y) / n_samples


@pytest.mark.parametrize("k", [1, 3, 20])
def test_nearest_of_classes_against_numpy(k):
    D, y, prior = problem(k)
    Q = np.full(D.shape, np.nan)
    nearest_of_classes(D, y, k, prior, NEARER, 0, len(y), Q)
    np.fill_diagonal(D, np.inf)
    for n in range(len(y)):
        for c in range(3):
            members = np.flatnonzero((y == c) & (np.arange(len(y)) != n))
            chosen = members[np.argsort(D[n, members])][:k]
            sign = -1 if c == y[n] else prior[c] / (1 - prior[y[n]])
            expected = np.where(np.isin(members, chosen), sign / len(chosen), 0)
            np.testing.assert_allclose(Q[n, members], expected, rtol=1e-15)
    assert not Q.diagonal().any()


def test_within_band_against_numpy():
    D, y, prior = problem(5)
    lower, upper = np.full(17, 0.2), np.linspace(0.1, 1.0, 17)
    Q = np.full(D.shape, np.nan)
    within_band(D, y, lower, upper, prior, 0, len(y), Q)
    inside = (D > 0.2) & (upper[:, None] > D) & ~np.eye(17, dtype=bool)
    np.testing.assert_array_equal(Q != 0, inside)
    same = y[:, None] == y
    hits, misses = (inside & same).sum(axis=1), (inside & ~same).sum(axis=1)
    np.testing.assert_allclose(np.where(same, Q, 0).sum(axis=1), -1.0 * (hits > 0), atol=1e-15)
    np.testing.assert_allclose(np.where(same, 0, Q).sum(axis=1), misses > 0, atol=1e-15)
    for n in np.flatnonzero(misses):
        share = {c: Q[n, inside[n] & (y == c)] for c in set(y[inside[n]]) - {y[n]}}
        total = sum(prior[c] for c in share)
        for c, weights in share.items():
            np.testing.assert_allclose(weights, prior[c] / total / len(weights), rtol=1e-15)


def test_only_the_rows_asked_for_are_filled():
    D, y, prior = problem(0)
    Q = np.full(D.shape, 7.0)
    nearest_of_classes(D, y, 2, prior, NEARER, 4, 9, Q)
    within_band(D, y, np.zeros(17), np.ones(17), prior, 9, 12, Q)
    assert (Q[:4] == 7).all()
    assert (Q[12:] == 7).all()
    assert (Q[4:12] != 7).all()


def pair_problem(seed, n=17, disjoint=False):
    """Distances, shares of hits and misses, classes of three."""
    rng = np.random.default_rng(seed)
    D, hit, miss = rng.random((3, n, n))
    hit[rng.random((n, n)) < 0.3] = 0
    miss[(rng.random((n, n)) < 0.3) | (disjoint & (hit > 0))] = 0
    hit[0] = miss[1] = 0  # one without a hit, one without a miss
    return D, hit, miss, rng.integers(0, 3, n)


def normalized(A):
    total = A.sum(axis=1, keepdims=True)
    return A / np.where(total > 0, total, 1)


@pytest.mark.parametrize("disjoint", [False, True])
@pytest.mark.parametrize("sigma", [0.004, 0.3, np.inf])  # the first has exponents far apart
def test_pair_probabilities_against_numpy(sigma, disjoint):
    D, hit, miss, _ = pair_problem(1, disjoint=disjoint)
    Q, trust = np.full(D.shape, np.nan), np.empty(len(D))
    pair_probabilities(D, hit, miss, sigma, 0.0, Q, trust)
    h, m = (share * np.exp(-D / sigma) for share in (hit, miss))
    has = (hit > 0).any(axis=1) & (miss > 0).any(axis=1)
    expected = np.where(has[:, None], normalized(m) - normalized(h), 0)
    np.testing.assert_allclose(Q, expected, rtol=1e-7, atol=1e-9)
    gamma = np.where(has, h.sum(1) / (h + m).sum(1), -1)
    np.testing.assert_allclose(trust, gamma, rtol=1e-7, atol=1e-9)
    assert not has[:2].any()


def test_far_misses_do_not_underflow():
    D, Q = np.array([[0.0, 1, 5000, 5001]]), np.empty((1, 4))
    hit, miss = np.array([[0, 1.0, 0, 0]]), np.array([[0, 0, 1.0, 1]])
    pair_probabilities(D, hit, miss, 1.0, 0.0, Q, np.empty(1))
    near = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(Q, [[0, -1, near, 1 - near]], rtol=1e-8)


def test_negligible_probabilities_are_left_out():
    D, hit, miss, _ = pair_problem(2)
    Q, few = np.empty((2, *D.shape))
    pair_probabilities(D, hit, miss, 0.3, 0.0, Q, np.empty(len(D)))
    pair_probabilities(D, hit, miss, 0.3, 0.05, few, np.empty(len(D)))
    np.testing.assert_array_equal(few, np.where(np.abs(Q) > 0.05, Q, 0))


def test_share_probabilities_against_numpy():
    D, hit, _, _ = pair_problem(3)
    P = np.full(D.shape, np.nan)
    share_probabilities(D, hit, 0.2, P)
    np.testing.assert_allclose(P, normalized(hit * np.exp(-D / 0.2)), rtol=1e-7)


def test_misses_of_each_class_have_its_part_of_all_misses():
    D, hit, miss, y = pair_problem(4)
    Q = np.full(D.shape, np.nan)
    class_pair_probabilities(D, hit, miss, y, 3, 0.3, Q)
    expected = -normalized(hit * np.exp(-D / 0.3))
    for c in range(3):
        part = (miss * (y == c)).sum(1, keepdims=True) / np.maximum(
            miss.sum(1, keepdims=True), 1e-9
        )
        expected += part * normalized(miss * (y == c) * np.exp(-D / 0.3))
    expected[:2] = 0
    np.testing.assert_allclose(Q, expected, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_nearest_pairs_against_numpy(k):
    D, hit, miss, y = pair_problem(5)
    Q = np.full(D.shape, np.nan)
    nearest_pairs(D, hit, miss, y, 3, k, NEARER, Q)
    assert not Q[:2].any()
    for n in range(2, len(D)):
        expected = np.zeros(len(D))
        kinds = [
            (hit[n], -1.0),
            *((miss[n] * (y == c), (miss[n] * (y == c)).sum() / miss[n].sum()) for c in range(3)),
        ]
        for share, weight in kinds:
            chosen = [i for i in np.argsort(D[n]) if share[i] > 0][:k]
            expected[chosen] += weight * share[chosen] / share[chosen].sum()
        np.testing.assert_allclose(Q[n], expected, rtol=1e-12, atol=1e-15)


def test_pairs_within_band_against_numpy():
    D, hit, miss, y = pair_problem(6)
    lower, upper = np.full(17, 0.2), np.linspace(0.1, 1.0, 17)
    Q = np.full(D.shape, np.nan)
    pairs_within_band(D, hit, miss, y, 3, lower, upper, Q)
    inside = (D > 0.2) & (upper[:, None] > D)
    expected = -normalized(hit * inside)
    there = np.stack([(miss * inside * (y == c)).sum(1) > 0 for c in range(3)], axis=1)
    part = normalized(there * np.stack([(miss * (y == c)).sum(1) for c in range(3)], axis=1))
    for c in range(3):
        expected += part[:, [c]] * normalized(miss * inside * (y == c))
    np.testing.assert_allclose(Q, expected, rtol=1e-12, atol=1e-15)
