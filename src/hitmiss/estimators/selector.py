"""What every selector shares: validation of the data, ranking, support, transform."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.alignment import check_labels, joined, named_columns, without_named
from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss._util.ties import ZERO, comparable
from hitmiss.data.categories import Categories, as_numbers, unmasked
from hitmiss.data.memory_limit import as_bytes
from hitmiss.data.sources import Source
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.per_sample import NOTHING, PerSample, with_samples
from hitmiss.estimators.validation import check_kind, checked_pair, source_of, stand_in
from hitmiss.targets.classes import AnyTarget, encode_labels


class Selector(SelectorMixin, BaseEstimator):
    """Base of all selectors: a subclass sets `weights_` in `fit` and may override `_scores`.

    Weights may be negative: they rank, and are never selected by `threshold`.
    """

    explains = "classes"  # what y is
    _missing_rules: tuple[str, ...] = ("mean-difference", "error")  # what `missing` may be
    missing: str = "error"  # where the estimator has no such parameter, as also the next
    categorical: Any = None

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
        X = without_named(self, X)
        source = None if issparse(X) else source_of(self, X)
        if source is None:
            return super().transform(unmasked(X))
        selected = self.get_support(indices=True)
        if not len(selected):
            warn("No features were selected; lower threshold, or set max_features.")
        return read_features(self, source, selected)

    @property
    def _out_of_core(self) -> bool:
        """Whether data may stay on disk, under the limit `memory`."""
        return False

    def _target_of(self, y: Any) -> AnyTarget:
        """What becomes of y."""
        return encode_labels(y)

    def _scores(self) -> NDArray:
        """What ranks features of equal weight."""
        return self.weights_

    def _validated(
        self, X: ArrayLike, y: ArrayLike, samples: PerSample = NOTHING
    ) -> tuple[NDArray | Source, AnyTarget]:
        """X as an array, or as what reads it, and the target."""
        self._check_parameters()
        given = samples.given()
        names = named_columns(X, y, **given)
        if names:
            self.named_columns_ = names
        X, y, beside = joined(X, y, **given)
        samples = PerSample(**beside)
        check_kind(X)
        y = self._checked_y(y)
        source = source_of(self, X)
        numbers, categories = as_numbers(X if source is None else source, self.categorical)
        data, labels = checked_pair(self, numbers if source is None else stand_in(source), y)
        if source is not None and source.names is not None:
            self.feature_names_in_ = source.names
        if self.categorical is not None:
            self.categories_ = categories
        target = with_samples(self._target_of(labels), samples, getattr(self, "class_weight", None))
        self._set_target(target)
        self._check_width(data.shape[1])
        return data if source is None else source, target

    def _checked_y(self, y: Any) -> Any:
        """What was given as y, checked and converted for scikit-learn's own checks."""
        check_labels(y)
        return y

    def _set_target(self, target: AnyTarget) -> None:
        """Set the fitted attributes that name what is explained."""
        self.classes_ = target.classes.labels

    def _nominal(self) -> NDArray | None:
        """The nominal features, if there are any."""
        found: Categories = getattr(self, "categories_", {})
        return np.array(sorted(found), np.intp) if found else None

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
        check_choice("missing", self.missing, self._rules_of_missing())
        if self.threshold != 0:
            check_positive("threshold", self.threshold)
        if self.max_features is not None:
            check_count("max_features", self.max_features)
        self._memory_limit()

    def _rules_of_missing(self) -> tuple[str, ...]:
        return self._missing_rules

    def _check_width(self, n_features: int) -> None:
        if self.max_features is not None and self.max_features > n_features:
            raise ValueError(
                f"max_features={self.max_features} is more than the {n_features} features of X."
            )

    def _get_support_mask(self) -> NDArray:
        check_is_fitted(self)
        if self.max_features is None:
            return self.feature_importances_ > self.threshold + ZERO
        mask = np.zeros(len(self.weights_), bool)
        mask[self.ranking_[: self.max_features]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self._out_of_core
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def categories_at(selector: Any, index: NDArray) -> Categories:
    """Levels of the nominal features among those at `index`, by their place there."""
    found: Categories = getattr(selector, "categories_", {})
    return {k: found[j] for k, j in enumerate(index.tolist()) if j in found}


def best_first(weights: NDArray, scores: NDArray) -> NDArray:
    """Features by weight, those of equal weight by score, then in the order of X."""
    weights = comparable(weights)
    order = np.argsort(-weights)  # quick, but of equal weights any may come first
    ordered = weights[order]
    if (ordered[1:] == ordered[:-1]).any():
        return np.lexsort((-comparable(scores), -weights))
    return order
