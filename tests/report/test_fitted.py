import numpy as np
from scipy.stats import spearmanr

from hitmiss.report.fitted import rank_correlations


def test_rank_correlations_are_those_of_scipy():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)).round(1), rng.normal(size=30).round(1)
    found = rank_correlations(X, y, np.array([3, 1]))
    expected = [spearmanr(X[:, j], y).statistic for j in (3, 1)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_only_what_is_observed_and_varies_has_a_correlation():
    nan = np.nan
    X = np.array([[1.0, 5.0, nan, nan], [2.0, 5.0, 9.0, nan], [9.0, 5.0, 8.0, nan]])
    found = rank_correlations(X, np.array([10.0, 20.0, 30.0]), np.arange(4))
    np.testing.assert_array_equal(found, [1, nan, -1, nan])
