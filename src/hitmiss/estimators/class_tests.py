"""Tests of features for each class against the rest, by permutations that all classes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.random import as_generator
from hitmiss.data.features import Features
from hitmiss.estimators.per_sample import ClassWeight, PerSample, samples_of, with_samples
from hitmiss.inference import inference_constants as constants
from hitmiss.inference.exchange import Exchange
from hitmiss.inference.q_values import PooledNull
from hitmiss.inference.statistic import Statistic
from hitmiss.targets.classes import AnyTarget, Classes
from hitmiss.targets.comparable import Compared


class Calibration(NamedTuple):
    """What noise reaches for each class."""

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


class ClassTestResult(NamedTuple):
    """q-values and p-values of each class, and of the features for any class."""

    q_values: NDArray  # of shape (n_classes, n_features)
    p_values: NDArray  # of shape (n_classes, n_features), of each feature alone
    p_value: NDArray  # of shape (n_classes,), of the class as a whole
    any_q_values: NDArray
    any_p_values: NDArray
    any_p_value: float


class ClassTests:
    """Statistics of every class against the rest under permuted labels.

    Parameters
    ----------
    base : BaseSelector
        What weighs the features.
    features : Features
        The data.
    target : Classes or Compared
        The classes.
    codes : list of int
        Those that are tested.
    """

    def __init__(self, base: Any, features: Features, target: AnyTarget, codes: list[int]):
        self.base, self.features, self.target, self.codes = base, features, target, codes

    def calibrated(self, orders: Sequence[NDArray]) -> Calibration:
        """What noise reaches, learned from some permutations."""
        shared = [
            self.base._shared_by_targets(self.features, self._targets(orders, [code]))
            for code in self.codes
        ]
        unit = np.ones(len(self.codes))
        found = list(self.statistics(orders, Calibration(shared, unit, unit)))
        values = np.array([[one.values.max() for one in each] for each in found])
        wholes = np.array([[one.whole for one in each] for each in found])
        return Calibration(shared, _mean_or_1(values), _mean_or_1(wholes))

    def statistics(
        self, orders: Iterable[NDArray], known: Calibration
    ) -> Iterator[list[Statistic]]:
        """The statistics of the classes under each order of the labels."""
        found = self.base._statistics(
            self.features, self._targets(orders, self.codes), _one_or_all(known.shared)
        )
        while each := list(islice(found, len(self.codes))):
            yield each

    def by_permutation(self, n_permutations: int, rng: np.random.Generator) -> ClassTestResult:
        """The test, by so many permutations of the labels."""
        given = samples_of(self.target)
        exchange = Exchange(self.target.classes.codes, given.groups, given.strata)
        exchange.warn_if_few(n_permutations)
        known = self.calibrated([exchange.draw(rng) for _ in range(constants.CALIBRATIONS)])
        orders = [np.arange(len(self.target)), *(exchange.draw(rng) for _ in range(n_permutations))]
        found = self.statistics(self.features.workers.watched(orders, "permutations"), known)
        observed = next(found)
        nulls = [PooledNull(*one) for one in observed]
        either = PooledNull(*known.combined(observed))
        for each in found:
            for null, one in zip(nulls, each, strict=True):
                null.add(*one)
            either.add(*known.combined(each))
        return ClassTestResult(
            np.array([null.q_values() for null in nulls]),
            np.array([null.single_p_values() for null in nulls]),
            np.array([null.p_value for null in nulls]),
            either.q_values(),
            either.p_values(),
            either.p_value,
        )

    def _targets(self, orders: Iterable[NDArray], codes: list[int]) -> Iterator[AnyTarget]:
        """Every class against the rest under every order, one order after the other."""
        weight = getattr(self.base, "class_weight", None)
        for order in orders:
            permuted = self.target.relabeled(order)
            for code in codes:
                yield against_rest(permuted, code, weight)


class ClassTestsMixin:
    """Of a selector that weighs features for each class against the rest by `_opened_base()`.

    It has the parameters `n_permutations` and `random_state`, and `classes_` when it is tested.
    """

    _opened_base: Callable[[], Any]
    _opened: Callable[..., tuple[Any, Features, AnyTarget]]

    def _test(self: Any, base: Any, features: Features, target: AnyTarget) -> None:
        """Set q-values and p-values by permuted labels."""
        tests = ClassTests(base, features, target, told_apart(target))
        rng, n = as_generator(self.random_state), int(self.n_permutations)
        found = tests.by_permutation(n, rng)
        copies = len(self.classes_) // len(found.q_values)
        self.class_q_values_ = np.tile(found.q_values, (copies, 1))
        self.class_p_values_ = np.tile(found.p_values, (copies, 1))
        self.class_p_value_ = np.tile(found.p_value, copies)
        self.q_values_, self.p_values_ = found.any_q_values, found.any_p_values
        self.p_value_ = found.any_p_value

    def shared_by_labels(
        self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray], **samples: Any
    ) -> Calibration:
        """What noise reaches for each class: for `hitmiss.inference.permutation_test`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        orders : sequence of ndarray of shape (n_samples,)
            Permutations to learn it from.
        **samples : array-like
            What `fit` takes of every sample, which stays in place.
        """
        model, features, target = self._opened(X, y, **samples)
        tests = ClassTests(model._opened_base(), features, target, told_apart(target))
        return tests.calibrated(orders)

    def _statistics(
        self, features: Features, targets: Iterable[AnyTarget], shared: Calibration
    ) -> Iterator[Statistic]:
        base = self._opened_base()
        for target in targets:
            tests = ClassTests(base, features, target, told_apart(target))
            (found,) = tests.statistics([np.arange(len(target))], shared)
            yield shared.combined(found)


def told_apart(target: AnyTarget) -> list[int]:
    """The classes to look at: of two, one against the other says it all."""
    n_classes = len(target.classes.labels)
    return list(range(n_classes)) if n_classes > 2 else [1]


def against_rest(target: AnyTarget, code: int, class_weight: ClassWeight = None) -> AnyTarget:
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
    return Compared(found, target.comparable) if isinstance(target, Compared) else found


def _one_or_all(shared: list[Any]) -> Any:
    """What the classes share, in turn; None if that is nothing."""
    return None if shared[0] is None else shared


def _mean_or_1(found: NDArray) -> NDArray:
    mean = found.mean(axis=0)
    return np.where(mean > 0, mean, 1.0)
