"""What every feature is worth in a place beside some others.

With f(A) the objective of the fixed point on the features A alone, a place beside the features R
holds a feature k if ``f(R with k)`` is below ``f(R)``. It is solved for the few that seem best.
What the others of a large gradient are worth is estimated: the weights and the neighbors of R stay,
and only the weight of k is sought.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.pair_weights import Neighbors
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.replacements import largest_above
from hitmiss.lofe.some_features import Subsets
from hitmiss.lofe.starts import gradient

Members = tuple[int, ...]  # positions of features, ascending


class Place(NamedTuple):
    """The objective while a place is empty, and with each of the features that lower it."""

    empty: float
    tried: NDArray
    objectives: NDArray


class Known(NamedTuple):
    """The objective and the weights of the fixed point on some features."""

    objective: float
    w: NDArray


class _Seen(NamedTuple):
    """Features of large gradient under some neighbors: best weight beside others that stay."""

    tried: NDArray
    objectives: NDArray
    weights: NDArray
    others: NDArray  # their weights, which stay


class Places:
    """Places beside sets of a few features; all that was solved is remembered.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    workers : Workers
        Where the work runs.
    max_iter
        As in `hitmiss.lofe.search.Search`.
    """

    def __init__(self, features: Features, problem: Problem, workers: Workers, *, max_iter: int):
        self.features, self.problem, self.workers = features, problem, workers
        self._settings: Any = {"tol": heuristics.PLACE_TOL, "max_iter": max_iter}
        self._known: dict[Members, Known] = {(): Known(problem.null_objective, np.zeros(0))}
        self._places: dict[tuple[Members, Members], Place] = {}

    def solved(self, members: Members) -> Known:
        """The fixed point of lowest objective on some features."""
        if members not in self._known:
            fit = self._subsets(members).solve(np.arange(len(members)))
            self._known[members] = Known(fit.objective, fit.w)
        return self._known[members]

    def beside(self, others: Members, whole: Members) -> Place:
        """The place beside some features.

        Parameters
        ----------
        others : tuple of int
            The features that stay, ascending.
        whole : tuple of int
            The same, perhaps with the feature that had the place so far. Features that make sense
            only together are seen with the neighbors of the whole.
        """
        if (others, whole) not in self._places:
            self._places[others, whole] = self._found(others, whole)
        return self._places[others, whole]

    def _found(self, others: Members, whole: Members) -> Place:
        empty = self.solved(others).objective
        seen = list(self._seen(others, whole))
        exact = self._exchanged(others, seen)
        index, objectives = seen[0].tried, seen[0].objectives
        best = [k for k in _best(seen[0]) if index[k] in exact]
        # What is gained when all weights and the neighbors follow; as much for the others.
        gained = [exact[index[k]] - objectives[k] for k in best]
        estimated = objectives + min(float(np.median(gained)) if gained else 0.0, 0.0)
        values = dict(zip(index.tolist(), estimated.tolist(), strict=True)) | exact
        lower = sorted(k for k, value in values.items() if value < empty)
        return Place(empty, np.array(lower, int), np.array([values[k] for k in lower]))

    def _seen(self, others: Members, whole: Members) -> Iterator[_Seen]:
        """What is seen with the neighbors of the others, and with those of the whole."""
        for members in dict.fromkeys((others, whole)):
            w = self.solved(members).w
            kept = np.array([w[members.index(k)] for k in others])
            yield self._look(others, kept, self._neighbors(members, w))

    def _neighbors(self, members: Members, w: NDArray) -> Neighbors:
        index, w = (np.array(members), w) if members else (np.arange(1), np.zeros(1))
        return self.problem.neighbors(self.features.columns(index), w)

    def _look(self, others: Members, w: NDArray, Q: Neighbors) -> _Seen:
        """The best weight of each feature of large gradient, while all else stays."""
        kept = np.array(others, int)
        margins = np.asarray(self.features.margins(Q, kept), float) @ w if others else 0.0
        margins = margins + np.zeros(self.features.n_samples)
        c = gradient(self.features, Q, self.problem.pull(margins))
        c[kept] = -np.inf
        index = largest_above(c, self.problem.alpha, heuristics.LOOKED_AT)
        Z = np.asarray(self.features.margins(Q, index), float).T
        objectives, weights = _alone(self.problem, margins, Z)
        return _Seen(index, objectives + self.problem.penalty.value(w), weights, w)

    def _exchanged(self, others: Members, seen: list[_Seen]) -> dict[int, float]:
        """Objectives with each of the best features in the place."""
        tried = {
            int(one.tried[k]): self._start(others, one, k)
            for one in reversed(seen)
            for k in _best(one)
        }
        unknown = [k for k in tried if _joined(others, k) not in self._known]
        fits = self.workers.map(lambda k: self._follow(_joined(others, k), tried[k]), unknown)
        self._known |= {_joined(others, k): fit for k, fit in zip(unknown, fits, strict=True)}
        return {k: self._known[_joined(others, k)].objective for k in tried}

    def _start(self, others: Members, seen: _Seen, k: int) -> NDArray:
        order = np.argsort([*others, seen.tried[k]])
        return np.append(seen.others, seen.weights[k])[order]

    def _follow(self, members: Members, start: NDArray) -> Known:
        fit = self._subsets(members).follow(np.arange(len(members)), start)
        return Known(fit.objective, fit.w)

    def _subsets(self, members: Members) -> Subsets:
        few = self.features.columns(np.array(members))
        return Subsets(few, self.problem, Workers(1), **self._settings)


def _joined(others: Members, k: int) -> Members:
    return tuple(sorted((*others, k)))


def _best(seen: _Seen) -> NDArray:
    """Places in the list of the features that are solved for, best first."""
    return np.argsort(seen.objectives, kind="stable")[: heuristics.SOLVED_FOR]


def _alone(problem: Problem, margins: NDArray, Z: NDArray) -> tuple[NDArray, NDArray]:
    """Lowest objective, and the weight there, of each feature alone beside margins that stay.

    Parameters
    ----------
    problem : Problem
        What is solved.
    margins : ndarray of shape (n_samples,)
        Margins by the other features.
    Z : ndarray of shape (n_features, n_samples)
        Margin vectors of the features.
    """
    u, counts = np.zeros(len(Z)), problem.target.has_hit
    for _ in range(heuristics.ALONE_STEPS):
        total = margins + u[:, None] * Z
        slope = (problem.pull(total) * Z).sum(axis=1) - problem.alpha
        curvature = (problem.loss.curvature(total) * counts * Z**2).sum(axis=1)
        step = slope / (curvature + heuristics.ALONE_DAMPING)
        u = np.maximum(u + np.clip(step, -heuristics.ALONE_REACH, heuristics.ALONE_REACH), 0.0)
    losses = problem.loss.value(margins + u[:, None] * Z) * counts
    return losses.sum(axis=1) + problem.alpha * u, u
