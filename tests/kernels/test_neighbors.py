import numpy as np
import pytest

from hitmiss.kernels.neighbors import (
    class_probabilities,
    exp_negative,
    signed_probabilities,
    signed_row,
)
from tests import reference as ref

RNG = np.random.default_rng(0)
LABELS = np.array([0, 1, 0, 2, 1, 1, 0])


def random_distances(scale=1.0):
    A = scale * np.random.default_rng(0).random((8, 8))
    A = A + A.T
    np.fill_diagonal(A, 0)
    return A[:7, :7]  # not contiguous, as `distances` of the features returns them


def twin(D, y, sigma):
    K, same = np.exp(-D / sigma), y[:, None] == y
    hit, miss = np.where(same & ~np.eye(len(y), dtype=bool), K, 0), np.where(same, 0, K)
    return miss / miss.sum(axis=1, keepdims=True) - hit / hit.sum(axis=1, keepdims=True)


def test_exp_negative():
    x = -np.linspace(0, 60, 2001)
    values = np.array([exp_negative(t) for t in x])
    np.testing.assert_allclose(values, np.exp(x), rtol=1e-9)
    assert values[0] == 1
    assert np.all(np.diff(values) < 0)
    assert exp_negative(-61.0) == exp_negative(-np.inf) == values[-1]


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
