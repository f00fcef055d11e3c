"""The learned distance as a regressor: the mean of the nearest samples, softly."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from hitmiss._util.alignment import joined
from hitmiss._util.checks import check_positive
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.local_prediction import LocalPrediction
from hitmiss.lofe import Problem
from hitmiss.neighbors import expected_values
from hitmiss.targets.classes import AnyTarget
from hitmiss.targets.numbers import Numbers, check_varied, checked_numbers, numbers_of
from hitmiss.targets.target import PairTarget


class NumbersMixin:
    """Of a selector whose y are numbers; a subclass says what target they are."""

    explains, _explained = "numbers", "y"

    def _checked_y(self, y: Any) -> Any:
        return y if y is None or np.asarray(y).ndim == 0 else checked_numbers(y)

    def _set_target(self, target: AnyTarget) -> None:
        """There are no classes to name."""


class LikenessMixin(NumbersMixin):
    """Of a selector to which numbers are alike by their ranks: it has the parameter `tau`."""

    tau: float

    def _check_parameters(self) -> None:
        super()._check_parameters()  # type: ignore[misc]
        check_positive("tau", self.tau)

    def _target_of(self, y: Any) -> Numbers:
        check_varied(y)
        target = Numbers(np.asarray(y, float), float(self.tau))
        if not target.has_hit.any():
            raise ValueError("No two samples are alike in y; give more samples.")
        return target


class LocalRegressorMixin(LikenessMixin, LocalPrediction, RegressorMixin):
    """Prediction by the expected number of the soft neighbor among the training samples."""

    _values: NDArray

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        super()._remember(features, few, problem, w)
        self._values = numbers_of(problem.target).values[self._kept(problem)]

    def _leave_one_out(self, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Set what leaving each sample out says of the weights w of a few features."""
        self.loo_r2_ = leave_one_out_r2(few, problem, w)

    def _left_out_loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """What kernel widths are compared by."""
        return -leave_one_out_r2(features, problem, w)

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
        return self._by_distances(X, self._expected)

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

    def _expected(self, D: NDArray) -> NDArray:
        return expected_values(D, np.ones(D.shape), self._values, self._sigma)


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
