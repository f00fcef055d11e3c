"""The learned distance as a classifier: the class of the nearest samples, softly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss.data.categories import as_known_numbers
from hitmiss.data.extremes import mean_differences
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.nominal import share_unlike
from hitmiss.estimators import thresholds
from hitmiss.estimators.alignment import aligned, without_named
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.validation import source_of
from hitmiss.kernels.distances import cross_distances
from hitmiss.kernels.unlike_rows import unlike_cross_distances
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors import class_distances, expected_distance


class LocalClassifierMixin(ClassifierMixin):
    """Prediction by expected distances to the training samples (LOFE paper, section 5).

    An estimator calls `_remember` in its fit and has the attribute `classes_`.
    """

    _gap: NDArray | None = None
    _cap: NDArray | None = None

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        support, target = np.flatnonzero(w), problem.target.classes
        scaling = features.scaling.at(support)
        neighbors = problem.pairs.neighbors_of(len(target))
        self._support, self._sigma = support, problem.sigma
        self._center = scaling.center
        self._factor = w[support] * (1.0 if scaling.factor is None else scaling.factor)
        self._samples = (few.X * w[support])[neighbors]
        self._gap, self._cap = self._differences(few, w[support])
        self._labels, self._prior = target.codes[neighbors], target.prior

    def _leave_one_out(self, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Set what leaving each sample out says of the weights w of a few features."""
        self.loo_error_ = leave_one_out_error(few, problem, w)

    def _left_out_loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """What kernel widths are compared by."""
        return leave_one_out_error(features, problem, w)

    def _differences(self, few: InMemory, w: NDArray) -> tuple[NDArray | None, NDArray | None]:
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
        unlike = holes or self._cap is not None
        most = thresholds.PREDICTED_PAIRS // len(self._labels)
        size = max(1, min(thresholds.PREDICTED_TOGETHER, most))

        def chunk(start: int) -> NDArray:
            queries = A[start : start + size]
            D = np.empty((len(queries), len(self._labels)))
            if unlike:
                unlike_cross_distances(queries, self._samples, gap, self._cap, D)
            else:
                cross_distances(queries, self._samples, D)
            return function(D)

        return np.concatenate([chunk(start) for start in range(0, len(A), size)])

    def _used(self, X: ArrayLike) -> NDArray:
        """The features of new samples that have a weight."""
        X = without_named(self, X)
        source = source_of(self, X)
        if source is not None:
            return read_features(self, source, self._support)
        finite = "allow-nan" if self.missing != "error" else True
        given = as_known_numbers(X, getattr(self, "categories_", {}))
        found = validate_data(self, given, reset=False, dtype="numeric", ensure_all_finite=finite)
        return found[:, self._support]

    def _to_classes(self, D: NDArray) -> NDArray:
        """Expected distance to each class; the smallest wins."""
        if not len(self._support):
            return guessed_distances(self._prior, len(D))
        return class_distances(D, self._labels, self._sigma)

    def _to_margins(self, D: NDArray) -> NDArray:
        """Expected distance to all other classes pooled minus that to each class."""
        members = [self._labels == label for label in range(len(self.classes_))]
        return np.column_stack(
            [
                expected_distance(D, ~own, self._sigma) - expected_distance(D, own, self._sigma)
                for own in members
            ]
        )

    def margins(self, X: ArrayLike) -> NDArray:
        """Expected margin of each sample if it belonged to each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        margins : ndarray of shape (n_samples, n_classes)
            Expected distance to the nearest sample of all other classes pooled, minus that to
            the nearest of the class.
        """
        return self._by_distances(X, self._to_margins)

    def decision_function(self, X: ArrayLike) -> NDArray:
        """How much closer each sample is to a class than to the closest other class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes, positive means the second.
        """
        E = self._by_distances(X, self._to_classes)
        if E.shape[1] == 2:
            return E[:, 0] - E[:, 1]
        order = np.sort(E, axis=1)
        closest_other = np.where(order[:, :1] == E, order[:, 1:2], order[:, :1])
        return closest_other - E

    def predict(self, X: ArrayLike) -> NDArray:
        """Class of smallest expected distance.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Labels.
        """
        nearest = self._by_distances(X, self._to_classes).argmin(axis=1)
        return self.classes_[nearest]

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Share of the samples whose class is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.
        y : array-like of shape (n_samples,) or str
            Their classes, or the name of the column of X that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample in the mean.

        Returns
        -------
        score : float
            Between 0 and 1.
        """
        X, y, _ = aligned(X, y)
        return super().score(X, y, sample_weight)

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Probability of each class, ``softmax(-expected distance)``.

        For two classes this is the logistic function of the margin, the model that `fit` uses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        P : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        return softmax(-self._by_distances(X, self._to_classes), axis=1)


def guessed_distances(prior: NDArray, n_samples: int) -> NDArray:
    """What stands for distances where no feature has a weight: the commonest class is nearest."""
    return np.broadcast_to(-np.log(prior), (n_samples, len(prior)))


def leave_one_out_error(features: Features, problem: Problem, w: NDArray) -> float:
    """Share of the samples that have a margin whose nearest class, without them, is another.

    Only comparable samples are neighbors, and samples count by their weights.

    Parameters
    ----------
    features : Features
        The training samples.
    problem : Problem
        Whose kernel width and classes are used.
    w : ndarray of shape (n_features,)
        Weights.
    """
    support, target = np.flatnonzero(w), problem.target
    if len(support):
        few = features.columns(support)
        E = problem.pairs.class_distances(few, w[support], target, problem.sigma)
    else:
        E = guessed_distances(target.classes.prior, len(target))
    wrong = (E.argmin(axis=1) != target.classes.codes)[target.has_hit]
    if target.weights is None:
        return float(np.mean(wrong))
    return float(np.average(wrong, weights=target.weights[target.has_hit]))
