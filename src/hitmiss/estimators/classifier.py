"""The learned distance as a classifier: the class of the nearest samples, softly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin

from hitmiss._util.alignment import aligned
from hitmiss._util.ties import first_smallest
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.local_prediction import LocalPrediction
from hitmiss.lofe import Problem
from hitmiss.neighbors import class_distances, expected_distance


class LocalClassifierMixin(LocalPrediction, ClassifierMixin):
    """Prediction by expected distances to the training samples (LOFE paper, section 5).

    An estimator calls `_remember` in its fit and has the attribute `classes_`.
    """

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        super()._remember(features, few, problem, w)
        target = problem.target.classes
        self._labels, self._prior = target.codes[self._kept(problem)], target.prior

    def _leave_one_out(self, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Set what leaving each sample out says of the weights w of a few features."""
        self.loo_error_ = leave_one_out_error(few, problem, w)

    def _left_out_loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """What kernel widths are compared by."""
        return leave_one_out_error(features, problem, w)

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
        nearest = first_smallest(self._by_distances(X, self._to_classes))
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
    target = problem.target
    wrong = left_out_wrong(features, problem, w)[target.has_hit]
    if target.weights is None:
        return float(np.mean(wrong))
    return float(np.average(wrong, weights=target.weights[target.has_hit]))


def left_out_wrong(features: Features, problem: Problem, w: NDArray) -> NDArray:
    """Whether the nearest class of each sample, without it, is another than its own.

    Parameters
    ----------
    features, problem, w
        As in `leave_one_out_error`.
    """
    support, target = np.flatnonzero(w), problem.target
    if len(support):
        few = features.columns(support)
        E = problem.pairs.class_distances(few, w[support], target, problem.sigma)
    else:
        E = guessed_distances(target.classes.prior, len(target))
    return first_smallest(E) != target.classes.codes
