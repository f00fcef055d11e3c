"""The template of methods that look at one feature at a time."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.estimators import thresholds
from hitmiss.estimators.base import BaseSelector
from hitmiss.targets.classes import AnyTarget


class Univariate(BaseSelector):
    """Base of univariate selectors; a subclass implements `_score`."""

    scale = "range"  # changes no score, and keeps the numbers in range
    _missing_rules = ("skip", "error")

    def __init__(
        self,
        *,
        missing: str = "skip",
        threshold: float = 0.01,
        max_features: int | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ):
        self.missing = missing
        self.threshold = threshold
        self.max_features = max_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    @abstractmethod
    def _score(self, X: NDArray, y: NDArray) -> NDArray:
        """Scores of a few features."""

    def _columns(self, features: Features, index: NDArray) -> NDArray:
        """A few features, in double precision."""
        return features.columns(index, float).X

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        w, n_features = np.empty(features.n_features), features.n_features

        def fill(start: int) -> None:
            index = np.arange(start, min(start + thresholds.SCORED_TOGETHER, n_features))
            w[index] = self._score(self._columns(features, index), target.classes.codes)

        features.workers.map(fill, range(0, n_features, thresholds.SCORED_TOGETHER))
        return w
