"""The same data, wherever they are, have the same weights."""

from copy import copy

import anndata
import dask.array as da
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse
from sklearn.base import clone

from hitmiss import FREL, LOFE, IRelief, MultiSURF, ReliefF, datasets
from hitmiss.data.sources import as_source
from hitmiss.data.sources.parquet import ParquetSource
from tests.data.kinds import KINDS

SHAPE = (40, 3_100)  # four blocks of features, the last one smaller
MEMORY = 19_000_000  # a window of one block


@pytest.fixture(scope="module")
def data():
    """Data with many zeros, so that they may be sparse; every value is a float32."""
    X, y = datasets.make_twonorm(
        SHAPE[0], n_irrelevant=SHAPE[1] - 20, random_state=0, dtype=np.float32, return_X_y=True
    )
    X[:, 20:] *= np.random.default_rng(0).random((SHAPE[0], SHAPE[1] - 20)) < 0.3
    X[::7, 5], X[::5, 1500:1510] = np.nan, np.nan  # in two of the blocks
    return X, y


DASK = {"Dask, 2 workers": 2, "Dask, 4 workers": 4}
METHODS = {
    "LOFE": lambda: LOFE(alpha=1.0),
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


@pytest.mark.full
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
    memory = MEMORY + as_source(stored).overhead
    weights = METHODS[method]().set_params(memory=memory).fit(stored, y).weights_
    expected = in_memory[method].weights_
    if kind in DASK and method == "IRelief":
        # It works on the features with a weight, and blocks of these do not end where chunks do.
        np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-6 * expected.max())
        np.testing.assert_array_equal(weights, on_dask.setdefault(method, weights))
    else:
        np.testing.assert_array_equal(weights, expected)


@pytest.mark.full
@pytest.mark.parametrize("method", [LOFE(), LOFE(max_references=30), ReliefF(3)], ids=repr)
def test_strata_groups_and_weights_on_a_cluster(data, method, sized):
    sized(2)
    X, y = data
    given = {"strata": np.arange(40) // 2 % 2, "groups": np.arange(40) // 4}
    given["sample_weight"] = np.random.default_rng(0).random(40)
    here = clone(method).fit(X, y, **given)
    there = clone(method).fit(da.from_array(X, chunks=(SHAPE[0], 1024)), y, **given)
    np.testing.assert_allclose(there.weights_, here.weights_, rtol=1e-5, atol=1e-6)
    assert here.weights_.max() > 0


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
