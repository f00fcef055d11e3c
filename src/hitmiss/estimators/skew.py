"""Skewed features, which dividing by the range squeezes together."""

import numpy as np

from hitmiss.data.features import Features
from hitmiss.estimators import thresholds


def skewed_features(features: Features) -> tuple[int, int]:
    """Number of skewed features, and of those looked at: all, or some evenly spread.

    A feature is skewed, or has outliers, if the middle half of its values lies within a tenth of
    its range. One most of whose values are equal is taken as counts or marks, not as skewed.

    Parameters
    ----------
    features : Features
        Each feature divided by its range.

    Returns
    -------
    n_skewed, n_looked_at : int
    """
    n = min(features.n_features, max(1, thresholds.SKEW_VALUES // features.n_samples))
    index = np.linspace(0, features.n_features - 1, n).astype(int)
    X = features.columns(index).X
    holes = np.isnan(X).any(axis=0)
    low, high = np.quantile(X[:, ~holes], [0.25, 0.75], axis=0)  # those without a gap will do
    return int(np.count_nonzero((low < high) & (high - low < thresholds.SKEWED))), n
