"""Samples with which the search for a fixed point begins, where these are too many for a matrix."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.random import random_subset
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.lofe import heuristics
from hitmiss.neighbors.pairs import RowTiles, balanced_references
from hitmiss.targets.target import Target


def fewer_samples(features: Features, target: Target, pairs: RowTiles) -> NDArray | None:
    """Samples from whose fixed point that of all is found in row tiles: ascending, or None.

    A share of the samples, with all that may be neighbors if these are only some; `some_samples`
    where a share would be few, or too many to be copied.

    Parameters
    ----------
    features : Features
        All features.
    target : Target
        What is to be explained.
    pairs : RowTiles
        Which samples may be neighbors.
    """
    few = heuristics.FEWER if pairs.references is None else heuristics.FEWER_OF_REFERENCES
    size, n_samples = len(target) // few, len(target)
    held = sizes.PER_COLUMN * n_samples * min(features.n_features, sizes.TILE_COLUMNS)
    small = size <= heuristics.TIMES_AS_MANY * heuristics.SOME_SAMPLES
    if small or features.room == 0 or 2 * size * features.n_features > held:
        return some_samples(target)
    rows = some_of_each_kind(target, size)
    if pairs.references is not None:
        rows = np.union1d(rows, pairs.references)
    return rows if 2 * len(rows) <= n_samples else some_samples(target)


def some_samples(target: Target) -> NDArray | None:
    """Samples with which a search begins if these are very many: ascending, always the same."""
    n_samples = len(target)
    if n_samples < heuristics.TIMES_AS_MANY * heuristics.SOME_SAMPLES:
        return None
    rows = some_of_each_kind(target, heuristics.SOME_SAMPLES)
    return rows if 2 * len(rows) <= n_samples else None  # there may be very many classes


def some_of_each_kind(target: Target, size: int) -> NDArray:
    """So many samples, and a few of each kind at least: ascending, always the same.

    Parameters
    ----------
    target : Target
        Of each kind as large a share is taken.
    size : int
        Number of samples.
    """
    rng = np.random.default_rng(0)
    rows = random_subset(len(target), size, rng, target.kinds)
    return np.union1d(rows, balanced_references(target, 2 * (int(target.kinds.max()) + 1)))


def least_memory(n_samples: int, n_features: int, itemsize: int) -> int:
    """Bytes that a fit in row tiles takes.

    It begins with weights for all features: of all samples, or of some if these are very many.

    Parameters
    ----------
    n_samples, n_features : int
        Shape of the data.
    itemsize : int
        Bytes of a number in the working precision.
    """
    some = heuristics.SOME_SAMPLES
    begins_with = some if n_samples >= heuristics.TIMES_AS_MANY * some else n_samples
    numbers = sizes.PER_VALUE * begins_with * n_features
    numbers += sizes.PER_COLUMN * n_samples * min(n_features, sizes.TILE_COLUMNS)
    return itemsize * numbers
