import numpy as np
import pytest

from hitmiss.kernels.hard_neighbors import insert_nearest, nearest_of_classes, within_band

NEARER = 1 - 1e-12


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
