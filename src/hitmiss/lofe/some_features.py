"""The fixed point on a few features alone, as if the data held no others."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Fit, Problem
from hitmiss.lofe.starts import spread


class Subsets:
    """Fixed points on subsets of a few features.

    Parameters
    ----------
    features : InMemory
        The features that subsets are made of.
    problem : Problem
        What is solved, with its kernel width and its strength of the penalty.
    workers : Workers
        Where the work runs.
    tol, max_iter
        As in `hitmiss.lofe.search.Search`.
    """

    def __init__(
        self,
        features: InMemory,
        problem: Problem,
        workers: Workers,
        *,
        tol: float,
        max_iter: int,
    ):
        # Of few samples a thread takes a subset, of many a part of the samples.
        few = features.n_samples**2 <= sizes.SERIAL
        scaling = features.scaling.of_scaled()
        self.features = InMemory(features.values, Workers(1) if few else workers, scaling)
        self.workers = workers if few else Workers(1, workers.progress)
        self.problem, self.tol, self.max_iter = problem, tol, max_iter

    def each(self, find: Callable[[Any], Fit], items: Iterable[Any], label: str) -> list[Fit]:
        """The fixed point of every item.

        Parameters
        ----------
        find : callable
            From an item to a fixed point, by `solve` or `follow`.
        items : iterable
            Items.
        label : str
            Description of the work, for the progress.
        """
        return self.workers.map(find, items, label)

    def solve(self, index: NDArray, starts: Sequence[NDArray] = ()) -> Fit:
        """The fixed point of lowest objective on some features.

        Parameters
        ----------
        index : ndarray of int
            The features, at least one, ascending.
        starts : sequence of ndarray of shape (len(index),)
            Weights to start from, before the uniform ones.
        """
        some = self.features.columns(index)
        return self._solve(some, [*starts, *self._uniform(some)])

    def follow(self, index: NDArray, start: NDArray) -> Fit:
        """The fixed point on some features that one start leads to."""
        return self._solve(self.features.columns(index), [start])

    def _uniform(self, some: InMemory) -> list[float]:
        """Uniform weights under which neighbors are local, and very local."""
        if np.isinf(self.problem.sigma):
            return [1.0]
        local = heuristics.LOCAL * self.problem.sigma / spread(some)
        return [factor * local for factor in heuristics.SUBSET_STARTS]

    def _solve(self, some: InMemory, starts: Sequence[float | NDArray]) -> Fit:
        return FixedPoints(
            some,
            self.problem,
            starts,
            explore=False,
            tol=self.tol,
            max_iter=self.max_iter,
            record=lambda **row: None,
        ).solve(self.problem.sigma, self.problem.alpha)
