"""Blocks of whatever holds the data."""

from typing import Any

from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.cluster import current_client
from hitmiss.data.dask import Distributed, ManyDistributed
from hitmiss.data.in_memory import Blocks
from hitmiss.data.memory_limit import MATRICES
from hitmiss.data.row_tiles import ManySamples
from hitmiss.data.sources import Source
from hitmiss.data.sources.lazy import DaskSource
from hitmiss.data.stored import Stored


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
