"""Blocks of whatever holds the data."""

from typing import Any

from hitmiss.blocks import Blocks
from hitmiss.scale.stored import Stored
from hitmiss.sources import Source
from hitmiss.workers import Workers


def open_blocks(X: Any, workers: Workers, memory: int | None = None) -> Blocks:
    """X as blocks.

    Parameters
    ----------
    X : ndarray or Source
        The data.
    workers : Workers
        Where the work runs.
    memory : int, optional
        Bytes that a fit may use.

    Returns
    -------
    Blocks
    """
    if isinstance(X, Source):
        return Stored(X, workers, memory)
    return Blocks(X, workers)
