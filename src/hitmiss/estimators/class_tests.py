"""Tests of features for each class against the rest, by permutations that all classes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.estimators.selector import Weigher
from hitmiss.estimators.target_kinds import ClassWeight, PerSample, samples_of, with_samples
from hitmiss.inference.permutation import CALIBRATIONS, Exchange, PooledNull, Statistic
from hitmiss.targets.classes import Classes
from hitmiss.targets.target import Target


class Calibration(NamedTuple):
    """Level that noise reaches for each class."""

    shared: list[Any]  # what the base shares among labels, for each class
    scales: NDArray  # of the largest statistic of a feature
    wholes: NDArray  # of the statistic of the fit as a whole

    def combined(self, found: Sequence[Statistic]) -> Statistic:
        """One statistic of all classes: the largest of each feature, the mean of the wholes.

        Those of each class are divided by what noise reaches there.
        """
        values = [one.values / scale for one, scale in zip(found, self.scales, strict=True)]
        wholes = [one.whole / scale for one, scale in zip(found, self.wholes, strict=True)]
        return Statistic(np.max(values, axis=0), float(np.mean(wholes)))


class ClassTests:
    """Statistics of every class against the rest under permuted labels.

    Parameters
    ----------
    weigher : Weigher
        The weigher of the features.
    features : Features
        The data.
    codes : list of int
        The classes that are tested.
    class_weight : mapping, "balanced" or None
        Factors of the weights of the samples, by True and False.
    """

    def __init__(
        self, weigher: Weigher, features: Features, codes: list[int], class_weight: ClassWeight
    ):
        self.weigher, self.features = weigher, features
        self.codes, self.class_weight = codes, class_weight

    def calibrated(self, targets: Sequence[Target]) -> Calibration:
        """Learn from some permuted labels what noise reaches."""
        shared = [
            self.weigher.shared(self.features, self._each(targets, [code])) for code in self.codes
        ]
        unit = np.ones(len(self.codes))
        found = list(self.statistics(targets, Calibration(shared, unit, unit)))
        values = np.array([[one.values.max() for one in each] for each in found])
        wholes = np.array([[one.whole for one in each] for each in found])
        return Calibration(shared, _mean_or_1(values), _mean_or_1(wholes))

    def statistics(
        self, targets: Iterable[Target], known: Calibration
    ) -> Iterator[list[Statistic]]:
        """The statistics of the classes for each of the targets."""
        shared = None if known.shared[0] is None else known.shared  # of the classes in turn
        found = self.weigher.statistics(self.features, self._each(targets, self.codes), shared)
        while each := list(islice(found, len(self.codes))):
            yield each

    def by_permutation(
        self, target: Target, n_permutations: int, rng: np.random.Generator
    ) -> dict[str, Any]:
        """Fitted attributes of the test, by so many permutations of the labels."""
        given, n_classes = samples_of(target), len(target.classes.labels)
        exchange = Exchange(target.classes.codes, given.groups, given.strata)
        exchange.warn_if_few(n_permutations)
        known = self.calibrated([target.relabeled(exchange.draw(rng)) for _ in range(CALIBRATIONS)])
        orders = [np.arange(len(target)), *(exchange.draw(rng) for _ in range(n_permutations))]
        watched = self.features.workers.watched(orders, "permutations")
        found = self.statistics((target.relabeled(order) for order in watched), known)
        observed = next(found)
        nulls = [PooledNull(*one) for one in observed]
        either = PooledNull(*known.combined(observed))
        for each in found:
            for null, one in zip(nulls, each, strict=True):
                null.add(*one)
            either.add(*known.combined(each))
        copies = n_classes // len(nulls)  # of two classes one says it all
        return {
            "class_q_values_": np.tile([null.q_values() for null in nulls], (copies, 1)),
            "class_p_values_": np.tile([null.single_p_values() for null in nulls], (copies, 1)),
            "class_p_value_": np.tile([null.p_value for null in nulls], copies),
            "q_values_": either.q_values(),
            "p_values_": either.p_values(),
            "p_value_": either.p_value,
        }

    def _each(self, targets: Iterable[Target], codes: list[int]) -> Iterator[Target]:
        """Every class against the rest in every target, one target after the other."""
        for target in targets:
            for code in codes:
                yield against_rest(target, code, self.class_weight)


def told_apart(target: Target) -> list[int]:
    """The classes to look at: of two, one against the other says it all."""
    n_classes = len(target.classes.labels)
    return list(range(n_classes)) if n_classes > 2 else [1]


def against_rest(target: Target, code: int, class_weight: ClassWeight = None) -> Target:
    """One class as True, all others together as False.

    Parameters
    ----------
    target : Classes or Compared
        The classes.
    code : int
        The one.
    class_weight : mapping, "balanced" or None
        Factors of the weights of the samples, by True and False.
    """
    known = target.classes
    codes = (known.codes == code).astype(known.codes.dtype)
    one = Classes(codes, np.array([False, True]))
    found = with_samples(one, PerSample(known.sample_weight), class_weight)
    return target.compared_like(found)


def _mean_or_1(found: NDArray) -> NDArray:
    mean = found.mean(axis=0)
    return np.where(mean > 0, mean, 1.0)
