import numpy as np
import pytest

from hitmiss.kernels.pair_neighbors import (
    class_pair_probabilities,
    nearest_pairs,
    pair_probabilities,
    pairs_within_band,
    share_probabilities,
)

NEARER = 1 - 1e-12


def problem(seed, n=17, disjoint=False):
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
    D, hit, miss, _ = problem(1, disjoint=disjoint)
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
    D, hit, miss, _ = problem(2)
    Q, few = np.empty((2, *D.shape))
    pair_probabilities(D, hit, miss, 0.3, 0.0, Q, np.empty(len(D)))
    pair_probabilities(D, hit, miss, 0.3, 0.05, few, np.empty(len(D)))
    np.testing.assert_array_equal(few, np.where(np.abs(Q) > 0.05, Q, 0))


def test_share_probabilities_against_numpy():
    D, hit, _, _ = problem(3)
    P = np.full(D.shape, np.nan)
    share_probabilities(D, hit, 0.2, P)
    np.testing.assert_allclose(P, normalized(hit * np.exp(-D / 0.2)), rtol=1e-7)


def test_misses_of_each_class_have_its_part_of_all_misses():
    D, hit, miss, y = problem(4)
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
    D, hit, miss, y = problem(5)
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
    D, hit, miss, y = problem(6)
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
