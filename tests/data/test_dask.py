"""Fits on real Dask clusters of processes have the same weights."""

import json

import dask.array as da
import joblib
import numpy as np
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator
from typer.testing import CliRunner

from hitmiss import LOFE, LOFECV, Ensemble, ReliefF, datasets
from hitmiss.cli._shared.fit import fit as fit_table
from hitmiss.cli.app import app
from hitmiss.data.dask import Distributed
from hitmiss.estimators import local_learning
from hitmiss.io import Table
from hitmiss.lofe import active_set, coarse_to_fine
from hitmiss.metrics import stability_report

CHUNKS = {"any": (40, 777), "samples too": (25, 1024), "one": (40, 3100)}


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_the_same_weights_for_any_chunks(data, client, chunks):
    X, y = data
    fitted = LOFE(alpha=1.0).fit(da.from_array(X, chunks=chunks), y)
    expected = LOFE(alpha=1.0).fit(X, y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-6 * expected.max())


@pytest.mark.full
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
    fitted = LOFE(alpha=1.0).fit(array.map_blocks(form), y)
    expected = LOFE(alpha=1.0).fit(array.compute(), y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-6 * expected.max())
    np.testing.assert_array_equal(fitted.transform(array), fitted.transform(array.compute()))


@pytest.mark.full
def test_very_many_samples_stay_on_the_workers(client, monkeypatch):
    X, y = datasets.make_clusters(
        300, n_irrelevant=1998, random_state=0, dtype=np.float32, return_X_y=True
    )
    monkeypatch.setattr(local_learning, "MATRIX_SAMPLES", 200)
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 60)
    monkeypatch.setattr(active_set, "EVERYTHING", 0)  # as of very many features
    traveled, n_columns = [], []
    columns = Distributed.columns

    def counted(self, index, dtype=None):
        traveled.append(self.n_samples * len(index))
        n_columns.append(len(index))
        return columns(self, index, dtype)

    monkeypatch.setattr(Distributed, "columns", counted)
    fitted = LOFE(alpha=5.0).fit(da.from_array(X, chunks=(300, 400)), y)
    assert max(traveled) < X.size / 3
    assert max(n_columns) < X.shape[1]  # nor do all features of some samples
    monkeypatch.undo()
    expected = LOFE(alpha=5.0).fit(X, y).weights_
    np.testing.assert_allclose(fitted.weights_, expected, rtol=0, atol=1e-4 * expected.max())


def test_without_a_client_an_array_is_computed_here(data):
    X, y = data
    fitted = LOFE(memory="30MB", alpha=1.0).fit(da.from_array(X, chunks=(20, 900)), y)
    np.testing.assert_array_equal(fitted.weights_, LOFE(alpha=1.0).fit(X, y).weights_)


def test_bad_values_and_unknown_sizes_are_refused(data, client):
    X, y = data
    bad = X.copy()
    bad[3, 2000] = np.inf
    with pytest.raises(ValueError, match=r"inf .* in row 3, feature 2000"):
        LOFE(alpha=1.0).fit(da.from_array(bad, chunks=(40, 1024)), y)
    array = da.from_array(X, chunks=(40, 1024))
    with pytest.raises(ValueError, match=r"unknown sizes; call X.compute_chunk_sizes"):
        LOFE(alpha=1.0).fit(array[array[:, 0] > 0], y)


def select(path, address):
    options = ["--set", "alpha=1", "--quick", "--json", "-q", "--dask", address]
    return CliRunner().invoke(app, ["select", str(path), *options])


@pytest.fixture
def file(data, tmp_path):
    X, y = data
    names = [f"g{j}" for j in range(X.shape[1])]
    np.savez(tmp_path / "X.npz", X=X, y=y, feature_names=names)
    return tmp_path / "X.npz"


@pytest.mark.full
@pytest.mark.parametrize("local", [True, False], ids=["local", "address"])
def test_select_on_a_cluster(data, file, cluster, local):
    done = select(file, "local" if local else cluster.scheduler_address)
    assert done.exit_code == 0, done.output
    found = [item["feature"] for item in json.loads(done.stdout)["selected"]]
    assert set(found) == {f"g{j}" for j in LOFE(alpha=1.0).fit(*data).get_support(indices=True)}


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


@pytest.mark.full
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
