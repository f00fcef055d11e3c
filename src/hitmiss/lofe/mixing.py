"""Steps of a fixed point from the residuals of several iterations (Anderson's mixing).

How the residuals ``r = T(w) - w`` turned with the weights w in the last iterations tells which step
makes the next one small, as if T were linear. Where one damped step after the other crawls in some
directions and oscillates in others, the residual then halves with every iteration. T finds all
neighbors, and with thousands of samples that is all the time there is.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics


class Turn(NamedTuple):
    """From one iteration to the next: the change of the weights, and that of the residual."""

    weights: NDArray
    residual: NDArray


class Mixing:
    """What is known of the last iterations, whatever features and samples these were on."""

    def __init__(self) -> None:
        self._index = np.empty(0, int)
        self._turns: list[Turn] = []
        self._last: Turn | None = None  # from nothing to the last weights
        self._least = np.inf  # residual

    def on(self, index: NDArray) -> Self:
        """The same where an iteration begins on some features.

        Parameters
        ----------
        index : ndarray of int
            The features, ascending. Those that are new had no weight and no residual.
        """
        _, old, new = np.intersect1d(self._index, index, return_indices=True)

        def moved(values: NDArray) -> NDArray:
            out = np.zeros(len(index))
            out[new] = values[old]
            return out

        self._turns = [Turn(moved(turn.weights), moved(turn.residual)) for turn in self._turns]
        self._index, self._last, self._least = index, None, np.inf
        return self

    def next(self, w: NDArray, residual: NDArray) -> NDArray | None:
        """The weights to go on with; None where too little is known.

        Parameters
        ----------
        w : ndarray of shape (n_features,)
            Weights.
        residual : ndarray of shape (n_features,)
            ``T(w) - w``.
        """
        size = float(np.linalg.norm(residual))
        if size > heuristics.MIXED_WORSE * self._least:
            self._turns, self._last = [], None
        if self._last is not None:
            self._turns.append(Turn(w - self._last.weights, residual - self._last.residual))
        self._turns = self._turns[-heuristics.MIXED :]
        self._last, self._least = Turn(w, residual), min(self._least, size)
        if len(self._turns) < heuristics.LEAST_MIXED:
            return None
        return self._mixed(w, residual)

    def _mixed(self, w: NDArray, residual: NDArray) -> NDArray:
        """The weights of the smallest residual in the space of the turns, and a step along it."""
        scale = np.array([np.linalg.norm(turn.residual) or np.inf for turn in self._turns])
        changes = np.array([turn.weights for turn in self._turns]) / scale[:, None]
        turns = np.array([turn.residual for turn in self._turns]) / scale[:, None]
        gram = turns @ turns.T
        gram.flat[:: len(gram) + 1] += heuristics.MIXED_RIDGE
        share = np.linalg.solve(gram, turns @ residual)
        left = residual - share @ turns
        return w - share @ changes + heuristics.MIXED_STEP * left
