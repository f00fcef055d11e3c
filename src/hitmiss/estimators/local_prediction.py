"""Distances of new samples to the training samples, under the learned weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import thresholds
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.validation import source_of
from hitmiss.kernels.distances import cross_distances
from hitmiss.lofe.problem import Problem


class LocalPrediction:
    """Base of the mixins that predict by the nearest training samples, softly.

    An estimator calls `_remember` in its fit.
    """

    _support: NDArray
    _samples: NDArray
    _factor: NDArray
    _center: NDArray | None
    _sigma: float

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        support = np.flatnonzero(w)
        scaling = features.scaling.at(support)
        self._support, self._sigma = support, problem.sigma
        self._center = scaling.center
        self._factor = w[support] * (1.0 if scaling.factor is None else scaling.factor)
        self._samples = (few.X * w[support])[self._kept(problem)]

    def _kept(self, problem: Problem) -> NDArray:
        """The training samples that are kept: those that may be neighbors."""
        return problem.pairs.neighbors_of(len(problem.target))

    def _by_distances(self, X: ArrayLike, function: Callable[[NDArray], NDArray]) -> NDArray:
        """`function` of the weighted distances of new samples to the training samples.

        A few samples at a time, so that the matrix of distances stays small.
        """
        check_is_fitted(self)
        A = self._used(X).astype(float)
        if self._center is not None:
            A -= self._center
        A *= self._factor

        most = thresholds.PREDICTED_PAIRS // len(self._samples)
        size = max(1, min(thresholds.PREDICTED_TOGETHER, most))

        def chunk(start: int) -> NDArray:
            queries = A[start : start + size]
            D = np.empty((len(queries), len(self._samples)))
            cross_distances(queries, self._samples, D)
            return function(D)

        return np.concatenate([chunk(start) for start in range(0, len(A), size)])

    def _used(self: Any, X: ArrayLike) -> NDArray:
        """The features of new samples that have a weight."""
        source = source_of(self, X)
        if source is None:
            return validate_data(self, X, reset=False, dtype="numeric")[:, self._support]
        return read_features(self, source, self._support)
