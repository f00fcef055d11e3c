"""Opening data: features in memory, from a source, or on a cluster."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.data.sources import Source
from hitmiss.data.stored import Stored
from hitmiss.data.subset import Subset


def open_features(
    X: Any, workers: Workers, memory: int | None = None, matrices: int = sizes.MATRICES
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


def in_single_precision(features: Features) -> Features:
    """The features, scaled, in single precision, where a copy of them is small and saves time.

    Kernels take half the time there. Data that are not in memory, or in single precision already,
    are returned as they are.

    Parameters
    ----------
    features : Features
        The data.

    Returns
    -------
    Features
    """
    n_bytes = 4 * features.n_samples * features.n_features
    if not isinstance(features, InMemory) or features.dtype == np.float32:
        return features
    if n_bytes > sizes.SINGLE_BYTES:
        return features
    return features.columns(np.arange(features.n_features), dtype=np.float32)


def of_samples(features: Features, rows: NDArray) -> Features:
    """The same features of some samples.

    Parameters
    ----------
    features : Features
        The data. On a cluster it stays there; otherwise the samples are copied.
    rows : ndarray of int
        The samples.

    Returns
    -------
    Features
    """
    from hitmiss.data.dask import Distributed

    if isinstance(features, Subset):
        return Subset(of_samples(features.whole, rows), features.index)
    if isinstance(features, Distributed):
        return features.of_samples(rows)
    X = np.empty((len(rows), features.n_features), features.dtype)
    for start in range(0, features.n_features, sizes.TILE_COLUMNS):
        part = np.arange(start, min(start + sizes.TILE_COLUMNS, features.n_features))
        X[:, part] = features.columns(part).X[rows]
    return InMemory(X, features.workers, features.scaling.of_scaled())
