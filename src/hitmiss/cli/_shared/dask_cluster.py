"""The Dask cluster that one command runs on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError, optional
from hitmiss.data import sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCAL = "local"
CONNECT_TIMEOUT = 5  # seconds in which a scheduler must answer
CHUNKS_PER_WORKER = 4  # several, so that no worker waits long for another


@contextmanager
def cluster(address: str | None) -> Iterator[Any | None]:
    """The client of a cluster, made of processes of this machine if the address is "local".

    Work that runs through joblib inside the block runs on the cluster as well. Without an address
    there is no client.
    """
    if address is None:
        yield None
        return
    import joblib

    distributed = optional("distributed", extra="dask")
    if address == LOCAL:
        with (
            distributed.LocalCluster(threads_per_worker=1, dashboard_address=":0") as processes,
            distributed.Client(processes) as client,
            joblib.parallel_config("dask"),
        ):
            yield client
        return
    try:
        client = distributed.Client(address, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError) as error:
        raise InputError(f"No Dask scheduler answers at {address!r}; start one first.") from error
    with client, joblib.parallel_config("dask"):
        yield client


def spread(X: "NDArray", client: Any) -> Any:
    """X as a Dask array whose chunks, some features each, are on the workers."""
    array, delayed = optional("dask.array", extra="dask"), optional("dask", extra="dask").delayed
    n_chunks = CHUNKS_PER_WORKER * max(1, len(client.nthreads()))
    block = sizes.LARGEST_BLOCK  # chunks are cut where blocks in memory are
    size = max(block, -(-X.shape[1] // n_chunks // block) * block)
    pieces = [X[:, k : k + size] for k in range(0, X.shape[1], size)]
    futures = client.scatter(pieces, hash=False)
    chunks = [
        array.from_delayed(delayed(future), piece.shape, piece.dtype)
        for future, piece in zip(futures, pieces, strict=True)
    ]
    return array.concatenate(chunks, axis=1)
