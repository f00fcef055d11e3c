"""New samples that are not in memory are checked, and reduced, as arrays and frames are."""

import anndata
import dask.array as da
import h5py
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

from hitmiss import LOFE, ReliefF, datasets
from tests.data.watched import Watched


@pytest.fixture(scope="module")
def data():
    """Features 0 and 1 are relevant, eight are not."""
    return datasets.make_clusters(60, n_irrelevant=8, random_state=0, return_X_y=True)


@pytest.fixture
def frame(data):
    return pd.DataFrame(data[0], columns=[f"gene{j}" for j in range(10)])


def to_parquet(frame, folder):
    frame.to_parquet(folder / "X.parquet")
    return pyarrow.parquet.ParquetFile(folder / "X.parquet")


def to_anndata(frame, folder):
    anndata.AnnData(frame.set_axis(frame.index.astype(str))).write_h5ad(folder / "X.h5ad")
    return anndata.read_h5ad(folder / "X.h5ad", backed="r")


def to_hdf5(X, folder):
    return h5py.File(folder / "X.h5", "w").create_dataset("X", data=X)


with_names = pytest.mark.parametrize("store", [to_parquet, to_anndata])
METHODS = ("predict", "transform")

CHANGES = {
    "another order": lambda frame: frame.iloc[:, ::-1],
    "another name": lambda frame: frame.rename(columns={"gene3": "gen3"}),
    "other names": lambda frame: frame.add_prefix("my "),
    "one missing": lambda frame: frame.drop(columns="gene3"),
    "one more": lambda frame: frame.assign(more=0.0),
}


@with_names
def test_the_names_of_the_fit_are_welcome(data, frame, store, tmp_path):
    stored = store(frame, tmp_path)
    lofe = LOFE().fit(stored, data[1])
    expected = LOFE().fit(frame, data[1])
    np.testing.assert_array_equal(lofe.predict(stored), expected.predict(frame))
    np.testing.assert_array_equal(lofe.transform(stored), expected.transform(frame))


@with_names
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("method", METHODS)
def test_other_names_are_refused_as_those_of_a_frame(data, frame, store, change, method, tmp_path):
    lofe, changed = LOFE().fit(frame, data[1]), change(frame)
    with pytest.raises(ValueError, match="feature names should match") as said:
        getattr(lofe, method)(changed)
    with pytest.raises(ValueError, match="feature names should match") as found:
        getattr(lofe, method)(store(changed, tmp_path))
    assert str(found.value) == str(said.value)


@pytest.mark.parametrize("method", METHODS)
def test_names_on_one_side_only_are_a_warning(data, frame, method, tmp_path):
    X, y = data
    named, unnamed = to_parquet(frame, tmp_path), to_hdf5(X, tmp_path)
    with pytest.warns(UserWarning, match="X has feature names, but LOFE was fitted without"):
        getattr(LOFE().fit(X, y), method)(named)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but LOFE was"):
        getattr(LOFE().fit(frame, y), method)(unnamed)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_not_finite_is_named_with_its_place(data, bad, method, tmp_path):
    X, y = data
    lofe, wrong = LOFE(missing="error").fit(X, y), X.copy()
    wrong[5, 7] = bad
    lofe.predict(to_hdf5(wrong, tmp_path))  # feature 7 has no weight
    wrong[3, 1] = bad
    place = r"in row 3, feature 1 \(1 of the 2 features in use hold such values\)"
    stored = scipy.sparse.csr_array(wrong) if method == "predict" else da.from_array(wrong)
    with pytest.raises(ValueError, match=place):
        getattr(lofe, method)(stored)


@pytest.mark.parametrize("method", METHODS)
def test_another_number_of_features_or_none_of_samples_are_refused(data, frame, method, tmp_path):
    X, y = data
    lofe = LOFE().fit(X, y)
    with pytest.raises(ValueError, match="X has 9 features, but LOFE is expecting 10"):
        getattr(lofe, method)(to_hdf5(X[:, 1:], tmp_path))
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        getattr(LOFE().fit(frame, y), method)(to_parquet(frame[:0], tmp_path))


def test_only_selected_features_are_read(data):
    X, y = data
    fitted, watched = ReliefF(max_features=3).fit(X, y), Watched(X)
    np.testing.assert_array_equal(fitted.transform(watched), fitted.transform(X))
    assert sum(stop - start for start, stop, _ in watched.reads) == 3
    with pytest.raises(NotFittedError):
        ReliefF().transform(watched)


def test_fit_transform_with_names(data, frame, tmp_path):
    stored = to_parquet(frame, tmp_path)
    lofe = LOFE().set_output(transform="pandas")
    pd.testing.assert_frame_equal(lofe.fit_transform(stored, data[1]), frame[["gene0", "gene1"]])


def test_what_is_sparse_stays_sparse(data):
    X, y = data
    sparse = scipy.sparse.csc_matrix(X)
    found = LOFE().fit_transform(sparse, y)
    assert scipy.sparse.issparse(found)
    np.testing.assert_array_equal(found.toarray(), X[:, :2])


def test_nothing_selected_is_a_warning(data, tmp_path):
    X, y = data
    fitted = ReliefF(threshold=5.0).fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected; lower threshold"):
        assert fitted.transform(to_hdf5(X, tmp_path)).shape == (60, 0)
