"""Fits on real Dask clusters of processes: same weights, and an end in every case."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import dask
import dask.array as da
import joblib
import numpy as np
import pytest
import scipy.sparse
from distributed import Client, LocalCluster
from distributed.core import Status
from sklearn.base import BaseEstimator
from typer.testing import CliRunner

from hitmiss import LOFE, LOFECV, Ensemble, ReliefF, datasets
from hitmiss._util.errors import ClusterError
from hitmiss.cli._shared.dask_cluster import spread
from hitmiss.cli._shared.fit import fit as fit_table
from hitmiss.cli.app import app
from hitmiss.data import sizes
from hitmiss.data.cluster import Cluster
from hitmiss.data.dask import Distributed
from hitmiss.estimators import local_learner
from hitmiss.io import Table
from hitmiss.lofe import heuristics
from hitmiss.metrics import stability_report
from tests.data.conftest import LIMIT


@pytest.fixture(scope="module")
def data():
    return datasets.make_twonorm(
        40, n_irrelevant=3080, random_state=0, dtype=np.float32, return_X_y=True
    )


def slow_array(X, seconds=0.2, chunk=512):
    """X in chunks that take their time, so that there is a middle of the fit."""

    def load(start):
        time.sleep(seconds)
        return X[:, start : start + chunk]

    starts = range(0, X.shape[1], chunk)
    parts = [
        da.from_delayed(
            dask.delayed(load, pure=False)(k), (len(X), min(chunk, X.shape[1] - k)), X.dtype
        )
        for k in starts
    ]
    return da.concatenate(parts, axis=1)


def in_time(work, *arguments, limit=LIMIT):
    """What the work returns or raises; a TimeoutError if it does not end."""
    ended = Future()

    def run():
        try:
            ended.set_result(work(*arguments))
        except BaseException as error:
            ended.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return ended.result(limit)


def test_work_that_does_not_end_is_noticed():
    with pytest.raises(TimeoutError):
        in_time(threading.Event().wait, limit=0.05)
    assert in_time(sum, [1, 2]) == 3
    with pytest.raises(ZeroDivisionError):
        in_time(divmod, 1, 0)


CHUNKS = {"any": (40, 777), "samples too": (25, 1024), "one": (40, 3100)}


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_the_same_weights_for_any_chunks(data, client, chunks):
    X, y = data
    fitted = LOFE().fit(da.from_array(X, chunks=chunks), y)
    expected = LOFE().fit(X, y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-6 * expected.max())


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_array])
@pytest.mark.parametrize("where", ["workers", "here"])
def test_chunks_may_be_sparse_or_empty(data, form, where, request):
    if where == "workers":
        request.getfixturevalue("client")
    X, y = data
    wanted = np.arange(X.shape[1]) // 500 != 2  # one chunk, and a bit of others
    chunks = da.from_array(X * (X > 0.5), chunks=(25, 500))
    array = chunks[:, da.from_array(wanted, chunks=500)].compute_chunk_sizes()
    assert 0 in array.chunks[1]
    fitted = LOFE().fit(array.map_blocks(form), y)
    expected = LOFE().fit(array.compute(), y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-6 * expected.max())
    np.testing.assert_array_equal(fitted.transform(array), fitted.transform(array.compute()))


def test_very_many_samples_stay_on_the_workers(client, monkeypatch):
    X, y = datasets.make_clusters(
        300, n_irrelevant=1998, random_state=0, dtype=np.float32, return_X_y=True
    )
    monkeypatch.setattr(local_learner, "MANY", 200)
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 60)
    traveled = []
    columns = Distributed.columns

    def counted(self, index, dtype=None):
        traveled.append(self.n_samples * len(index))
        return columns(self, index, dtype)

    monkeypatch.setattr(Distributed, "columns", counted)
    fitted = LOFE(alpha=5.0).fit(da.from_array(X, chunks=(300, 400)), y)
    assert max(traveled) < X.size / 3
    monkeypatch.undo()
    expected = LOFE(alpha=5.0).fit(X, y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-4 * expected.max())


def test_without_a_client_an_array_is_computed_here(data):
    X, y = data
    fitted = LOFE(memory="30MB").fit(da.from_array(X, chunks=(20, 900)), y)
    np.testing.assert_array_equal(fitted.weights_, LOFE().fit(X, y).weights_)


def test_bad_values_and_unknown_sizes_are_refused(data, client):
    X, y = data
    bad = X.copy()
    bad[3, 2000] = np.nan
    with pytest.raises(ValueError, match="NaN in row 3, feature 2000"):
        LOFE().fit(da.from_array(bad, chunks=(40, 1024)), y)
    array = da.from_array(X, chunks=(40, 1024))
    with pytest.raises(ValueError, match=r"unknown sizes; call X.compute_chunk_sizes"):
        LOFE().fit(array[array[:, 0] > 0], y)


class WhenBusy(threading.Thread):
    """Does something to a cluster once its workers have been busy for a while."""

    def __init__(self, client, action, delay=0.5):
        super().__init__(daemon=True)
        self.client, self.action, self.delay = client, action, delay
        self.start()

    def run(self):
        while not any(self.client.processing().values()):
            time.sleep(0.02)
        time.sleep(self.delay)
        self.action()


def test_a_worker_that_is_killed_changes_nothing(data, client, sized, tmp_path):
    X, y = data
    sized(2)
    expected = LOFE().fit(X, y).weights_
    pids = client.run(os.getpid)
    killer = WhenBusy(client, lambda: os.kill(next(iter(pids.values())), signal.SIGKILL))
    fitted = in_time(LOFE(checkpoint=tmp_path / "checkpoint").fit, slow_array(X), y)
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
        in_time(LOFE().fit, array, y)
    sized(2)


def test_no_worker_left_is_an_error_with_a_checkpoint(
    data, cluster, client, sized, tmp_path, monkeypatch
):
    monkeypatch.setattr(sizes, "PATIENCE", 2.0)
    X, y = data
    sized(2)
    WhenBusy(client, lambda: cluster.scale(0))
    lofe = LOFE(checkpoint=tmp_path / "checkpoint")
    with pytest.raises(ClusterError, match=r"no worker for 2 s; start one, then fit again"):
        in_time(lofe.fit, slow_array(X, seconds=0.5), y)
    sized(2)
    fitted = lofe.fit(da.from_array(X, chunks=(40, 512)), y)
    np.testing.assert_allclose(fitted.weights_, LOFE().fit(X, y).weights_, rtol=1e-6, atol=1e-9)


PAUSED = r"have been paused for 2 s, for lack of memory; use more of them, or workers with more"


def test_no_memory_left_on_the_workers_is_a_clear_error(data, monkeypatch):
    monkeypatch.setattr(sizes, "PATIENCE", 2.0)
    X, y = data
    little = dask.config.set({"distributed.worker.memory.pause": 0.001})
    options = {"threads_per_worker": 1, "memory_limit": "4GB", "dashboard_address": ":0"}
    with (
        little,
        LocalCluster(n_workers=1, **options) as cluster,
        Client(cluster),
        pytest.raises(ClusterError, match=PAUSED),
    ):
        in_time(LOFE().fit, da.from_array(X, chunks=(40, 512)), y)


def test_work_for_a_paused_worker_is_not_waited_for(client, sized, monkeypatch):
    def set_status(status, dask_worker):
        dask_worker.status = status

    monkeypatch.setattr(sizes, "PATIENCE", 2.0)
    sized(2)
    paused = next(iter(client.nthreads()))
    client.run(set_status, Status.paused, workers=[paused])
    try:
        with pytest.raises(ClusterError, match=PAUSED):
            in_time(Cluster(client).results, lambda: [client.submit(abs, 1, workers=paused)])
    finally:
        client.run(set_status, Status.running, workers=[paused])


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
    yield processes[0], file
    for process in processes:
        process.kill()
        process.wait()


def test_a_scheduler_that_is_gone_is_a_clear_error(data, scheduler, monkeypatch):
    monkeypatch.setattr(sizes, "PATIENCE", 2.0)
    X, y = data
    process, file = scheduler
    quick = dask.config.set({"distributed.comm.timeouts.connect": "2s"})
    with quick, Client(scheduler_file=file, timeout=LIMIT) as client:
        client.wait_for_workers(1, timeout=LIMIT)
        WhenBusy(client, process.kill)
        with pytest.raises(ClusterError, match="scheduler of the Dask cluster is gone"):
            in_time(LOFE().fit, slow_array(X, seconds=0.5), y)


def select(path, address):
    return CliRunner().invoke(app, ["select", str(path), "--json", "--quiet", "--dask", address])


@pytest.fixture
def file(data, tmp_path):
    X, y = data
    names = [f"g{j}" for j in range(X.shape[1])]
    np.savez(tmp_path / "X.npz", X=X, y=y, feature_names=names)
    return tmp_path / "X.npz"


@pytest.mark.parametrize("local", [True, False], ids=["local", "address"])
def test_select_on_a_cluster(data, file, cluster, local):
    done = select(file, "local" if local else cluster.scheduler_address)
    assert done.exit_code == 0, done.output
    found = [item["feature"] for item in json.loads(done.stdout)["selected"]]
    assert set(found) == {f"g{j}" for j in LOFE().fit(*data).get_support(indices=True)}


def test_select_where_nobody_answers(file, monkeypatch):
    monkeypatch.setattr("hitmiss.cli._shared.dask_cluster.CONNECT_TIMEOUT", 0.5)
    lost = select(file, "tcp://127.0.0.1:1")
    assert lost.exit_code == 2
    assert "No Dask scheduler answers at 'tcp://127.0.0.1:1'; start one first." in lost.output


def test_a_method_that_works_in_memory_only_gets_its_data_there(data):
    class Sparse(BaseEstimator):
        def fit(self, X, y):
            self.X = X

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = True
            return tags

    X, y = data
    table = Table(X, y, [f"g{j}" for j in range(X.shape[1])], [str(n) for n in range(len(X))])
    fitted = fit_table(Sparse(), table, y, client=object(), quiet=True)
    assert fitted.estimator.X is X


def test_joblib_on_dask_gives_the_same(client):
    X, y = datasets.make_clusters(40, n_irrelevant=20, random_state=0, return_X_y=True)
    ensemble = Ensemble(ReliefF(3), n_estimators=6, random_state=0)
    cross_validated = LOFECV(2.0, 3, cv=2)

    def ask():
        report = stability_report(
            ReliefF(3, max_features=2), X, y, 4, random_state=0, verbose=False
        )
        return (
            ensemble.fit(X, y).weights_,
            cross_validated.fit(X, y).weights_,
            report.nogueira.stability,
        )

    here = ask()
    with joblib.parallel_config("dask"):
        there = ask()
    np.testing.assert_equal(there, here)
