"""Features whose range a few values make, which dividing by the range squeezes together."""

import numpy as np

from hitmiss.data.in_memory import Blocks

NARROW = 0.1  # share of the range; below it lies the middle half of a skewed feature, not a normal
LOOKED_AT = 2_000_000  # values at most


def skewed_features(blocks: Blocks) -> tuple[int, int]:
    """Number of skewed features, and of those looked at: all, or some evenly spread.

    A feature is skewed, or has outliers, if the middle half of its values lies within a tenth of
    its range. One most of whose values are equal is taken as counts or marks, not as skewed.

    Parameters
    ----------
    blocks : Blocks
        Each feature divided by its range.

    Returns
    -------
    n_skewed, n_looked_at : int
    """
    n = min(blocks.n_features, max(1, LOOKED_AT // blocks.n_samples))
    index = np.linspace(0, blocks.n_features - 1, n).astype(int)
    low, high = np.quantile(blocks.columns(index).X, [0.25, 0.75], axis=0)
    return int(np.count_nonzero((low < high) & (high - low < NARROW))), n
