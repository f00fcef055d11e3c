"""Blocks of whatever holds the data."""

from typing import Any

from numpy.typing import NDArray

from hitmiss.blocks import Blocks
from hitmiss.scale.ceiling import MATRICES
from hitmiss.scale.cluster import Distributed, ManyDistributed
from hitmiss.scale.patience import current_client
from hitmiss.scale.stored import Stored
from hitmiss.scale.tiles import ManySamples
from hitmiss.sources import Source
from hitmiss.sources.lazy import DaskSource
from hitmiss.workers import Workers


def row_tiles(blocks: Blocks, references: NDArray | None = None) -> ManySamples:
    """Blocks of very many samples in row tiles, wherever their features are."""
    kind = ManyDistributed if isinstance(blocks, Distributed) else ManySamples
    return kind(blocks, references)


def open_blocks(
    X: Any, workers: Workers, memory: int | None = None, matrices: int = MATRICES
) -> Blocks:
    """X as blocks.

    Parameters
    ----------
    X : ndarray or Source
        The data.
    workers : Workers
        Where the work runs.
    memory : int, optional
        Bytes that a fit may use.
    matrices : int
        Numbers per pair of samples that it holds.

    Returns
    -------
    Blocks
    """
    client = current_client() if isinstance(X, DaskSource) else None
    if client is not None:
        return Distributed(X, workers, client)
    if isinstance(X, Source):
        return Stored(X, workers, memory, matrices)
    return Blocks(X, workers)
