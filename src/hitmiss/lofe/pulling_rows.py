"""Steps of the fixed point with the samples that count, for one class against many others.

A sample with a large margin pulls hardly at the weights, and one class against the rest leaves most
samples so. While the iteration is under way, the margin vectors of the samples that together have
nearly all of the pull are found anew under every w, and those of the others stay as they were.
Where an iteration begins, and wherever it seems to end, all of them are found anew, so the answer
and its certificate are those of all samples.
"""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.kernels.linear import weighted_row_sum
from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Move
from hitmiss.lofe.moments import moments
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.steps import Steps
from hitmiss.neighbors.pairs import used
from hitmiss.neighbors.soft_tiles import SoftTiles
from hitmiss.solvers.prox_newton import prox_newton


class SomeRows(SoftTiles):
    """Soft neighbors, among all samples, of some samples.

    Parameters
    ----------
    features : Features
        The data.
    problem : Problem
        Whose classes and kernel width are used.
    w : ndarray of shape (n_features,)
        Weights.
    rows : ndarray of int
        The samples.
    negligible : float, optional
        Probability of a neighbor up to which it is left out; by default, what rounding hides.
    """

    def __init__(
        self,
        features: Features,
        problem: Problem,
        w: NDArray,
        rows: NDArray,
        negligible: float | None = None,
    ):
        A, rule = used(features, w)
        target = problem.target.classes
        super().__init__(A, target, np.arange(len(target)), problem.sigma, rule)
        size = max(len(self.tiles[0]), 4)
        self.tiles = [rows[k : k + size] for k in range(0, len(rows), size)]
        if negligible is not None:
            self._negligible = negligible


class PullingRows:
    """The moves and Newton steps of one search.

    Parameters
    ----------
    tol : float
        Relative change of the weights at which the iteration may end.
    """

    def __init__(self, tol: float):
        self.tol = tol
        self._features: Features | None = None  # those of the iteration under way
        self._w = self._pull = np.empty(0)
        self._Z = np.empty((0, 0))

    def steps(self) -> Steps:
        """The steps of the search."""
        return Steps(move=self.move, newton=self.newton)

    def move(self, features: Features, problem: Problem, w: NDArray, u: NDArray) -> Move:
        """T(w), from the start u; see `hitmiss.lofe.fixed_point.next_move`.

        Parameters
        ----------
        features : Features
            The features that w is about.
        problem : Problem
            What is solved.
        w : ndarray of shape (n_features,)
            Weights under which the neighbors are found.
        u : ndarray of shape (n_features,)
            Where the minimization begins.
        """
        every = np.arange(features.n_samples)
        if features is not self._features:
            self._features = features
            self._Z = np.empty((features.n_samples, features.n_features), features.dtype)
            return self._move(problem, w, u, every)
        rows = strongest(self._pull, heuristics.PULLING)
        found = self._move(problem, w, u, rows)
        size = np.linalg.norm(found.u - w)
        if size <= self.tol * max(np.linalg.norm(w), np.linalg.norm(found.u)):
            return self._move(problem, w, u, np.setdiff1d(every, rows))
        return found

    def _move(self, problem: Problem, w: NDArray, u: NDArray, rows: NDArray) -> Move:
        """T(w) with new margin vectors of some samples."""
        assert self._features is not None
        _renew(self._Z, self._features, problem, w, rows)
        self._w, support = w, np.flatnonzero(w)
        margins, gradient = np.empty(len(self._Z)), np.empty(len(w))
        weighted_row_sum(w[support], np.ascontiguousarray(self._Z[:, support].T), margins)
        self._pull = problem.pull(margins)
        weighted_row_sum(self._pull, self._Z, gradient)
        solution = prox_newton(self._Z, problem.loss, problem.penalty, u)
        gap = problem.gap(w, gradient)
        return Move(solution.w, solution.gap, problem.objective(margins, w), gap)

    def newton(self, features: InMemory, problem: Problem, w: NDArray) -> NDArray | None:
        """Positive w near the given one with ``c(w) = alpha`` on all features, or None.

        The derivatives are those of some samples, found anew where the old ones gain little.

        Parameters
        ----------
        features : InMemory
            The features of the support only.
        problem : Problem
            What is solved.
        w : ndarray of shape (n_features,)
            Start, positive.
        """
        start, reach = w, heuristics.FARTHEST * np.linalg.norm(w)
        Z, pull = self._Z[:, np.flatnonzero(self._w)].astype(float), self._pull
        excess, jacobian, fresh = pull @ Z - problem.alpha, None, False
        for _ in range(heuristics.NEWTON_STEPS):
            size = np.abs(excess).max()
            if size <= heuristics.DERIVED_EXACT * problem.alpha:
                return w
            rows = strongest(pull, heuristics.PULLING)
            if jacobian is None:
                jacobian, fresh = jacobian_of(features, problem, w, pull, rows), True
            u = _step(jacobian, w, excess)
            if u is None or u.min() <= 0 or np.linalg.norm(u - start) > reach:
                return None
            before, w = w, u
            _renew(Z, features, problem, w, rows)
            pull = problem.pull(Z @ w)
            excess = pull @ Z - problem.alpha
            gained = np.abs(excess).max() / size
            if gained >= 1:
                return before if size <= heuristics.SOLVED * problem.alpha else None
            if gained > heuristics.DERIVED_GAIN and not fresh:
                jacobian = None
            fresh = False
        return w


