"""Kinds of targets, what y may be: classes, numbers, or times until an event.

A selector has a kind: it checks y and makes the target of it, and for local learning it names what
prediction needs of every training sample and says how well the others predict it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.alignment import check_labels
from hitmiss._util.checks import check_positive
from hitmiss._util.concordance import pair_concordance
from hitmiss._util.ties import first_smallest
from hitmiss.data.features import Features
from hitmiss.neighbors.left_out import LeftOutPairs
from hitmiss.neighbors.pair_tiles import PairTiles
from hitmiss.neighbors.pairs import used
from hitmiss.targets.classes import AnyTarget, Classes, encode_labels
from hitmiss.targets.comparable import Compared
from hitmiss.targets.numbers import Numbers, check_varied, checked_numbers, numbers_of
from hitmiss.targets.survival import (
    Survival,
    check_different_times,
    checked_survival,
    survival_of,
)
from hitmiss.targets.target import PairTarget

if TYPE_CHECKING:
    from hitmiss.lofe.problem import Problem


class ForClasses:
    """Class labels of any type."""

    explains = "classes"
    explained = "the classes"  # in words, for warnings

    def check(self) -> None:
        """Check the parameters."""

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        check_labels(y)
        return y

    def target(self, y: Any) -> AnyTarget:
        """The target of a checked y."""
        return encode_labels(y)

    def names(self, target: AnyTarget) -> dict[str, Any]:
        """Fitted attributes that name what is explained."""
        return {"classes_": target.classes.labels}

    def answers(self, target: AnyTarget, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        known = target.classes
        return {"_labels": known.codes[kept], "_prior": known.prior}

    def left_out(self, features: Features, problem: Problem, w: NDArray) -> dict[str, float]:
        """Fitted attribute that says how well the other samples predict each one."""
        return {"loo_error_": leave_one_out_error(features, problem, w)}

    def loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """Loss by which kernel widths are compared."""
        return leave_one_out_error(features, problem, w)


@dataclass
class ForNumbers(ForClasses):
    """Numbers, alike by their ranks as far as `tau` reaches."""

    tau: float = 1.0

    explains = "numbers"
    explained = "y"

    def check(self) -> None:
        """Check the parameters."""
        check_positive("tau", self.tau)

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        return y if y is None or np.asarray(y).ndim == 0 else checked_numbers(y)

    def target(self, y: Any) -> AnyTarget:
        """The target of a checked y."""
        check_varied(y)
        target = Numbers(np.asarray(y, float), float(self.tau))
        if not target.has_hit.any():
            raise ValueError("No two samples are alike in y; give more samples.")
        return target

    def names(self, target: AnyTarget) -> dict[str, Any]:
        """Nothing: there are no classes to name."""
        return {}

    def answers(self, target: AnyTarget, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        return {"_values": numbers_of(target).values[kept]}

    def left_out(self, features: Features, problem: Problem, w: NDArray) -> dict[str, float]:
        """Fitted attribute that says how well the other samples predict each one."""
        return {"loo_r2_": leave_one_out_r2(features, problem, w)}

    def loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """Loss by which kernel widths are compared."""
        return -leave_one_out_r2(features, problem, w)


class ForDifferences(ForNumbers):
    """Numbers, alike by their differences over the range: the target of RReliefF."""

    def target(self, y: Any) -> AnyTarget:
        """The target of a checked y."""
        check_varied(y)
        values = np.asarray(y, float)
        low, high = values.min(), values.max()
        halves = values / 2 - low / 2, high / 2 - low / 2  # whose difference cannot overflow
        return Numbers(values, 1.0, ranks=halves[0] / halves[1])


class ForSurvival(ForNumbers):
    """Times until an event, some of them censored."""

    explains = "survival"
    explained = "the times"

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        return y if y is None or np.asarray(y).ndim == 0 else checked_survival(y)

    def target(self, y: Any) -> AnyTarget:
        """The target of a checked y."""
        check_different_times(y["time"])
        return Survival(y["time"], y["event"], float(self.tau))

    def answers(self, target: AnyTarget, kept: NDArray) -> dict[str, Any]:
        """Private attributes for prediction: what is known of the training samples kept."""
        return {"_values": 1 - survival_of(target).expected_ranks[kept]}

    def left_out(self, features: Features, problem: Problem, w: NDArray) -> dict[str, float]:
        """Fitted attribute that says how well the other samples predict each one."""
        return {"loo_concordance_": leave_one_out_concordance(features, problem, w)}

    def loss(self, features: Features, problem: Problem, w: NDArray) -> float:
        """Loss by which kernel widths are compared."""
        return -leave_one_out_concordance(features, problem, w)


class ForMarkers(ForClasses):
    """Class labels of which each has two samples."""

    def target(self, y: Any) -> Classes:
        """The target of a checked y."""
        labels, counts = np.unique(np.asarray(y), return_counts=True)
        if len(labels) > 1 and counts.max() > 1 and counts.min() < 2:
            alone = labels[counts == 1].tolist()[0]
            raise ValueError(
                f"Class {alone!r} has a single sample, which does not show what marks it; leave it "
                "out or put it into another class."
            )
        return encode_labels(y)


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
    among: PairTarget = Numbers(values, 1.0, ranks=values)
    if isinstance(problem.target, Compared):
        among = Compared(among, problem.target.comparable)
    every = np.arange(len(values))
    A, rule = used(features.columns(support), w[support])
    tiles = PairTiles(A, among, every, problem.sigma, rule)
    left_out = LeftOutPairs(tiles, values, problem.pairs.neighbors_of(len(values)))
    return pair_concordance(target.time, target.event, left_out.of, tiles.tiles)
