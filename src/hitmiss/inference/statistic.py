"""What a test compares between the labels and their permutations."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hitmiss._util.any_estimator import feature_weights


class Statistic(NamedTuple):
    """A number for every feature, and one for the fit as a whole; the larger, the more is there."""

    values: NDArray
    whole: float

    @classmethod
    def of(cls, values: NDArray) -> "Statistic":
        """The values of the features, with the largest of them for the whole."""
        return cls(values, float(values.max()))


class Relabeling(Protocol):
    """A selector that shares among many labels what does not depend on them."""

    def shared_by_labels(
        self, X: Any, y: ArrayLike, orders: Sequence[NDArray], **samples: Any
    ) -> Any:
        """What the statistics of all labels share, found with some permuted ones."""
        ...

    def label_statistics(
        self, X: Any, y: ArrayLike, orders: Sequence[NDArray], shared: Any, **samples: Any
    ) -> Iterator[Statistic]:
        """The statistic under ``y[order]`` for each of the orders."""
        ...


class Refitted:
    """Any estimator with weights of features, fitted anew for each of the labels.

    Parameters
    ----------
    selector : estimator
        With `weights_`, `feature_importances_` or `coef_` after `fit`.
    """

    def __init__(self, selector: Any):
        self.selector = selector

    def shared_by_labels(
        self, X: Any, y: ArrayLike, orders: Sequence[NDArray], **samples: Any
    ) -> None:
        """Nothing."""

    def label_statistics(
        self, X: Any, y: ArrayLike, orders: Sequence[NDArray], shared: None, **samples: Any
    ) -> Iterator[Statistic]:
        """The weights under ``y[order]`` for each of the orders.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels.
        orders : sequence of ndarray of shape (n_samples,)
            Orders of the labels.
        shared : None
            Nothing is shared.
        **samples : array-like
            What the fit takes of every sample, which stays in place.
        """
        labels = np.asarray(y)
        for order in orders:
            yield Statistic.of(
                feature_weights(clone(self.selector).fit(X, labels[order], **samples))
            )

    @classmethod
    def unless_relabeling(cls, selector: Any) -> "Relabeling | Self":
        """The selector itself if it shares what it can, else one that is fitted anew."""
        return selector if hasattr(selector, "label_statistics") else cls(selector)
