"""Solvers: rows, a loss and a penalty in, a `Solution` out; each states its `Needs`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Solution(NamedTuple):
    """Weights, the number of iterations, and the distance from the optimum."""

    w: NDArray
    n_iter: int
    gap: float
    converged: bool


class Needs(NamedTuple):
    """Requirements of a solver on its loss, its penalty and its rows.

    Parameters
    ----------
    loss, penalty : tuple of str
        Attributes that the solver reads; those of the loss are of the one inside `Weighted`.
    smooth : bool
        Whether the derivative of the loss must be continuous.
    bound : bool
        Whether the solver keeps a lower bound of the weights. One that does not also needs
        ``penalty.lower``, to know that there is none.
    wide : bool
        Whether there must be at most as many rows as features.
    in_memory : bool
        Whether the rows must be an array; otherwise slices of columns and products are enough.
    """

    loss: tuple[str, ...]
    penalty: tuple[str, ...]
    smooth: bool = True
    bound: bool = True
    wide: bool = False
    in_memory: bool = True


def missing(needed: tuple[str, ...], thing: Any) -> list[str]:
    """The needed attributes that `thing` does not have, or that are None."""
    return [name for name in needed if getattr(thing, name, None) is None]


def fits(needs: Needs, loss: Any, penalty: Any) -> bool:
    """Whether a solver can take a loss with a penalty."""
    if missing(needs.loss, loss) or missing(needs.penalty, penalty):
        return False
    return (loss.smooth or not needs.smooth) and (needs.bound or penalty.lower == -np.inf)
