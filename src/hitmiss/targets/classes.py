"""A target of classes: samples of one class are alike, samples of different classes are not."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets

from hitmiss._util.errors import warn
from hitmiss.kernels.neighbors import (
    class_probabilities,
    nearest_of_classes,
    signed_probabilities,
    within_band,
)
from hitmiss.targets.target import Shares, Target, at, weight_bytes

# Whole numbers are taken for measurements if there are more different ones than this, and more than
# a third of the samples: digits are ten classes, and a class of two samples tells little.
MOST_CLASSES = 10
MOST_NAMED = 5  # classes of a single sample that a warning names


class Classes(Target):
    """The class of every sample.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Classes as integers from 0.
    labels : ndarray of shape (n_classes,), optional
        Names of the classes, in the order of the codes; by default the codes.
    sample_weight : ndarray of shape (n_samples,), optional
        Weights of the samples in a loss or an average.
    class_weight : ndarray of shape (n_classes,), optional
        Factors of these weights, by class.

    Examples
    --------
    >>> target = Classes(np.array([0, 1, 0, 2]))
    >>> target.has_hit
    array([ True, False,  True, False])
    """

    overlaps = False

    def __init__(
        self,
        codes: NDArray,
        labels: NDArray | None = None,
        *,
        sample_weight: NDArray | None = None,
        class_weight: NDArray | None = None,
    ):
        self.codes: NDArray = codes
        self.labels = np.arange(codes.max() + 1) if labels is None else labels
        self.sample_weight, self.class_weight = sample_weight, class_weight

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
        """Whether each sample has a margin: one alone in its class has no hit."""
        return self.counts[self.codes] > 1

    @cached_property
    def weights(self) -> NDArray | None:  # type: ignore[override]
        """Weights of the samples in a loss or an average; None if all are 1."""
        if self.class_weight is None:
            return self.sample_weight
        of_class = self.class_weight[self.codes]
        return of_class if self.sample_weight is None else of_class * self.sample_weight

    @property
    def given_weights(self) -> NDArray | None:
        """Weights of the samples as given, without those of classes."""
        return self.sample_weight

    @property
    def kinds(self) -> NDArray:
        """The classes: of a part of the samples, each should have its share."""
        return self.codes

    @property
    def classes(self) -> "Classes":
        """The classes themselves, as every target of classes has them."""
        return self

    @property
    def answers(self) -> NDArray:
        """The label of every sample, as `fit` takes it."""
        return self.labels[self.codes]

    @property
    def miss_classes(self) -> NDArray:
        """The classes: a rule that takes misses of each class apart takes these apart."""
        return self.codes

    def of(self, rows: NDArray) -> "Classes":
        """The classes of some samples."""
        return self._with(self.codes[rows], at(self.sample_weight, rows))

    def relabeled(self, order: NDArray) -> "Classes":
        """The classes in another order; weights of samples stay in place."""
        return self._with(self.codes[order], self.sample_weight)

    def weighted(
        self, sample_weight: NDArray | None, class_weight: NDArray | None = None
    ) -> "Classes":
        """The same classes with weights of the samples, and by class."""
        return Classes(
            self.codes, self.labels, sample_weight=sample_weight, class_weight=class_weight
        )

    def digest(self) -> bytes:
        """Bytes that differ for other classes or weights."""
        return np.asarray(self.codes, np.int64).tobytes() + weight_bytes(self.weights)

    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """1 within a class, 0 between classes."""
        return (self.codes[rows][:, None] == self.codes[cols]).astype(float)

    def is_neighbor(self, rows: slice) -> Shares:
        """Whether samples are hits, and whether they are misses, of some, side by side."""
        same = self.codes[rows][:, None] == self.codes
        miss = ~same
        np.fill_diagonal(same[:, rows], False)
        return Shares(same, miss)

    def compared_pairs(self) -> None:
        """Everything may be compared."""

    def fill_soft(self, D: NDArray, sigma: float, rows: slice, Q: NDArray) -> None:
        """Rows of `soft_neighbors`."""
        signed_probabilities(D, self.codes, sigma, rows.start, rows.stop, Q)

    def fill_soft_by_class(self, D: NDArray, sigma: float, rows: slice, Q: NDArray) -> None:
        """Rows of `soft_neighbors_by_class`."""
        class_probabilities(D, self.codes, sigma, self.prior, rows.start, rows.stop, Q)

    def fill_nearest(self, D: NDArray, k: int, nearer: float, rows: slice, Q: NDArray) -> None:
        """Rows of `nearest_neighbors`."""
        nearest_of_classes(D, self.codes, k, self.prior, nearer, rows.start, rows.stop, Q)

    def fill_band(self, D: NDArray, low: NDArray, high: NDArray, rows: slice, Q: NDArray) -> None:
        """Rows of `band_neighbors`."""
        within_band(D, self.codes, low, high, self.prior, rows.start, rows.stop, Q)

    def _with(self, codes: NDArray, sample_weight: NDArray | None) -> "Classes":
        return Classes(
            codes, self.labels, sample_weight=sample_weight, class_weight=self.class_weight
        )


AnyTarget = Target  # the name that it has in rooms above this one


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
        warn(
            f"{_alone(labels[counts == 1].tolist())}, which has no hit and is left out of the loss."
        )
    return Classes(codes, labels)


def _alone(labels: list[Any]) -> str:
    """That these classes have a single sample, in words; of many only how many, and some."""
    names = [repr(label) for label in labels]
    if len(names) == 1:
        return f"Class {names[0]} has a single sample"
    if len(names) > MOST_NAMED:
        some = ", ".join(names[:MOST_NAMED])
        return f"{len(names):,} classes ({some}, ...) have a single sample each"
    return f"Classes {', '.join(names[:-1])} and {names[-1]} have a single sample each"
