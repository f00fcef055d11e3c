"""The same data, wherever they are, have the same weights."""

from copy import copy

import anndata
import dask.array as da
import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse
import zarr

from hitmiss import FREL, LOFE, IRelief, MultiSURF, ReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import Blocks
from hitmiss.data.sources import as_source
from hitmiss.data.sources.parquet import ParquetSource
from hitmiss.data.stored import Stored

SHAPE = (40, 3_100)  # four blocks of features, the last one smaller
MEMORY = 19_000_000  # a window of one block


@pytest.fixture(scope="module")
def data():
    """Data with many zeros, so that they may be sparse; every value is a float32."""
    X, y = datasets.make_twonorm(
        SHAPE[0], n_irrelevant=SHAPE[1] - 20, random_state=0, dtype=np.float32, return_X_y=True
    )
    X[:, 20:] *= np.random.default_rng(0).random((SHAPE[0], SHAPE[1] - 20)) < 0.3
    return X, y


def to_memmap(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def to_columns_memmap(X, folder):
    return to_memmap(np.asfortranarray(X), folder)


def to_hdf5(X, folder):
    return h5py.File(folder / "X.h5", "w").create_dataset("X", data=X, chunks=(7, 100))


def to_zarr(X, folder):
    return zarr.create_array(folder / "X.zarr", data=X, chunks=(SHAPE[0], 300))


def to_parquet(X, folder):
    names = [f"g{j}" for j in range(X.shape[1])]
    pa.parquet.write_table(pa.table(list(X.T), names=names), folder / "X.parquet")
    return pa.parquet.ParquetFile(folder / "X.parquet")


def to_anndata(X, folder):
    anndata.AnnData(X).write_h5ad(folder / "X.h5ad")
    return anndata.read_h5ad(folder / "X.h5ad", backed="r")


KINDS = {
    "memmap": to_memmap,
    "memmap by columns": to_columns_memmap,
    "HDF5": to_hdf5,
    "Zarr": to_zarr,
    "Parquet": to_parquet,
    "backed AnnData": to_anndata,
    "backed AnnData, CSR": lambda X, folder: to_anndata(scipy.sparse.csr_matrix(X), folder),
    "backed AnnData, CSC": lambda X, folder: to_anndata(scipy.sparse.csc_matrix(X), folder),
    "CSR": lambda X, folder: scipy.sparse.csr_array(X),
    "CSC": lambda X, folder: scipy.sparse.csc_matrix(X),
    "COO": lambda X, folder: scipy.sparse.coo_array(X),
    "a source": lambda X, folder: as_source(to_zarr(X, folder)),
}
DASK = {"Dask, 2 workers": 2, "Dask, 4 workers": 4}
METHODS = {
    "LOFE": lambda: LOFE(),
    "IRelief": lambda: IRelief(max_iter=3, tol=0.5),
    "ReliefF": lambda: ReliefF(3),
    "MultiSURF": MultiSURF,
    "FREL": FREL,
}
each_kind = pytest.mark.parametrize("kind", KINDS)
each_method = pytest.mark.parametrize("method", METHODS)


@pytest.fixture(scope="module")
def in_memory(data):
    return {name: make().fit(*data) for name, make in METHODS.items()}


@pytest.fixture(scope="module")
def on_dask():
    """Weights found on clusters so far, by method."""
    return {}


@each_method
@pytest.mark.parametrize("kind", [*KINDS, *DASK])
def test_the_same_weights_wherever_the_data_are(
    data, in_memory, on_dask, kind, method, tmp_path, request
):
    X, y = data
    if kind in DASK:
        request.getfixturevalue("sized")(DASK[kind])
        stored = da.from_array(X, chunks=(SHAPE[0], 1024))
    else:
        stored = KINDS[kind](X, tmp_path)
    weights = METHODS[method]().set_params(memory=MEMORY).fit(stored, y).weights_
    expected = in_memory[method].weights_
    if kind in DASK and method == "IRelief":
        # It works on the features with a weight, and blocks of these do not end where chunks do.
        np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-6 * expected.max())
        np.testing.assert_array_equal(weights, on_dask.setdefault(method, weights))
    else:
        np.testing.assert_array_equal(weights, expected)


