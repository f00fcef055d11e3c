"""Sizes that decide how pairs of samples are cut: one table, each with its reason.

None but the last changes a result by more than the rounding of sums.
"""

import numpy as np
from numpy.typing import DTypeLike

TILE = 64  # rows of Q that one thread fills at a time: convention
ROWS = 256  # samples whose distances from the classes one thread finds at a time: convention
LEAF = 512  # references in a leaf: its distances to a tile fill the cache, and leaves are few
BOXED_FEATURES = 16  # with a weight, up to which boxes show what is far away; beyond, all overlap
# Features up to which Newton's method, with second moments over all pairs, is always tried: its
# work grows with their square, and with row tiles every step computes the neighbors again.
ALL_PAIRS_MOMENTS = 32
ROW_TILES_MOMENTS = 8

# Relative difference between two distances, or a distance and a limit, in units of the rounding
# error of the data, up to which they are equal but for rounding: in single precision distances
# differ from exact ones by 3 units at most (20 to 300 samples of 5 to 50,000 features, in any
# order).
AT_THE_LIMIT = 16


def rounding(dtype: DTypeLike) -> float:
    """Relative difference up to which distances of data of this type are equal."""
    return AT_THE_LIMIT * float(np.finfo(dtype).eps)
