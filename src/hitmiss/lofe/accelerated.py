"""The iteration for the fixed point with Anderson's acceleration.

``w <- T(w)`` overshoots along a few directions and creeps along others. What the last steps changed
in the residual ``T(w) - w`` shows both: the next w is where a combination of them would leave
none of it. No derivatives are needed, so it is quick for any number of features.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.lofe import heuristics
from hitmiss.lofe.fixed_point import Iteration


class Accelerated(Iteration):
    """An `Iteration` in whose steps those before have a part.

    Parameters
    ----------
    *args, **parameters
        Those of `Iteration`; Newton's method is not used.
    """

    _least: float  # residual since the last setback
    _ws: list[NDArray]
    _residuals: list[NDArray]

    def __init__(self, *args: Any, **parameters: Any):
        super().__init__(*args, **parameters)
        self.step = min(self.step, heuristics.MIXED)
        self._forget()

    def _advance(self, residual: NDArray) -> None:
        """Go to where the residuals so far would cancel, and on by a part of what is left."""
        size = float(np.linalg.norm(residual))
        if size > heuristics.SETBACK * self._least:
            self._forget()
            self.step = max(heuristics.SMALLEST_STEP, heuristics.SHORTER * self.step)
        self._least = min(self._least, size)
        self._ws = [*self._ws, self.w][-heuristics.REMEMBERED :]
        self._residuals = [*self._residuals, residual][-heuristics.REMEMBERED :]
        u = cancelling(self._ws, self._residuals, self.step)
        u[(self._u == 0) & (u <= heuristics.DROPPED * u.max(initial=0.0))] = 0.0
        self.w = np.maximum(u, 0.0)

    def _forget(self) -> None:
        self._least = np.inf
        self._ws, self._residuals = [], []


def cancelling(ws: list[NDArray], residuals: list[NDArray], step: float) -> NDArray:
    """The combination of the last w whose residuals cancel best, and a step along what is left.

    Parameters
    ----------
    ws : list of ndarray of shape (n_features,)
        Weights, the last ones last.
    residuals : list of ndarray of shape (n_features,)
        ``T(w) - w`` of each.
    step : float
        Part of what is left of the residual that is added.

    Examples
    --------
    The residual is linear here, and 0 at 3:

    >>> cancelling([np.array([1.0]), np.array([2.0])], [np.array([4.0]), np.array([2.0])], 0.5)
    array([3.])
    """
    w, residual = ws[-1], residuals[-1]
    if len(ws) == 1:
        return w + step * residual
    changes, moves = np.diff(residuals, axis=0).T, np.diff(ws, axis=0).T
    parts = np.linalg.lstsq(changes, residual, rcond=heuristics.SAME_DIRECTION)[0]
    found: NDArray = w - moves @ parts + step * (residual - changes @ parts)
    return found
