"""The template of the RELIEF methods: a neighbor rule, and margins averaged under it."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import Blocks
from hitmiss.estimators.base import BaseSelector


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
    def _neighbors(self, D: NDArray, y: NDArray, workers: Workers) -> NDArray:
        """Signed weights Q of the neighbors: plus for misses, minus for hits."""

    def _weigh(self, blocks: Blocks, y: NDArray) -> NDArray:
        D = blocks.distances(np.ones(blocks.n_features))
        Q = self._neighbors(D, y, blocks.workers)
        return blocks.pair_sums(Q) / n_with_hit(y)


def n_with_hit(y: NDArray) -> int:
    """Number of samples that are not alone in their class: the others have no margin."""
    return int(np.sum(np.bincount(y)[y] > 1))
