"""Work on real Dask clusters of processes ends: with a result, or with an error."""

import os
import signal
import subprocess
import sys
import threading

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.core import Status

from hitmiss import LOFE
from hitmiss._util import versions
from hitmiss._util.errors import ClusterError
from hitmiss.cli._shared.dask_cluster import spread
from hitmiss.data import cluster as module
from hitmiss.data.cluster import Cluster
from tests.data.clusters import WhenBusy, in_time, slow_array
from tests.data.conftest import LIMIT

pytestmark = (
    pytest.mark.full
)  # workers that die or stop: seconds each; tests/data/test_dask.py has the answers


def test_work_that_does_not_end_is_noticed():
    with pytest.raises(TimeoutError):
        in_time(threading.Event().wait, limit=0.05)
    assert in_time(sum, [1, 2]) == 3
    with pytest.raises(ZeroDivisionError):
        in_time(divmod, 1, 0)


def test_a_cluster_that_does_not_answer_is_given_up_within_a_minute():
    assert module.CLUSTER_TIMEOUT <= 60


def test_a_worker_that_is_killed_changes_nothing(data, client, sized, tmp_path):
    X, y = data
    sized(2)
    expected = LOFE(alpha=1.0).fit(X, y).weights_
    pids = client.run(os.getpid)
    killer = WhenBusy(client, lambda: os.kill(next(iter(pids.values())), signal.SIGKILL))
    fitted = in_time(LOFE(checkpoint=tmp_path / "checkpoint", alpha=1.0).fit, slow_array(X), y)
    killer.join(LIMIT)
    assert not killer.is_alive()
    np.testing.assert_allclose(fitted.weights_, expected, rtol=1e-6, atol=1e-9)
    assert set(client.run(os.getpid).values()) != set(pids.values())


def test_data_that_die_with_a_worker_are_a_clear_error(data, client, sized):
    X, y = data
    sized(2)
    array = spread(X, client)
    holders = client.who_has(array)
    pids = client.run(os.getpid)
    os.kill(pids[next(iter(holders.values()))[0]], signal.SIGKILL)
    with pytest.raises(ClusterError, match="lost data that it cannot compute again"):
        in_time(LOFE(alpha=1.0).fit, array, y)
    sized(2)


def test_no_worker_left_is_an_error_with_a_checkpoint(
    data, cluster, client, sized, tmp_path, monkeypatch
):
    monkeypatch.setattr(module, "CLUSTER_TIMEOUT", 2.0)
    X, y = data
    sized(2)
    WhenBusy(client, lambda: cluster.scale(0))
    lofe = LOFE(checkpoint=tmp_path / "checkpoint", alpha=1.0)
    with pytest.raises(ClusterError, match=r"no worker for 2 s; start one, then fit again"):
        in_time(lofe.fit, slow_array(X, seconds=0.5), y)
    sized(2)
    fitted = lofe.fit(da.from_array(X, chunks=(40, 512)), y)
    np.testing.assert_allclose(
        fitted.weights_, LOFE(alpha=1.0).fit(X, y).weights_, rtol=1e-6, atol=1e-9
    )


PAUSED = r"have been paused for 2 s, for lack of memory; use more of them, or workers with more"


def test_no_memory_left_on_the_workers_is_a_clear_error(data, monkeypatch):
    monkeypatch.setattr(module, "CLUSTER_TIMEOUT", 2.0)
    X, y = data
    little = dask.config.set({"distributed.worker.memory.pause": 0.001})
    options = {"threads_per_worker": 1, "memory_limit": "4GB", "dashboard_address": ":0"}
    with (
        little,
        LocalCluster(n_workers=1, **options) as cluster,
        Client(cluster),
        pytest.raises(ClusterError, match=PAUSED),
    ):
        in_time(LOFE(alpha=1.0).fit, da.from_array(X, chunks=(40, 512)), y)


def test_work_for_a_paused_worker_is_not_waited_for(client, sized, monkeypatch):
    def set_status(status, dask_worker):
        dask_worker.status = status

    monkeypatch.setattr(module, "CLUSTER_TIMEOUT", 2.0)
    sized(2)
    paused = next(iter(client.nthreads()))
    client.run(set_status, Status.paused, workers=[paused])
    try:
        with pytest.raises(ClusterError, match=PAUSED):
            in_time(Cluster(client).results, lambda: [client.submit(abs, 1, workers=paused)])
    finally:
        client.run(set_status, Status.running, workers=[paused])


