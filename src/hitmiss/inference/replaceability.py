"""Which features work, and which may take the place of others: fixed points on a few features.

With f(A) the objective of the fixed point on the features A alone, found as if the data held no
others, a place beside the features R holds a feature k if ``f(R with k)`` is below ``f(R)``. It is
solved for the few that seem best. What the others of a large gradient are worth is estimated: the
weights and the neighbors of R stay, and only the weight of k is sought.

`candidates` is the short list without solving for each. Two gradients say which features would
improve most on the others alone. The first is that at their own fixed point; it nearly always has
the best candidates on top. But where features make sense only together, the others have lost the
neighbors that show it. So the second keeps the neighbors of the whole selection and leaves out only
the margins of the feature: there a copy of it is on top.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.features import Features, Neighbors, PairWeights, weighted_rows
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import Fit, FixedPoints, Problem, weighted_margins
from hitmiss.lofe.multistart import LOCAL, spread
from hitmiss.lofe.problem import evaluate, top

# Starts on a few features alone, as factors of the uniform weight at which their distances deviate
# by LOCAL: on 429 subsets of 1 to 6 features (XOR, parity, spiral, a microarray and one with
# permuted labels; kernel widths 0.1 to 8) they led as low as six starts from 0.3 to 100 with
# exploration, in a quarter of the time.
SUBSET_STARTS = (1.0, 10.0)


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
        As in `hitmiss.lofe.FixedPoints`.
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
        local = LOCAL * self.problem.sigma / spread(some)
        return [factor * local for factor in SUBSET_STARTS]

    def _solve(self, some: InMemory, starts: Sequence[float | NDArray]) -> Fit:
        return FixedPoints(
            some,
            self.problem,
            starts,
            tol=self.tol,
            max_iter=self.max_iter,
            record=lambda **row: None,
        ).solve(self.problem.sigma, self.problem.alpha)


GRADIENT_BYTES = 1 << 27  # of gradients, or of pair weights, that are found in one pass


class Selection(NamedTuple):
    """Selected features, their weights, and the weights of the others without each of them."""

    chosen: NDArray  # positions among all features, ascending
    w: NDArray  # of shape (n_selected,)
    without: NDArray  # of shape (n_selected, n_selected), zero on the diagonal


def candidates(
    features: Features, problem: Problem, selection: Selection, size: int
) -> list[NDArray]:
    """For each selected feature those that may take its place.

    Parameters
    ----------
    features : Features
        All features.
    problem : Problem
        What is solved.
    selection : Selection
        The selected features.
    size : int
        Number of candidates from each of the two gradients.

    Returns
    -------
    list of ndarray
        Positions of at most ``2 * size`` features that are not selected, ascending; perhaps none.
    """
    n_selected = len(selection.chosen)
    pulls = _pulls(features, problem, selection)
    n_numbers = 2 * max(features.n_samples**2, features.n_features)
    together = max(1, GRADIENT_BYTES // (8 * n_numbers))
    found = []
    for k in range(0, n_selected, together):
        some = [S for _ in range(k, min(k + together, n_selected)) for S in next(pulls)]
        gradients = features.sums(some)
        gradients[:, selection.chosen] = -np.inf
        best = [largest_above(c, problem.alpha, size) for c in gradients]
        found += [np.union1d(*both) for both in zip(best[::2], best[1::2], strict=True)]
    return found


def largest_above(c: NDArray, alpha: float, size: int) -> NDArray:
    """Features with the largest gradients, ascending; only above alpha one gets a weight."""
    best = top(c, size)
    return best[c[best] > alpha]


def _pulls(
    features: Features, problem: Problem, selection: Selection
) -> Iterator[tuple[PairWeights, PairWeights]]:
    """Weights of pairs of samples whose sums are the two gradients, for each selected feature."""
    few = features.columns(selection.chosen)
    whole = evaluate(few, problem, selection.w)
    for k, w in enumerate(selection.without):
        alone = evaluate(few, problem, w)
        others = np.where(np.arange(len(w)) == k, 0.0, selection.w)
        yield (
            weighted_rows(alone.Q, alone.pull),
            weighted_rows(whole.Q, problem.pull(whole.Z @ others)),
        )


LOOKED_AT = 400  # features of largest gradient; all others together have next to no share there
SOLVED_FOR = 8  # of them, under each kind of neighbors; the others are estimated
PLACE_TOL = 1e-2  # of the fixed points: with 1e-4 no objective differs by more than 1e-3
ALONE_STEPS = 6  # of Newton's method for one weight
ALONE_DAMPING = 1e-3  # of its curvature, which is 0 where all samples are far on the right side
ALONE_REACH = 20.0  # longest of its steps: weights of features divided by their range are about 10

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
        As in `hitmiss.lofe.FixedPoints`.
    """

    def __init__(self, features: Features, problem: Problem, workers: Workers, *, max_iter: int):
        self.features, self.problem, self.workers = features, problem, workers
        self._settings: Any = {"tol": PLACE_TOL, "max_iter": max_iter}
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
        """Candidates by the neighbors of the others, and by those of the whole."""
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
        (c,) = weighted_margins(self.features, Q, self.problem.pull(margins))
        c[kept] = -np.inf
        index = largest_above(c, self.problem.alpha, LOOKED_AT)
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
    return np.argsort(seen.objectives, kind="stable")[:SOLVED_FOR]


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
    for _ in range(ALONE_STEPS):
        total = margins + u[:, None] * Z
        slope = (problem.pull(total) * Z).sum(axis=1) - problem.alpha
        curvature = (problem.loss.curvature(total) * counts * Z**2).sum(axis=1)
        step = slope / (curvature + ALONE_DAMPING)
        u = np.maximum(u + np.clip(step, -ALONE_REACH, ALONE_REACH), 0.0)
    losses = problem.loss.value(margins + u[:, None] * Z) * counts
    return losses.sum(axis=1) + problem.alpha * u, u
