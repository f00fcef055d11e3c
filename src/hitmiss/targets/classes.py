"""A target of classes: samples of one class are alike, samples of different classes are not."""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets

from hitmiss._util.warnings import warn

# Whole numbers are taken for measurements if there are more different ones than this, and more than
# a third of the samples: digits are ten classes, and a class of two samples tells little.
MOST_CLASSES = 10


class Classes:
    """The class of every sample.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Classes as integers from 0.
    labels : ndarray of shape (n_classes,), optional
        Names of the classes, in the order of the codes; by default the codes.

    Examples
    --------
    >>> target = Classes(np.array([0, 1, 0, 2]))
    >>> target.has_hit
    array([ True, False,  True, False])
    """

    def __init__(self, codes: NDArray, labels: NDArray | None = None):
        self.codes = codes
        self.labels = np.arange(codes.max() + 1) if labels is None else labels

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def counts(self) -> NDArray:
        """Number of samples of each class."""
        return np.bincount(self.codes)

    @cached_property
    def prior(self) -> NDArray:
        """Share of the samples that each class has."""
        return self.counts / len(self.codes)

    @cached_property
    def has_hit(self) -> NDArray:
        """Whether each sample has a hit: one alone in its class has no margin."""
        return self.counts[self.codes] > 1

    @cached_property
    def n_with_hit(self) -> int:
        """Number of samples that have a hit."""
        return int(np.sum(self.has_hit))

    def of(self, rows: NDArray) -> "Classes":
        """The classes of some samples."""
        return Classes(self.codes[rows], self.labels)


def encode_labels(y: ArrayLike) -> Classes:
    """The classes that labels of any type stand for.

    At least two classes are needed and at least one of them with two samples; a class with a
    single sample is allowed with a warning, since that sample has no hit.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.

    Returns
    -------
    Classes
        With the labels in ascending order.

    Examples
    --------
    >>> target = encode_labels(["well", "ill", "ill", "well"])
    >>> target.labels.tolist(), target.codes.tolist()
    (['ill', 'well'], [1, 0, 0, 1])
    """
    y = np.asarray(y)
    if y.dtype.kind not in "biuUS":  # floats and objects may be measurements
        check_classification_targets(y)
    labels, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(labels) < 2:
        raise ValueError(
            f"y holds 1 class only ({labels.tolist()[0]!r}); "
            "hits and misses need at least 2 classes."
        )
    if counts.max() < 2:
        raise ValueError(
            "No class has two samples, so no sample has a hit; "
            "y should hold classes, and it looks like names or measurements."
        )
    if y.dtype.kind in "iu" and len(labels) > max(MOST_CLASSES, len(y) / 3):
        warn(
            f"y holds {len(labels):,} different whole numbers for {len(y):,} samples, and each is "
            "taken for a class; if they are measurements, group them first, such as by median."
        )
    elif counts.min() < 2:
        *others, last = map(repr, labels[counts == 1].tolist())
        few = f"Class {last} has a single sample"
        if others:
            few = f"Classes {', '.join(others)} and {last} have a single sample each"
        warn(f"{few}, which has no hit and is left out of the loss.")
    return Classes(codes, labels)