@each_kind
@pytest.mark.parametrize("n_samples", [40, 300])
def test_every_question_has_the_same_answer(kind, n_samples, tmp_path):
    X = np.random.default_rng(0).standard_normal((n_samples, 1500)).astype(np.float32)
    Q = np.random.default_rng(1).standard_normal((n_samples, n_samples))
    center, factor = np.random.default_rng(2).random((2, 1500)).astype(np.float32)
    w = np.arange(1500) % 3 / 2.0  # with gaps
    whole = Blocks(X, Workers(1), center, factor)
    stored = Stored(as_source(KINDS[kind](X, tmp_path)), Workers(2))
    stored._window = 1
    np.testing.assert_array_equal(stored.extremes(), Blocks(X, Workers(1)).extremes())
    stored = stored.transformed(center, factor)
    index = np.array([1400, 3, 700, 4])
    for ask in (
        lambda b: b.distances(w),
        lambda b: b.distances(np.ones(1500)),
        lambda b: b.margins(Q),
        lambda b: b.difference_sums([Q, Q.T, Q**2]),
        lambda b: b.squared_sums(Q, w[:n_samples]),
        lambda b: b.pair_sums(np.where(Q > 2, Q, 0.0)),
        lambda b: b.columns(index).X,
        lambda b: b.columns(index[:2], dtype=float).X,
        lambda b: b.part(slice(100, 300)).distances(w[100:300]),
    ):
        np.testing.assert_array_equal(ask(stored), ask(whole))


@pytest.mark.filterwarnings("ignore:X has feature names")
@each_kind
def test_predictions_and_selected_features_from_stored_data(data, in_memory, kind, tmp_path):
    X, stored = data[0], KINDS[kind](data[0], tmp_path)
    lofe = copy(in_memory["LOFE"]).set_params(memory=MEMORY)
    np.testing.assert_allclose(lofe.predict_proba(stored), lofe.predict_proba(X), rtol=1e-12)
    few = lofe.transform(stored)
    assert scipy.sparse.issparse(few) == scipy.sparse.issparse(stored)
    few = few.toarray() if scipy.sparse.issparse(few) else few
    assert few.dtype == X.dtype
    np.testing.assert_array_equal(few, X[:, lofe.get_support()])


def test_names_come_with_the_data(data, tmp_path):
    X, y = data
    cells = anndata.AnnData(X)
    cells.var_names = [f"gene{j}" for j in range(SHAPE[1])]
    cells.write_h5ad(tmp_path / "cells.h5ad")
    fitted = ReliefF(max_features=2).fit(anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r"), y)
    best = [f"gene{j}" for j in np.sort(fitted.ranking_[:2])]
    assert fitted.get_feature_names_out().tolist() == best
    assert not hasattr(fitted.fit(scipy.sparse.csr_array(X), y), "feature_names_in_")


def test_some_columns_of_a_parquet_file(data, in_memory, tmp_path):
    X, y = data
    names = [f"g{j}" for j in range(SHAPE[1])]
    columns = [pa.array(y.astype(str)), *X.T]
    pa.parquet.write_table(pa.table(columns, names=["kind", *names]), tmp_path / "X.parquet")
    fitted = ReliefF(3).fit(ParquetSource(tmp_path / "X.parquet", columns=names), y)
    np.testing.assert_array_equal(fitted.weights_, in_memory["ReliefF"].weights_)
    with pytest.raises(ValueError, match=r"Column 'kind' holds string and no numbers; leave it"):
        ReliefF().fit(pa.parquet.ParquetFile(tmp_path / "X.parquet"), y)
