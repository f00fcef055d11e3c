"""Work on a Dask cluster that ends: with a result, or with an error of one sentence."""

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from hitmiss._util.errors import ClusterError
from hitmiss.data import sizes


def current_client() -> Any | None:
    """The client of the Dask cluster that is current, if there is one."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


class Worker(NamedTuple):
    """What a worker of a cluster is doing."""

    paused: bool  # by Dask, for lack of memory; its tasks wait
    busy: bool  # has tasks


class Cluster:
    """A client whose results are waited for, with a time limit.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster.
    """

    def __init__(self, client: Any):
        self.client = client

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A future of the function's value."""
        return self.client.submit(function, *arguments, pure=False)

    def scatter(self, value: Any) -> Any:
        """A future of a value that every worker has."""
        try:
            future, *_ = self.client.scatter(
                [value], broadcast=True, hash=False, timeout=sizes.CLUSTER_TIMEOUT
            )
            return future
        except TimeoutError as error:
            self._check_scheduler()
            raise self._no_worker() from error

    def results(self, submit: Callable[[], list[Any]]) -> list[Any]:
        """The values of the futures that `submit` makes, in their order.

        A worker that dies is replaced by the others: what it had is computed again. If something
        cannot be computed again, because it came from here, it is submitted once more.
        """
        from distributed import CancelledError, KilledWorker

        error: BaseException | None = None
        for _ in range(sizes.ATTEMPTS):
            try:
                futures = submit()
                self._await(futures)
                return self.client.gather(futures)
            except KilledWorker as killed:
                raise ClusterError(
                    "Workers of the Dask cluster died again and again over one block, most likely "
                    "for lack of memory; use smaller chunks or workers with more memory."
                ) from killed
            except (CancelledError, OSError, TimeoutError) as lost:
                self._check_scheduler()
                error = lost
        raise ClusterError(
            "The Dask cluster lost data that it cannot compute again, most likely with a worker "
            "that died; fit again."
        ) from error

    def _await(self, futures: list[Any]) -> None:
        """Return when all futures are done; raise if no worker works on them for too long."""
        from distributed import wait

        idle_since = None
        while True:
            try:
                wait(futures, timeout=sizes.POLL)
                return
            except TimeoutError:
                pass
            if any(worker.busy and not worker.paused for worker in self._workers()):
                idle_since = None
                continue
            idle_since = idle_since or time.monotonic()
            if time.monotonic() - idle_since > sizes.CLUSTER_TIMEOUT:
                self._check_scheduler()
                raise self._no_worker()

    def _check_scheduler(self) -> None:
        """An error if the scheduler does not come back."""
        until = time.monotonic() + sizes.CLUSTER_TIMEOUT
        while self.client.status != "running":
            if self.client.status == "closed" or time.monotonic() > until:
                raise ClusterError(
                    "The scheduler of the Dask cluster is gone; start it again and fit again."
                )
            time.sleep(sizes.POLL)

    def _no_worker(self) -> ClusterError:
        """The error for a cluster in which no worker works."""
        waited = f"{sizes.CLUSTER_TIMEOUT:g} s"
        if any(worker.paused for worker in self._workers()):
            return ClusterError(
                f"Workers of the Dask cluster have been paused for {waited}, for lack of memory; "
                "use more of them, or workers with more memory, then fit again."
            )
        return ClusterError(
            f"The Dask cluster has had no worker for {waited}; start one, then fit again."
        )

    def _workers(self) -> list[Worker]:
        """The workers; none if the scheduler does not say."""
        if self.client.status != "running":
            return []
        try:
            tasks = self.client.processing()
            known = self.client.scheduler_info()["workers"]
        except (OSError, TimeoutError):
            return []
        return [
            Worker(known.get(name, {}).get("status") == "paused", len(tasks[name]) > 0)
            for name in tasks
        ]
