"""The template of the RELIEF methods: a neighbor rule, and margins averaged under it."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.pair_weights import PairList
from hitmiss.estimators.base import BaseSelector
from hitmiss.inference.statistic import Statistic
from hitmiss.targets.classes import Classes


class AveragedMargins(BaseSelector):
    """Base of the RELIEF methods; a subclass implements `_neighbors`.

    The weight of a feature is the mean over the samples of ``sum_i Q_ni |x_n - x_i|``.
    """

    _out_of_core = True

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
        return self._averaged(features, _unit_distances(features), target)

    def _statistics(
        self, features: Features, targets: Iterable[Classes], shared: Any
    ) -> Iterator[Statistic]:
        D = _unit_distances(features)  # whatever the labels
        for target in targets:
            yield Statistic.of(self._averaged(features, D, target))

    def _averaged(self, features: Features, D: NDArray, target: Classes) -> NDArray:
        """Weights of the features, with neighbors at the distances D."""
        Q = self._neighbors(D, target, features.workers)
        return features.sums([PairList.of(Q, features.dtype)])[0] / target.n_with_hit


def _unit_distances(features: Features) -> NDArray:
    return features.distances(np.ones(features.n_features))
