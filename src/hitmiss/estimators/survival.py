"""The learned distance as a predictor of risk: how early the nearest samples had their event."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_positive
from hitmiss._util.concordance import concordance, pair_concordance
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.local_prediction import LocalPrediction
from hitmiss.lofe import Problem
from hitmiss.neighbors import expected_values
from hitmiss.neighbors.expected import LeftOutPairs
from hitmiss.neighbors.pairs import used
from hitmiss.neighbors.tiles import PairTiles
from hitmiss.targets.classes import AnyTarget
from hitmiss.targets.comparable import Compared
from hitmiss.targets.numbers import Numbers
from hitmiss.targets.survival import (
    Survival,
    check_different_times,
    checked_survival,
    survival_of,
)
from hitmiss.targets.target import PairTarget


class LocalSurvivalMixin(LocalPrediction):
    """Prediction by the expected Kaplan-Meier scale of the soft neighbor; y are events and times.

    An estimator has the parameter `tau`.
    """

    explains, _explained = "survival", "the times"
    _values: NDArray
    tau: float

    def _check_parameters(self) -> None:
        super()._check_parameters()  # type: ignore[misc]
        check_positive("tau", self.tau)

    def _checked_y(self, y: Any) -> Any:
        return y if y is None or np.asarray(y).ndim == 0 else checked_survival(y)

    def _target_of(self, y: Any) -> Survival:
        check_different_times(y["time"])
        return Survival(y["time"], y["event"], float(self.tau))

    def _set_target(self, target: AnyTarget) -> None:
        """There are no classes to name."""

    def _remember(self, features: Features, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Keep the training samples on the features with a weight, which are `few`."""
        super()._remember(features, few, problem, w)
        self._values = 1 - survival_of(problem.target).expected_ranks[self._kept(problem)]

    def _leave_one_out(self, few: InMemory, problem: Problem, w: NDArray) -> None:
        """Set what leaving each sample out says of the weights w of a few features."""
        self.loo_concordance_ = leave_one_out_concordance(few, problem, w)

    def _left_out_loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """What kernel widths are compared by."""
        return -leave_one_out_concordance(features, problem, w)

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
        return self._by_distances(X, self._expected)

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

    def _expected(self, D: NDArray) -> NDArray:
        return expected_values(D, np.ones(D.shape), self._values, self._sigma)


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
    among: PairTarget = Numbers(values, 1.0, ranks=values)
    if isinstance(problem.target, Compared):
        among = Compared(among, problem.target.comparable)
    every = np.arange(len(values))
    A, rule = used(features.columns(support), w[support])
    tiles = PairTiles(A, among, every, problem.sigma, rule)
    left_out = LeftOutPairs(tiles, values, problem.pairs.neighbors_of(len(values)))
    return pair_concordance(target.time, target.event, left_out.of, tiles.tiles)
