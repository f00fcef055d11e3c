"""The template of the RELIEF methods: a neighbor rule, and margins averaged under it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss.data.features import Features
from hitmiss.data.pair_weights import pair_form
from hitmiss.estimators import thresholds
from hitmiss.estimators.comparing import ComparingSelector
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.inference.statistic import Statistic
from hitmiss.targets.classes import AnyTarget


class AveragedMargins(ComparingSelector):
    """Base of the RELIEF methods; a subclass implements `_neighbors`.

    The weight of a feature is the mean over the samples of ``sum_i Q_ni |x_n - x_i|``.
    """

    _out_of_core = True
    _pair_nanoseconds = thresholds.RELIEF_NANOSECONDS
    _uses_blas = False

    def __init__(
        self,
        *,
        scale: str | None = "range",
        missing: str = "mean-difference",
        categorical: str | ArrayLike | None = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        self.scale = scale
        self.missing = missing
        self.categorical = categorical
        self.threshold = threshold
        self.max_features = max_features
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.memory = memory
        self.verbose = verbose

    _missing_rules: tuple[str, ...] = ("mean-difference", "pairwise", "error")

    @abstractmethod
    def _neighbors(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        """Signed weights Q of the neighbors: plus for misses, minus for hits."""

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        return self._averaged(features, _unit_distances(features), [target])[0]

    def _statistics(
        self, features: Features, targets: Iterable[AnyTarget], shared: Any
    ) -> Iterator[Statistic]:
        D, left = _unit_distances(features), iter(targets)  # distances serve for all labels
        while some := list(islice(left, thresholds.TARGETS_TOGETHER)):
            yield from map(Statistic.of, self._averaged(features, D, some))

    def _weigh_each(self, features: Features, targets: Iterable[AnyTarget]) -> Iterator[Self]:
        for found in self._statistics(features, targets, None):  # with one matrix of distances
            model = copy(self)
            model.weights_ = found.values
            yield model._ranked()

    def _averaged(self, features: Features, D: NDArray, targets: list[AnyTarget]) -> NDArray:
        """Weights of the features for each of the targets, with neighbors at the distances D."""
        Q = (self._weighted(D, target, features) for target in targets)
        sums = features.sums([pair_form(features, each) for each in Q])
        return sums / np.array([[target.total] for target in targets])

    def _weighted(self, D: NDArray, target: AnyTarget, features: Features) -> NDArray:
        """The neighbors of every sample, times its weight."""
        Q = self._neighbors(D, target, features)
        return Q if target.weights is None else Q * target.weights[:, None]


def _unit_distances(features: Features) -> NDArray:
    return features.distances(np.ones(features.n_features))
