"""FisherScore and KolmogorovSmirnov."""

import numpy as np
import pytest
from scipy.stats import ks_2samp
from sklearn.feature_selection import f_classif

from hitmiss import FisherScore, KolmogorovSmirnov, datasets
from tests import relief_reference as relief


def test_fisher_by_hand():
    # Means 1 and 5 around 3, deviations 1 and 1: (2 * 4 + 2 * 4) / (2 * 1 + 2 * 1).
    X = np.array([[0.0, 1], [2, 5], [4, 1], [6, 5]])
    np.testing.assert_allclose(FisherScore().fit(X, [0, 0, 1, 1]).weights_, [4, 0])


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2, 3)])
def test_fisher_is_the_f_statistic_without_its_degrees_of_freedom(sizes):
    X, y = relief.gaussian_classes(48, sizes=sizes, n_features=2500)
    C = len(sizes)
    expected = f_classif(X, y)[0] * (C - 1) / (48 - C)
    np.testing.assert_allclose(FisherScore().fit(X, y).weights_, expected, rtol=1e-8)


def test_fisher_of_constant_and_of_separating_features_is_finite():
    X = np.column_stack([np.ones(6), [0, 0, 0, 1, 1, 1], np.arange(6)])
    found = FisherScore().fit(X, [0, 0, 0, 1, 1, 1])
    assert np.isfinite(found.weights_).all()
    assert found.weights_[0] == 0
    np.testing.assert_array_equal(found.ranking_, [1, 2, 0])


def test_ks_by_hand():
    # Class 0 at 0, 1, 1, class 1 at 1, 2, 3: after 1 the functions are 1 and 1/3.
    X = np.array([[0.0], [1], [1], [1], [2], [3]])
    np.testing.assert_allclose(KolmogorovSmirnov().fit(X, [0, 0, 0, 1, 1, 1]).weights_, [2 / 3])


@pytest.mark.parametrize("values", [3, 1000])
def test_ks_against_scipy(values):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, values, (50, 30)).astype(float), rng.integers(0, 2, 50)
    expected = [ks_2samp(x[y == 0], x[y == 1]).statistic for x in X.T]
    np.testing.assert_allclose(KolmogorovSmirnov().fit(X, y).weights_, expected, rtol=1e-12)


def test_ks_of_more_classes_is_the_largest_of_one_against_the_rest():
    X, y = relief.gaussian_classes(40, sizes=(1, 2, 2))
    expected = np.max(
        [[ks_2samp(x[y == c], x[y != c]).statistic for x in X.T] for c in range(3)], axis=0
    )
    np.testing.assert_allclose(KolmogorovSmirnov().fit(X, y).weights_, expected, rtol=1e-12)


def test_ks_looks_at_ranks_only():
    X, y = relief.gaussian_classes(60)
    found = KolmogorovSmirnov().fit(X, y).weights_
    for monotone in (np.exp(20 * X), X * 1e-300, X.astype(np.float32), 1 + 1e-12 * X):
        np.testing.assert_array_equal(KolmogorovSmirnov().fit(monotone, y).weights_, found)


@pytest.mark.parametrize("method", [FisherScore, KolmogorovSmirnov])
def test_interactions_go_unseen(method):
    xor = datasets.make_xor(400, n_irrelevant=100, random_state=0)
    assert set(method().fit(xor.data, xor.target).ranking_[:2]) != {0, 1}
