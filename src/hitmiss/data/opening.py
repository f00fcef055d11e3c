"""Opening data: features in memory, from a source, or on a cluster."""

from typing import Any, cast

from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.sizes import MATRICES
from hitmiss.data.sources import Source
from hitmiss.data.stored import Stored


def open_features(
    X: Any, workers: Workers, memory: int | None = None, matrices: int = MATRICES
) -> Features:
    """Features of X: in memory, read from a source, or on the current Dask cluster.

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
    Features
    """
    if not isinstance(X, Source):
        return InMemory(X, workers)
    if X.may_be_distributed:  # Dask is loaded for its own data only
        from hitmiss.data.cluster import current_client
        from hitmiss.data.dask import Distributed

        client = current_client()
        if client is not None:
            return Distributed(cast(Any, X), workers, client)
    return Stored(X, workers, memory, matrices)
