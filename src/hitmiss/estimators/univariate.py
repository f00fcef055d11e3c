"""The template of methods that look at one feature at a time."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks
from hitmiss.estimators.base import BaseSelector


class Univariate(BaseSelector):
    """Base of univariate selectors; a subclass implements `_score`."""

    scale = "range"  # changes no score, and keeps the numbers in range

    def __init__(
        self,
        *,
        threshold: float = 0.01,
        max_features: int | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ):
        self.threshold = threshold
        self.max_features = max_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    @abstractmethod
    def _score(self, X: NDArray, y: NDArray) -> NDArray:
        """Scores of a few features."""

    def _columns(self, blocks: Blocks, part: slice) -> NDArray:
        """A few features, in double precision."""
        return blocks.columns(np.arange(part.start, part.stop), float).X

    def _weigh(self, blocks: Blocks, y: NDArray) -> NDArray:
        w, size = np.empty(blocks.n_features), blocks.block_size

        def fill(start: int) -> None:
            part = slice(start, min(start + size, blocks.n_features))
            w[part] = self._score(self._columns(blocks, part), y)

        blocks.workers.map(fill, range(0, blocks.n_features, size))
        return w
