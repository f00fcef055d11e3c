"""The learned distance as a predictor: what the nearest training samples, softly, say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from hitmiss._util.alignment import aligned, joined, without_named
from hitmiss._util.concordance import concordance, pair_concordance
from hitmiss._util.ties import first_smallest
from hitmiss.data.categories import as_known_numbers
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import mean_differences, share_unlike
from hitmiss.estimators.target_kinds import ForClasses, ForNumbers
from hitmiss.estimators.validation import read_features, source_of
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.distances import cross_distances
from hitmiss.neighbors import class_distances, expected_distance, expected_values
from hitmiss.neighbors.pairs import used
from hitmiss.neighbors.soft import LeftOutPairs
from hitmiss.neighbors.tiles import PairTiles
from hitmiss.targets.numbers import Numbers, checked_numbers, numbers_of
from hitmiss.targets.survival import (
    Survival,
    check_different_times,
    checked_survival,
    survival_of,
)
from hitmiss.targets.target import PairTarget, Target

if TYPE_CHECKING:
    from hitmiss.lofe import Problem

PREDICTED_TOGETHER = 4096  # new samples at most: convention
PREDICTED_PAIRS = 1 << 24  # distances that exist at once: 128 MiB of doubles


def training_samples(
    features: Features,
    few: InMemory,
    problem: Problem,
    w: NDArray,
    *,
    holes: bool,
    nominal: NDArray | None,
) -> dict[str, Any]:
    """Private attributes for prediction: the training samples on the features with a weight.

    Parameters
    ----------
    features, few : Features
        All features, and those with a weight.
    problem : Problem
        Whose kernel width is used, and whose pairs say which samples are kept.
    w : ndarray of shape (n_features,)
        Weights.
    holes : bool
        Whether values may be missing.
    nominal : ndarray of int or None
        The nominal features.
    """
    support = np.flatnonzero(w)
    scaling = features.scaling.at(support)
    is_nominal = np.isin(support, () if nominal is None else nominal)
    gap = None  # distance of a missing value from others, times w
    if holes:
        gap, known = mean_differences(few.X), few.scaling.gap
        gap[is_nominal] = [share_unlike(few.X[:, k]) for k in np.flatnonzero(is_nominal)]
        # Where the training samples miss some, it is known; where they do not, new samples may.
        gap = w[support] * (gap if known is None else np.where(np.isnan(known), gap, known))
    kept = problem.pairs.neighbors_of(len(problem.target))
    return {
        "_support": support,
        "_sigma": problem.sigma,
        "_center": scaling.center,
        "_factor": w[support] * (1.0 if scaling.factor is None else scaling.factor),
        "_samples": (few.X * w[support])[kept],
        "_gap": gap,
        "_cap": np.where(is_nominal, w[support], np.inf) if is_nominal.any() else None,
    }


def by_distances(model: Any, X: ArrayLike, function: Callable[[NDArray], NDArray]) -> NDArray:
    """`function` of the weighted distances of new samples to the training samples.

    Distances are worked off a few samples at a time, so that memory does not grow with X.
    """
    check_is_fitted(model)
    A = _used(model, X).astype(float)
    if model._center is not None:
        A -= model._center
    A *= model._factor
    samples, gap, cap = model._samples, getattr(model, "_gap", None), getattr(model, "_cap", None)
    gap = np.full(len(model._support), np.nan) if gap is None else gap
    holes = bool(np.isnan(A).any() or np.isnan(samples).any())
    rule = (gap, cap) if holes or cap is not None else NUMBERS
    size = max(1, min(PREDICTED_TOGETHER, PREDICTED_PAIRS // len(samples)))

    def chunk(start: int) -> NDArray:
        queries = A[start : start + size]
        D = np.empty((len(queries), len(samples)))
        cross_distances(queries, samples, *rule, D)
        return function(D)

    return np.concatenate([chunk(start) for start in range(0, len(A), size)])


def _used(model: Any, X: ArrayLike) -> NDArray:
    """The features of new samples that have a weight."""
    X = without_named(model, X)
    source = source_of(model, X)
    if source is not None:
        return read_features(model, source, model._support)
    finite = "allow-nan" if model.missing != "error" else True
    given = as_known_numbers(X, getattr(model, "categories_", {}))
    found = validate_data(model, given, reset=False, dtype="numeric", ensure_all_finite=finite)
    return found[:, model._support]


def expected(model: Any, X: ArrayLike) -> NDArray:
    """Expected number of the nearest training sample, for new samples."""

    def values(D: NDArray) -> NDArray:
        return expected_values(D, np.ones(D.shape), model._values, model._sigma)

    return by_distances(model, X, values)


def guessed_distances(prior: NDArray, n_samples: int) -> NDArray:
    """Distances if no feature has a weight: the commonest class is nearest."""
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


def leave_one_out_r2(features: Features, problem: Problem, w: NDArray) -> float:
    """Share of the variance that the neighbors of every sample explain without it.

    Only comparable samples are neighbors, and samples count by their weights.

    Parameters
    ----------
    features : Features
        The training samples.
    problem : Problem
        Whose kernel width and numbers are used.
    w : ndarray of shape (n_features,)
        Weights.
    """
    support, target = np.flatnonzero(w), cast(PairTarget, problem.target)
    if not len(support):
        return 0.0
    values = numbers_of(target).values
    found = problem.pairs.expected_values(
        features.columns(support), w[support], target, problem.sigma, values
    )
    used = target.has_hit & np.isfinite(found)
    a = np.ones(len(values)) if target.weights is None else target.weights
    y, a = values[used], a[used]
    left = (a * (y - found[used]) ** 2).sum()
    return float(1 - left / (a * (y - np.average(y, weights=a)) ** 2).sum())


def leave_one_out_concordance(features: Features, problem: Problem, w: NDArray) -> float:
    """Concordance of the risks of all pairs of samples, each predicted without both.

    Neighbors are all samples that groups, strata and covariates allow: which pairs censoring leaves
    comparable depends on the time itself, which must have no part in its prediction.

    Parameters
    ----------
    features : Features
        The training samples.
    problem : Problem
        Whose kernel width and times are used.
    w : ndarray of shape (n_features,)
        Weights.
    """
    support, target = np.flatnonzero(w), survival_of(problem.target)
    if not len(support):
        return 0.5
    values = 1 - target.expected_ranks
    among = problem.target.compared_like(Numbers(values, 1.0, ranks=values))
    every = np.arange(len(values))
    A, rule = used(features.columns(support), w[support])
    tiles = PairTiles(A, among, every, problem.sigma, rule)
    left_out = LeftOutPairs(tiles, values, problem.pairs.neighbors_of(len(values)))
    return pair_concordance(target.time, target.event, left_out.of, tiles.tiles)


class LocalClasses(ForClasses):
    """Class labels, predicted by the nearest training samples."""

    left_out_name = "loo_error_"  # fitted attribute: how well the others predict each sample
    left_out = staticmethod(leave_one_out_error)
    left_out_sign = 1  # of the loss by which kernel widths are compared

    def answers(self, target: Target, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        known = target.classes
        return {"_labels": known.codes[kept], "_prior": known.prior}


class LocalNumbers(ForNumbers):
    """Numbers, predicted by the nearest training samples."""

    left_out_name = "loo_r2_"
    left_out = staticmethod(leave_one_out_r2)
    left_out_sign = -1

    def answers(self, target: Target, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        return {"_values": numbers_of(target).values[kept]}


class LocalTimes(ForNumbers):
    """Times until an event, some of them censored."""

    explains = "survival"
    explained = "the times"
    left_out_name = "loo_concordance_"
    left_out = staticmethod(leave_one_out_concordance)
    left_out_sign = -1

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        return y if y is None or np.asarray(y).ndim == 0 else checked_survival(y)

    def target(self, y: Any) -> Target:
        """The target of a checked y."""
        check_different_times(y["time"])
        return Survival(y["time"], y["event"], float(self.tau))

    def answers(self, target: Target, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        return {"_values": 1 - survival_of(target).expected_ranks[kept]}


class LocalClassifier(ClassifierMixin):
    """Prediction by expected distances to the training samples (LOFE paper, section 5).

    The distances of new samples are worked off a few at a time, so that memory does not grow.
    """

    @property
    def _kind(self) -> LocalClasses:
        return LocalClasses()

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
        return by_distances(self, X, self._to_margins)

    def decision_function(self, X: ArrayLike) -> NDArray:
        """Distance of each sample to the closest other class minus that to the class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes, positive means the second.
        """
        E = by_distances(self, X, self._to_classes)
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
        nearest = first_smallest(by_distances(self, X, self._to_classes))
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
        return softmax(-by_distances(self, X, self._to_classes), axis=1)


class LocalRegressor(RegressorMixin):
    """Prediction by the expected number of the soft neighbor among the training samples."""

    tau: float

    @property
    def _kind(self) -> LocalNumbers:
        return LocalNumbers(self.tau)

    def predict(self, X: ArrayLike) -> NDArray:
        """Expected number of the nearest training sample: regression by a kernel.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Numbers.
        """
        return expected(self, X)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Share of the variance of y that is predicted, R².

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.
        y : array-like of shape (n_samples,) or str
            Their numbers, or the name of the column of X that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample in the mean.

        Returns
        -------
        score : float
            At most 1; 0 is that of the mean.
        """
        X, y, _ = joined(X, y)
        return super().score(X, checked_numbers(y), sample_weight)


class LocalSurvival:
    """Prediction of risk by the expected Kaplan-Meier scale of the soft neighbor."""

    tau: float

    @property
    def _kind(self) -> LocalTimes:
        return LocalTimes(self.tau)

    def predict(self, X: ArrayLike) -> NDArray:
        """Risk of each sample: the larger, the earlier its event is expected.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        risk : ndarray of shape (n_samples,)
            From 0 to 1: the share of all who are expected to outlive the sample, which is what the
            Kaplan-Meier estimate says at the events of its neighbors.
        """
        return expected(self, X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Concordance of the predicted risks with the times; 0.5 is that of guessing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.
        y : array-like
            Their events and times, as in `fit`.
        """
        found = checked_survival(y)
        return concordance(found["time"], found["event"], self.predict(X))
