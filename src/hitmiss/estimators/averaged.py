"""The template of the RELIEF methods: a neighbor rule, and margins averaged under it."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.pair_weights import PairList
from hitmiss.estimators import thresholds
from hitmiss.estimators.base import BaseSelector
from hitmiss.inference.statistic import Statistic
from hitmiss.targets.classes import Classes


class AveragedMargins(BaseSelector):
    """Base of the RELIEF methods; a subclass implements `_neighbors`.

    The weight of a feature is the mean over the samples of ``sum_i Q_ni |x_n - x_i|``.
    """

    _out_of_core = True
    _uses_blas = False

    def __init__(
        self,
        *,
        scale: str | None = "range",
        threshold: float = 0.01,
        max_features: int | None = None,
        n_jobs: int | None = None,
        memory: int | str | None = None,
        verbose: bool = False,
    ):
        self.scale = scale
        self.threshold = threshold
        self.max_features = max_features
        self.n_jobs = n_jobs
        self.memory = memory
        self.verbose = verbose

    @abstractmethod
    def _neighbors(self, D: NDArray, target: Classes, workers: Workers) -> NDArray:
        """Signed weights Q of the neighbors: plus for misses, minus for hits."""

    def _weigh(self, features: Features, target: Classes) -> NDArray:
        return self._averaged(features, _unit_distances(features), [target])[0]

    def _statistics(
        self, features: Features, targets: Iterable[Classes], shared: Any
    ) -> Iterator[Statistic]:
        D, left = _unit_distances(features), iter(targets)  # distances serve for all labels
        while some := list(islice(left, thresholds.TARGETS_TOGETHER)):
            yield from map(Statistic.of, self._averaged(features, D, some))

    def _weigh_each(self, features: Features, targets: Iterable[Classes]) -> Iterator[Self]:
        for found in self._statistics(features, targets, None):  # with one matrix of distances
            model = copy(self)
            model.weights_ = found.values
            yield model._ranked()

    def _averaged(self, features: Features, D: NDArray, targets: list[Classes]) -> NDArray:
        """Weights of the features for each of the targets, with neighbors at the distances D."""
        Q = (self._neighbors(D, target, features.workers) for target in targets)
        sums = features.sums([PairList.of(each, features.dtype) for each in Q])
        return sums / np.array([[target.n_with_hit] for target in targets])


def _unit_distances(features: Features) -> NDArray:
    return features.distances(np.ones(features.n_features))
