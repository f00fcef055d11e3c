"""The learned distance as a classifier: the class of the nearest samples, softly."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss.data.in_memory import Blocks
from hitmiss.estimators.new_samples import read_features
from hitmiss.estimators.validation import source_of
from hitmiss.kernels.distances import cross_distances
from hitmiss.neighbors import class_distances, expected_distance

CHUNK = 4096  # samples predicted at once
PAIRS = 1 << 24  # distances that exist at once


class LocalClassifierMixin(ClassifierMixin):
    """Prediction by expected distances to the training samples (LOFE paper, section 5).

    An estimator calls `_remember` in its fit and has the attribute `classes_`.
    """

    def _remember(self, blocks: Blocks, y: NDArray, w: NDArray, sigma: float) -> None:
        """Keep the training samples, on the features with a weight, and their LOO error."""
        support = np.flatnonzero(w)
        columns = blocks.columns(support)
        self._support, self._sigma = support, sigma
        self._center = None if blocks.center is None else blocks.center[support]
        self._factor = w[support] * (1.0 if blocks.factor is None else blocks.factor[support])
        self._samples = (columns.X * w[support])[columns.references]
        self._labels = y[columns.references]
        self._prior = np.bincount(y) / len(y)
        if len(support):
            E = columns.class_distances(w[support], y, sigma)
        else:
            E = self._to_classes(np.empty((len(y), 0)))
        counted = np.bincount(y)[y] > 1
        self.loo_error_ = float(np.mean(E.argmin(axis=1)[counted] != y[counted]))

    def _by_distances(self, X: ArrayLike, function: Callable[[NDArray], NDArray]) -> NDArray:
        """`function` of the weighted distances of new samples to the training samples.

        A few samples at a time, so that the matrix of distances stays small.
        """
        check_is_fitted(self)
        A = self._used(X).astype(float)
        if self._center is not None:
            A -= self._center
        A *= self._factor

        size = max(1, min(CHUNK, PAIRS // len(self._labels)))

        def chunk(start: int) -> NDArray:
            queries = A[start : start + size]
            D = np.empty((len(queries), len(self._labels)))
            cross_distances(queries, self._samples, D)
            return function(D)

        return np.concatenate([chunk(start) for start in range(0, len(A), size)])

    def _used(self, X: ArrayLike) -> NDArray:
        """The features of new samples that have a weight."""
        source = source_of(self, X)
        if source is None:
            return validate_data(self, X, reset=False, dtype="numeric")[:, self._support]
        return read_features(self, source, self._support)

    def _to_classes(self, D: NDArray) -> NDArray:
        """Expected distance to each class; the smallest wins."""
        if not len(self._support):  # every distance is 0: the commonest class is the best guess
            return np.broadcast_to(-np.log(self._prior), (len(D), len(self._prior)))
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
