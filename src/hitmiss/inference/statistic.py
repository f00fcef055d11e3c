"""Statistics of features that tests compare between the labels and their permutations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hitmiss._util.any_estimator import feature_weights


class Statistic(NamedTuple):
    """A number for every feature, and one for the fit as a whole; the larger, the more is there."""

    values: NDArray
    whole: float

    @classmethod
    def of(cls, values: NDArray) -> Statistic:
        """The values of the features, with the largest of them for the whole."""
        return cls(values, float(values.max()))


class Refitted:
    """Any estimator with weights of features, fitted anew for each order of the labels."""

    refines = False

    def __init__(self, selector: Any, X: Any, y: ArrayLike, samples: Mapping[str, Any]):
        self.selector, self.X, self.y, self.samples = selector, X, np.asarray(y), samples

    def shared(self, orders: Iterable[NDArray]) -> None:
        """Nothing."""

    def statistics(self, orders: Iterable[NDArray], shared: None) -> Iterator[Statistic]:
        """The weights under ``y[order]`` for each of the orders."""
        for order in orders:
            fitted = clone(self.selector).fit(self.X, self.y[order], **self.samples)
            yield Statistic.of(feature_weights(fitted))


class Tested:
    """A selector and the data on which it is tested, opened once in every process.

    What is opened has ``shared(orders)``, what the statistics of all orders of the labels share,
    ``statistics(orders, shared)``, and if it `refines`, ``refined(orders, shared, known)``, the
    statistics if features that are known keep their labels.

    Parameters
    ----------
    selector : estimator
        A selector of this library, which has a method `opened`, or any estimator with `weights_`,
        `feature_importances_` or `coef_` after `fit`.
    X, y : array-like
        Samples and labels.
    samples : mapping
        What `fit` is given of every sample, which stays in place.
    opened : object, optional
        The data, if they have been opened already.
    """

    def __init__(
        self,
        selector: Any,
        X: Any,
        y: ArrayLike,
        samples: Mapping[str, Any] | None = None,
        opened: Any = None,
    ):
        self.selector, self.X, self.y, self.samples = selector, X, y, samples or {}
        self._opened = opened

    @property
    def opened(self) -> Any:
        """The data, opened."""
        if self._opened is None:
            if hasattr(self.selector, "opened"):
                self._opened = self.selector.opened(self.X, self.y, **self.samples)
            else:
                self._opened = Refitted(self.selector, self.X, self.y, self.samples)
        return self._opened

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was opened: another process opens its own."""
        return vars(self) | {"_opened": None}