def _renew(Z: NDArray, features: Features, problem: Problem, w: NDArray, rows: NDArray) -> None:
    """Find the margin vectors of some samples anew."""
    if w.any():
        Z[rows] = features.margins(SomeRows(features, problem, w, rows))[rows]
    else:
        Z[:] = features.margins(problem.neighbors(features, w))


def _step(jacobian: NDArray, w: NDArray, excess: NDArray) -> NDArray | None:
    try:
        return w - np.linalg.solve(jacobian, excess)
    except np.linalg.LinAlgError:
        return None


def jacobian_of(
    features: InMemory, problem: Problem, w: NDArray, pull: NDArray, rows: NDArray
) -> NDArray:
    """Derivatives ``dc_j / dw_k`` of some samples, or of a part of them that stands for them.

    `hitmiss.lofe.newton.linearize` has the formula.

    Parameters
    ----------
    features : InMemory
        The features of the support only.
    problem : Problem
        What is solved.
    w : ndarray of shape (n_features,)
        Weights, positive.
    pull : ndarray of shape (n_samples,)
        Pull of every sample.
    rows : ndarray of int
        The samples.
    """
    step = -(-len(rows) // heuristics.DERIVED)
    rows = rows[np.argsort(-pull[rows], kind="stable")][::step]  # some of every strength
    Q = SomeRows(features, problem, w, rows, heuristics.DERIVED_NEIGHBOR)
    jacobian = np.zeros((len(w), len(w)))
    for some, miss, hit, second in moments(features, Q):
        Z, s = miss - hit, pull[some]
        bend = problem.loss.curvature(Z @ w) * (s > 0)
        Vw = second @ w - miss * (miss @ w)[:, None] + hit * (hit @ w)[:, None]
        V = np.tensordot(s, second, 1) - (miss.T * s) @ miss + (hit.T * s) @ hit
        jacobian -= (Z.T * bend) @ (Z - Vw / problem.sigma) + V / problem.sigma
    return step * jacobian


def strongest(pull: NDArray, share: float) -> NDArray:
    """Samples, ascending, that together have this share of the pull.

    Parameters
    ----------
    pull : ndarray of shape (n_samples,)
        Pull of every sample, at least 0.
    share : float
        At most 1.

    Examples
    --------
    >>> strongest(np.array([0.5, 0.0, 0.1, 0.4]), 0.85)
    array([0, 3])
    """
    order = np.argsort(-pull, kind="stable")
    total = np.cumsum(pull[order])
    n = np.searchsorted(total, share * total[-1]) + 1 if len(pull) else 0
    return np.sort(order[:n])
