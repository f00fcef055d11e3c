"""Work on a Dask cluster that ends: with a result, or with an error of one sentence."""

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from functools import partial
from typing import Any, NamedTuple

from hitmiss._util import versions
from hitmiss._util.errors import ClusterError

CLUSTER_TIMEOUT = 60.0  # seconds without a working worker, or a scheduler, before giving up
POLL = 0.5  # seconds between two looks at the cluster: short beside that, long beside a task
ATTEMPTS = 3  # how often work is handed out again after what it needs was lost


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
    """A worker of a cluster, and whether it works."""

    name: str
    paused: bool  # by Dask, for lack of memory; its tasks wait
    busy: bool  # has tasks
    last_seen: float  # by the scheduler, on its clock


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

        def scatter() -> Any:
            future, *_ = self.client.scatter(
                [value], broadcast=True, hash=False, timeout=CLUSTER_TIMEOUT
            )
            return future

        try:
            return self._watched(scatter)
        except TimeoutError as error:
            self._check_scheduler()
            raise self._no_worker() from error

    def results(self, submit: Callable[[], list[Any]]) -> list[Any]:
        """The values of the futures that `submit` makes, in their order.

        A worker that dies is replaced by the others: what it had is computed again. If something
        cannot be computed again, because it came from here, it is submitted once more. An error
        of the data themselves, such as a file that is not there, is raised as it is.
        """
        from distributed import CancelledError
        from distributed.client import ClosedClientError

        error: BaseException | None = None
        for _ in range(ATTEMPTS):
            try:
                futures = submit()
                self._await(futures)
                failed = next((future for future in futures if future.status == "error"), None)
                if failed is None:
                    return self._watched(partial(self.client.gather, futures))
            except ClosedClientError as closed:
                raise ClusterError(
                    "The client of the Dask cluster was closed during the fit; connect again and "
                    "fit again."
                ) from closed
            except (CancelledError, OSError, TimeoutError) as lost:
                self._check_scheduler()
                error = lost
            else:
                raise self._error_of(failed)
        raise ClusterError(
            "The Dask cluster lost data that it cannot compute again, most likely with a worker "
            "that died; fit again."
        ) from error

    def _error_of(self, failed: Any) -> BaseException:
        """The error of a task, in words of its own if workers died over it."""
        from distributed import KilledWorker

        error = self._watched(failed.exception)
        if isinstance(error, (ImportError, AttributeError)) and "hitmiss" in str(error):
            return _other_version(f"({error})", error)  # without what it is asked for
        if not isinstance(error, KilledWorker):
            return error
        died = ClusterError(
            "Workers of the Dask cluster died again and again over one block, most likely for lack "
            "of memory; use smaller chunks or workers with more memory."
        )
        died.__cause__ = error
        return died

    def _await(self, futures: list[Any]) -> None:
        """Return when all futures are done; raise if no worker works on them for too long."""
        from distributed import wait

        idle_since, watch = None, Watch(self._check_scheduler)
        while True:
            try:
                wait(futures, timeout=POLL)
                return
            except TimeoutError:
                pass
            workers = self._workers()
            watch.check(workers, lambda worker: worker.busy)
            if any(worker.busy and not worker.paused for worker in workers or ()):
                idle_since = None
                continue
            idle_since = idle_since or time.monotonic()
            if time.monotonic() - idle_since > CLUSTER_TIMEOUT:
                self._check_scheduler()
                raise self._no_worker()

    def _watched(self, call: Callable[[], Any]) -> Any:
        """The value of a call of the client; an error if the cluster stops meanwhile."""
        ended: Future[Any] = Future()

        def run() -> None:
            try:
                ended.set_result(call())
            except BaseException as error:
                ended.set_exception(error)

        threading.Thread(target=run, name="hitmiss-dask", daemon=True).start()
        watch = Watch(self._check_scheduler)
        while True:
            waited, _ = wait_for([ended], timeout=POLL)
            if waited:
                return ended.result()
            watch.check(self._workers(), lambda worker: True)

    def _check_scheduler(self) -> None:
        """An error if the scheduler does not come back."""
        until = time.monotonic() + CLUSTER_TIMEOUT
        while self.client.status != "running":
            if self.client.status == "closed" or time.monotonic() > until:
                raise ClusterError(
                    "The scheduler of the Dask cluster is gone; start it again and fit again."
                )
            time.sleep(POLL)

    def _no_worker(self) -> ClusterError:
        """The error for a cluster in which no worker works."""
        waited = f"{CLUSTER_TIMEOUT:g} s"
        if any(worker.paused for worker in self._workers() or ()):
            return ClusterError(
                f"Workers of the Dask cluster have been paused for {waited}, for lack of memory; "
                "use more of them, or workers with more memory, then fit again."
            )
        return ClusterError(
            f"The Dask cluster has had no worker for {waited}; start one, then fit again."
        )

    def _workers(self) -> list[Worker] | None:
        """The workers; none if there is no scheduler, None if it does not answer."""
        if self.client.status != "running":
            return []
        # Several questions fit into the time that a scheduler has to answer one of them.
        patience = CLUSTER_TIMEOUT / 6
        scheduler, sync = self.client.scheduler, self.client.sync
        try:
            tasks = sync(scheduler.processing, workers=None, callback_timeout=patience)
            known = sync(scheduler.identity, callback_timeout=patience)["workers"]
        except TimeoutError:
            return None
        except OSError:
            return []
        return [
            Worker(name, one["status"] == "paused", len(tasks[name]) > 0, one.get("last_seen", 0.0))
            for name in tasks
            if (one := known.get(name, {})).get("status") in ("running", "paused")  # not closing
        ]


class Watch:
    """Notices a scheduler, or a worker, that is there and does not answer."""

    def __init__(self, check_scheduler: Callable[[], None]) -> None:
        self._check_scheduler = check_scheduler
        self._answered = time.monotonic()
        self._seen: dict[str, tuple[float, float]] = {}  # by worker: last sign, and when it came

    def check(self, workers: list[Worker] | None, needed: Callable[[Worker], bool]) -> None:
        """An error if the scheduler, or a worker that is needed, has been silent for too long."""
        now = time.monotonic()
        if workers is None:
            if now - self._answered > CLUSTER_TIMEOUT:
                self._check_scheduler()  # one that is gone is another error
                raise _silent("scheduler")
            return
        self._answered = now
        for worker in workers:
            last_seen, since = self._seen.get(worker.name, (None, now))
            if last_seen != worker.last_seen:
                self._seen[worker.name] = worker.last_seen, now
            elif needed(worker) and now - since > CLUSTER_TIMEOUT:
                raise _silent(f"worker {worker.name}")


def check_same_version(version: str) -> None:
    """An error if another version of hitmiss asks than the one that answers; runs on a worker.

    Parameters
    ----------
    version : str
        Of the one that asks.
    """
    if version != versions.__version__:
        raise _other_version(f"{versions.__version__} where the client has {version}")


def _other_version(what: str, cause: BaseException | None = None) -> ClusterError:
    found = ClusterError(
        f"A worker of the Dask cluster has another hitmiss {what}; install the same version on "
        "every worker, then fit again."
    )
    found.__cause__ = cause
    return found


def _silent(who: str) -> ClusterError:
    return ClusterError(
        f"The {who} of the Dask cluster has not answered for {CLUSTER_TIMEOUT:g} s; start it "
        "again, then fit again."
    )
