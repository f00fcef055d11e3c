import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import Rows, ScaledRows
from hitmiss.neighbors import soft_neighbors, trust
from hitmiss.online import sample_margin
from hitmiss.online.sample_margin import half_margin, scaled_margin
from hitmiss.targets.classes import Classes
from tests import reference as ref

SERIAL, SIGMA = Workers(1), 0.4
X = np.random.default_rng(0).standard_normal((20, 6))
Y = np.arange(20) % 3
W = np.array([0.5, 0, 1, 0, 0.1, 2])


@pytest.fixture(scope="module")
def all_pairs():
    """Margin vectors of all samples, and the probabilities of being no outlier."""
    D = ref.distances(X, W)
    Q = soft_neighbors(D, Classes(Y), SIGMA, SERIAL)
    return np.einsum("ni,nij->nj", Q, np.abs(X[:, None] - X)), trust(D, Q, SIGMA)


@pytest.mark.parametrize("n", [0, 7, 19])
def test_a_sample_among_its_neighbors_has_the_margin_of_all_pairs(all_pairs, n):
    half, gamma = half_margin(Rows(X, SERIAL), Y, (X[n], Y[n], n), W, SIGMA)
    np.testing.assert_allclose(2 * half, all_pairs[0][n], atol=1e-7)
    assert gamma == pytest.approx(all_pairs[1][n], rel=1e-7)


@pytest.mark.parametrize("n", [0, 7, 19])
def test_a_sample_that_is_not_remembered_has_the_margin_of_all_pairs(all_pairs, n):
    others = np.arange(20) != n
    half, _ = half_margin(Rows(X[others], SERIAL), Y[others], (X[n], Y[n], -1), W, SIGMA)
    np.testing.assert_allclose(2 * half, all_pairs[0][n], atol=1e-7)


@pytest.mark.parametrize("own", [True, False])
def test_in_scaled_features_the_weights_are_divided_by_the_factor(all_pairs, own):
    n, factor = 7, np.array([2.0, 1, 0.5, 4, 1, 0.25])
    rows = ScaledRows(X, factor, SERIAL)
    labels = Y if own else np.where(np.arange(20) == n, 0, Y)
    assert labels[n] == (1 if own else 0)
    sample = (X[n], Y[n], n if own else -1)
    z = scaled_margin(rows, labels, sample, W / factor, SIGMA)
    if own:
        np.testing.assert_allclose(z / factor, all_pairs[0][n], atol=1e-5)
    else:  # a copy of another class, at distance zero, is the nearest miss
        half, _ = half_margin(Rows(X, SERIAL), labels, sample, W, SIGMA)
        np.testing.assert_allclose(z / factor, 2 * half, atol=1e-5)


@pytest.mark.parametrize("labels", [np.zeros(20, int), np.ones(20, int)])
def test_without_a_hit_or_a_miss_there_is_no_margin(labels):
    sample, ones = (X[0], 0, -1), np.ones(6)
    assert half_margin(Rows(X, SERIAL), labels, sample, W, SIGMA) is None
    assert scaled_margin(ScaledRows(X, ones, SERIAL), labels, sample, W, SIGMA) is None


def test_negligible_neighbors_are_left_out(monkeypatch):
    # Hits at 1 and 3 with k(d) = exp(-d): probabilities 0.88 and 0.12.
    line, labels = np.array([[1.0], [3.0], [5.0]]), np.array([0, 0, 1])
    monkeypatch.setattr(sample_margin, "NEGLIGIBLE_NEIGHBOR", 0.2)
    half, _ = half_margin(Rows(line, SERIAL), labels, (np.zeros(1), 0, -1), np.ones(1), 1.0)
    share = 1 / (1 + np.exp(-2))
    np.testing.assert_allclose(2 * half, [5 - share], rtol=1e-7)
