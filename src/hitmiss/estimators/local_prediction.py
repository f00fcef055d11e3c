"""Distances of new samples to the training samples, under the learned weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss._util.alignment import without_named
from hitmiss.data.categories import as_known_numbers
from hitmiss.data.extremes import mean_differences
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.nominal import share_unlike
from hitmiss.estimators import thresholds
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.validation import source_of
from hitmiss.kernels.difference import NUMBERS
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
    _gap: NDArray | None = None
    _cap: NDArray | None = None

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        support = np.flatnonzero(w)
        scaling = features.scaling.at(support)
        self._support, self._sigma = support, problem.sigma
        self._center = scaling.center
        self._factor = w[support] * (1.0 if scaling.factor is None else scaling.factor)
        self._samples = (few.X * w[support])[self._kept(problem)]
        self._gap, self._cap = self._differences(few, w[support])

    def _kept(self, problem: Problem) -> NDArray:
        """The training samples that are kept: those that may be neighbors."""
        return problem.pairs.neighbors_of(len(problem.target))

    def _differences(self: Any, few: InMemory, w: NDArray) -> tuple[NDArray | None, NDArray | None]:
        """How far missing values, and levels of nominal features, are from others, times w.

        None for what predictions do not take. Of features that are complete the mean difference
        is found here: new samples may miss a value all the same.
        """
        gap, cap, known = None, None, few.scaling.gap
        found = self._nominal()
        nominal = np.isin(self._support, () if found is None else found)
        if self.missing != "error":
            gap = mean_differences(few.X)
            gap[nominal] = [share_unlike(few.X[:, k]) for k in np.flatnonzero(nominal)]
            gap = w * (gap if known is None else np.where(np.isnan(known), gap, known))
        if nominal.any():
            cap = np.where(nominal, w, np.inf)
        return gap, cap

    def _by_distances(self, X: ArrayLike, function: Callable[[NDArray], NDArray]) -> NDArray:
        """`function` of the weighted distances of new samples to the training samples.

        A few samples at a time, so that the matrix of distances stays small.
        """
        check_is_fitted(self)
        A = self._used(X).astype(float)
        if self._center is not None:
            A -= self._center
        A *= self._factor

        gap = np.full(len(self._support), np.nan) if self._gap is None else self._gap
        holes = bool(np.isnan(A).any() or np.isnan(self._samples).any())
        rule = (gap, self._cap) if holes or self._cap is not None else NUMBERS
        most = thresholds.PREDICTED_PAIRS // len(self._samples)
        size = max(1, min(thresholds.PREDICTED_TOGETHER, most))

        def chunk(start: int) -> NDArray:
            queries = A[start : start + size]
            D = np.empty((len(queries), len(self._samples)))
            cross_distances(queries, self._samples, *rule, D)
            return function(D)

        return np.concatenate([chunk(start) for start in range(0, len(A), size)])

    def _used(self: Any, X: ArrayLike) -> NDArray:
        """The features of new samples that have a weight."""
        X = without_named(self, X)
        source = source_of(self, X)
        if source is not None:
            return read_features(self, source, self._support)
        finite = "allow-nan" if self.missing != "error" else True
        given = as_known_numbers(X, getattr(self, "categories_", {}))
        found = validate_data(self, given, reset=False, dtype="numeric", ensure_all_finite=finite)
        return found[:, self._support]
