"""Samples with which the search for a fixed point begins and goes on, where these are thousands."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.neighbors.pairs import AllPairs, Pairs
from hitmiss.targets.classes import AnyTarget, Classes


def levels_of_fit(features: Features, target: AnyTarget, pairs: Pairs) -> list[NDArray]:
    """The `sample_levels` of one fit; none where they do not pay, or cannot be copied.

    Parameters
    ----------
    features : Features
        All features.
    target : Classes or PairTarget
        What is to be explained.
    pairs : Pairs
        How pairs of samples are looked at: tiles of rows are for very many samples.
    """
    if not (isinstance(pairs, AllPairs) and isinstance(features, InMemory)):
        return []
    n_bytes = features.dtype.itemsize * features.n_samples * features.n_features
    if not isinstance(target, Classes) or n_bytes > sizes.SINGLE_BYTES:
        return []
    few = features.n_samples**2 * features.n_features < heuristics.BEGIN_PAIRS
    if few or not alike_within_classes(target):  # of those drawn all weights may be 0
        return []
    return sample_levels(target)


def alike_within_classes(target: Classes) -> bool:
    """Whether all samples of a class have the same weight, which is not 0."""
    if target.weights is None:
        return True
    ones = [target.weights[target.codes == c] for c in range(len(target.counts))]
    return all(some.min() > 0 and some.max() == some.min() for some in ones)


def sample_levels(target: Classes) -> list[NDArray]:
    """Samples with which a search goes on and, last, begins: ascending, always the same.

    Parameters
    ----------
    target : Classes
        Of each class as large a share is taken, but not too few.

    Returns
    -------
    list of ndarray of int
        Each among those before; none if there are few samples.
    """
    rng, counts = np.random.default_rng(0), target.counts
    drawn = [rng.permutation(np.flatnonzero(target.codes == c)) for c in range(len(counts))]
    levels = []
    for size in sorted(heuristics.BEGIN_WITH, reverse=True):
        if 2 * size <= len(target):
            shares = np.ceil(size * counts / len(target)).astype(int)
            taken = np.minimum(np.maximum(shares, heuristics.LEAST_OF_CLASS), counts)
            rows = np.concatenate([of[:n] for of, n in zip(drawn, taken, strict=True)])
            if 2 * len(rows) <= len(target):
                levels.append(np.sort(rows))
    return levels
