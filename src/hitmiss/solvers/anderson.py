"""Anderson's extrapolation of a fixed-point iteration ``w <- T(w)``.

How the residuals ``r = T(w) - w`` turned with the weights w in the last iterations tells which step
makes the next one small, as if T were linear. Where one damped step after the other crawls in some
directions and oscillates in others, the residual then halves with every iteration.
"""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

# From the fixed point of half of 3,000 samples of 8 classes (97 weights) a residual of 1e-5 takes
# 20 iterations with 10 or 20 turns and steps of 0.3 or 0.5, by damped steps alone 40.
TURNS = 10
STEP = 0.5  # along the residual that is left
LEAST_TURNS = 2  # before the first extrapolation: a residual from afar says nothing of those near
GROWN = 2.0  # factor over the least residual at which what is known is forgotten
RIDGE = 1e-8  # on products of unit vectors, so that they may depend on each other


class Turn(NamedTuple):
    """From one iteration to the next: the change of the weights, and that of the residual."""

    weights: NDArray
    residual: NDArray


class Anderson:
    """What is known of the last iterations, whatever features these were on."""

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
        if size > GROWN * self._least:
            self._turns, self._last = [], None
        if self._last is not None:
            self._turns.append(Turn(w - self._last.weights, residual - self._last.residual))
        self._turns = self._turns[-TURNS:]
        self._last, self._least = Turn(w, residual), min(self._least, size)
        if len(self._turns) < LEAST_TURNS:
            return None
        # The weights of the smallest residual in the space of the turns, and a step along it.
        scale = np.array([np.linalg.norm(turn.residual) or np.inf for turn in self._turns])
        changes = np.array([turn.weights for turn in self._turns]) / scale[:, None]
        turns = np.array([turn.residual for turn in self._turns]) / scale[:, None]
        gram = turns @ turns.T
        gram.flat[:: len(gram) + 1] += RIDGE
        share = np.linalg.solve(gram, turns @ residual)
        left = residual - share @ turns
        return w - share @ changes + STEP * left