def chunk_that_is_not_there(block):
    raise FileNotFoundError(2, "No such file or directory", "chunk.npy")


def test_an_error_of_the_data_is_raised_as_it_is(data, client, sized):
    X, y = data
    sized(2)
    array = da.from_array(X, chunks=(40, 512)).map_blocks(chunk_that_is_not_there, dtype="f4")
    with pytest.raises(FileNotFoundError, match=r"chunk\.npy"):
        in_time(LOFE(alpha=1.0).fit, array, y)


def test_a_client_that_is_closed_is_a_clear_error(data, cluster, sized):
    X, y = data
    sized(2)
    with Client(cluster) as own:
        WhenBusy(own, own.close, delay=0.1)
        with pytest.raises(ClusterError, match=r"closed during the fit|scheduler .* is gone"):
            in_time(LOFE(alpha=1.0).fit, slow_array(X, seconds=0.5), y)


@pytest.fixture
def scheduler(tmp_path):
    """A scheduler and a worker as processes of their own, as the documentation starts them."""
    file = tmp_path / "scheduler.json"
    dask_command = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begin = [*dask_command, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", file]
    follow = [*dask_command, "worker", "--scheduler-file", file, "--no-nanny", "--no-dashboard"]
    processes = [subprocess.Popen(begin, **quiet)]
    processes.append(subprocess.Popen([*follow, "--death-timeout", "5"], **quiet))
    yield *processes, file
    for process in processes:
        process.kill()
        process.wait()


def test_a_scheduler_that_is_gone_is_a_clear_error(data, scheduler, monkeypatch):
    monkeypatch.setattr(module, "CLUSTER_TIMEOUT", 2.0)
    X, y = data
    process, _, file = scheduler
    quick = dask.config.set({"distributed.comm.timeouts.connect": "2s"})
    with quick, Client(scheduler_file=file, timeout=LIMIT) as client:
        client.wait_for_workers(1, timeout=LIMIT)
        WhenBusy(client, process.kill)
        with pytest.raises(ClusterError, match="scheduler of the Dask cluster is gone"):
            in_time(LOFE(alpha=1.0).fit, slow_array(X, seconds=0.5), y)


@pytest.mark.parametrize("who", ["scheduler", "worker"])
def test_a_process_that_is_stopped_is_a_clear_error(data, scheduler, who, monkeypatch):
    monkeypatch.setattr(module, "CLUSTER_TIMEOUT", 3.0)
    X, y = data
    *processes, file = scheduler
    process = processes[["scheduler", "worker"].index(who)]
    with Client(scheduler_file=file, timeout=LIMIT) as client:
        client.wait_for_workers(1, timeout=LIMIT)
        WhenBusy(client, lambda: process.send_signal(signal.SIGSTOP))
        try:
            with pytest.raises(ClusterError, match=f"{who}.* has not answered for 3 s; start it"):
                in_time(LOFE(alpha=1.0).fit, slow_array(X, seconds=0.5), y)
        finally:
            process.send_signal(signal.SIGCONT)


def set_version(version):
    """Runs on a worker."""
    from hitmiss._util import versions

    versions.__version__ = version


def test_a_worker_with_another_version_is_an_error(data, client, sized):
    X, y = data
    sized(2)
    (first, *_) = client.scheduler_info()["workers"]
    client.run(set_version, "0.1.9", workers=[first])
    try:
        with pytest.raises(ClusterError, match=r"has another hitmiss 0\.1\.9 where the client has"):
            in_time(LOFE().fit, slow_array(X, 0.0, 256), y)
    finally:
        client.run(set_version, versions.__version__, workers=[first])


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'hitmiss'"),
        AttributeError("Can't get attribute '_answer' on <module 'hitmiss.data.dask'>"),
    ],
)
def test_a_worker_without_this_version_is_an_error(client, error):
    def ask():
        raise error

    cluster = Cluster(client)
    with pytest.raises(ClusterError, match="same version on every worker") as caught:
        in_time(cluster.results, lambda: [cluster.submit(ask)])
    assert str(error) in str(caught.value)


def test_other_errors_of_an_import_are_those_of_the_user(client):
    def ask():
        raise ModuleNotFoundError("No module named 'mine'")

    cluster = Cluster(client)
    with pytest.raises(ModuleNotFoundError, match="mine"):
        in_time(cluster.results, lambda: [cluster.submit(ask)])
