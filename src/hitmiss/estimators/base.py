"""The template of every selector: validate, open the data, weigh, rank, select."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss._util.blas import one_blas_thread
from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.progress import Progress
from hitmiss._util.warnings import warn
from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.memory_limit import as_bytes
from hitmiss.data.sources import Source
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.validation import (
    all_or_nothing,
    check_kind,
    scaled_features,
    source_of,
    stand_in,
)
from hitmiss.targets.classes import Classes, encode_labels


class BaseSelector(SelectorMixin, BaseEstimator):
    """Base of all selectors; a subclass implements `_weigh` and may override `_scores`.

    Weights may be negative: they rank, and are never selected by `threshold`.
    """

    _target_of = staticmethod(encode_labels)  # what becomes of y
    _out_of_core = False  # whether data may stay on disk, under the limit `memory`

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.

        Returns
        -------
        self : object
            The fitted selector.
        """
        with all_or_nothing(self), one_blas_thread():
            data, target = self._validated(X, y)
            workers = self._workers()
            self.weights_ = self._weigh(self._features(data, workers), target)
            return self._ranked()

    def transform(self, X: ArrayLike) -> Any:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Of data that are not in memory only the selected features are read.

        Returns
        -------
        X_r : ndarray, sparse matrix or data frame of shape (n_samples, n_selected_features)
            The samples with only the selected features; sparse if X is a sparse matrix.
        """
        source = None if issparse(X) else source_of(self, X)
        if source is None:
            return super().transform(X)
        selected = self.get_support(indices=True)
        if not len(selected):
            warn("No features were selected; lower threshold, or set max_features.")
        return read_features(self, source, selected)

    @abstractmethod
    def _weigh(self, features: Features, target: Classes) -> NDArray:
        """Weights of the features, and whatever else the method learns as attributes."""

    def _scores(self) -> NDArray:
        """What ranks features of equal weight."""
        return self.weights_

    def _validated(self, X: ArrayLike, y: ArrayLike) -> tuple[NDArray | Source, Classes]:
        """X as an array, or as what reads it, and the class of each sample."""
        self._check_parameters()
        check_kind(X)
        source = source_of(self, X)
        data, labels = validate_data(
            self,
            X if source is None else stand_in(source),
            y,
            dtype="numeric",
            ensure_all_finite=False,
            ensure_min_samples=2,
        )
        if source is not None and source.names is not None:
            self.feature_names_in_ = source.names
        target = self._target_of(labels)
        self.classes_ = target.labels
        self._check_width(data.shape[1])
        return data if source is None else source, target

    def _workers(self) -> Workers:
        return Workers(self.n_jobs, Progress() if self.verbose else None)

    def _features(self, data: NDArray | Source, workers: Workers) -> Features:
        names = getattr(self, "feature_names_in_", None)
        matrices = self._matrices(data.shape[0])
        return scaled_features(data, self.scale, workers, names, self._memory_limit(), matrices)

    def _matrices(self, n_samples: int) -> int:
        """Numbers per pair of samples that a fit holds."""
        return sizes.MATRICES

    def _memory_limit(self) -> int | None:
        return as_bytes("memory", self.memory) if self._out_of_core else None

    def _ranked(self) -> Self:
        """What follows from the weights."""
        largest = self.weights_.max()
        self.feature_importances_ = self.weights_ / (largest if largest > 0 else 1.0)
        return self

    @property
    def ranking_(self) -> NDArray:
        """All features, best first."""
        return best_first(self.weights_, self._scores())

    def _check_parameters(self) -> None:
        check_choice("scale", self.scale, ("range", None))
        if self.threshold != 0:
            check_positive("threshold", self.threshold)
        if self.max_features is not None:
            check_count("max_features", self.max_features)
        self._memory_limit()

    def _check_width(self, n_features: int) -> None:
        if self.max_features is not None and self.max_features > n_features:
            raise ValueError(
                f"max_features={self.max_features} is more than the {n_features} features of X."
            )

    def _get_support_mask(self) -> NDArray:
        check_is_fitted(self)
        if self.max_features is None:
            return self.feature_importances_ > self.threshold
        mask = np.zeros(len(self.weights_), bool)
        mask[self.ranking_[: self.max_features]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self._out_of_core
        return tags


def best_first(weights: NDArray, scores: NDArray) -> NDArray:
    """Features by weight, those of equal weight by score, then in the order of X."""
    order = np.argsort(-weights)  # quick, but of equal weights any may come first
    ordered = weights[order]
    if (ordered[1:] == ordered[:-1]).any():
        return np.lexsort((-scores, -weights))
    return order
