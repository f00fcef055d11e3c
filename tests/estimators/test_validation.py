"""Data that no method can take, each refused in one sentence; fits after other fits."""

import anndata
import dask.array as da
import h5py
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
import scipy.sparse
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from hitmiss import (
    LOFE,
    BackwardElimination,
    FDRSelector,
    Markers,
    OnlineIRelief,
    OnlineLOFE,
    ReliefF,
    RReliefF,
    datasets,
)
from tests.data.watched import Watched

X = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize("fit", [ReliefF(1).fit, OnlineIRelief().partial_fit])
@pytest.mark.parametrize("missing", [None, pd.NA, pd.NaT])
@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, object), pd.Series])
def test_a_label_that_is_missing_is_named_by_its_row(fit, missing, kind):
    with pytest.raises(ValueError, match=r"^y holds no label in row 3 \(.+\); leave such samples"):
        fit(X, kind(["a", "b", "a", missing, "a", "b"]))


def test_a_column_of_dates_is_named():
    frame = pd.DataFrame({"a": X[:, 0], "born": pd.date_range("2000-01-01", periods=6)})
    with pytest.raises(ValueError, match=r"^Column 'born' holds dates or times \(datetime64"):
        ReliefF(1).fit(frame, [0, 1] * 3)


def test_an_empty_frame_is_not_called_sparse():
    with pytest.raises(ValueError, match=r"0 sample|0 feature|at least one"):
        ReliefF(1).fit(pd.DataFrame(), [])


def classes(n_classes=2, n_features=6):
    rng, y = np.random.default_rng(0), np.arange(48) % n_classes
    return rng.normal(size=(48, n_features)) + 2 * np.eye(n_classes, n_features)[y], y


def whole():
    X, y = classes()
    return np.rint(X), y


def named():
    X, y = classes()
    return pd.DataFrame(X, columns=list("abcdef")).assign(kind=y), "kind"


# What is fitted first, with which data -> the parameters that are set then, and other data.
REFITS = {
    "evidence": (LOFE(alpha="evidence"), classes(), {"alpha": 1.0}, classes()),
    "order": (LOFE(order="margin"), classes(), {"order": "weight"}, classes(n_features=3)),
    "names": (ReliefF(), named(), {}, classes()),
    "levels": (ReliefF(categorical=[0]), whole(), {"categorical": None}, whole()),
    "classes": (
        Markers(LOFE(), n_permutations=9, random_state=0),
        classes(3),
        {"base": ReliefF(), "n_permutations": 0},
        classes(4),
    ),
    "test": (
        FDRSelector(ReliefF(), random_state=0),
        classes(),
        {"method": "decoys"},
        classes(),
    ),
    "target": (
        FDRSelector(ReliefF(), random_state=0),
        classes(),
        {"base": RReliefF()},
        (classes()[0], classes()[0][:, 0]),
    ),
    "rounds": (BackwardElimination(ReliefF(), 2), classes(), {"n_features": 9}, classes()),
    "stream": (OnlineLOFE(n_passes=1, random_state=0), classes(), {"scale": None}, classes(3)),
}


@pytest.mark.parametrize("case", REFITS)
def test_a_second_fit_leaves_what_a_first_one_would(case):
    estimator, first, settings, second = REFITS[case]
    again = clone(estimator).fit(*first).set_params(**settings).fit(*second)
    fresh = clone(estimator).set_params(**settings).fit(*second)
    assert vars(again).keys() == vars(fresh).keys()
    np.testing.assert_array_equal(again.weights_, fresh.weights_)
    np.testing.assert_array_equal(again.ranking_, fresh.ranking_)


def test_an_order_that_the_last_fit_did_not_look_at_is_refused():
    lofe = LOFE(order="margin").fit(*classes())
    lofe.set_params(order="weight").fit(*classes(n_features=3)).set_params(order="margin")
    with pytest.raises(AttributeError, match="order='margin' was set after the fit"):
        lofe.ranking_  # noqa: B018


def test_a_second_fit_keeps_what_was_asked_of_the_output_and_of_metadata():
    X, y = classes()
    with sklearn.config_context(enable_metadata_routing=True):
        selector = ReliefF().set_output(transform="pandas").set_fit_request(groups=True)
        asked = repr(selector.get_metadata_routing())
        for _ in range(2):
            assert isinstance(selector.fit(X, y).transform(X), pd.DataFrame)
            assert repr(selector.get_metadata_routing()) == asked


def test_samples_learned_in_parts_are_not_forgotten():
    X, y = classes()
    online = OnlineIRelief(random_state=0).fit(X, y)
    assert online.partial_fit(X, y).n_iter_ == 96
    assert online.fit(X, y).n_iter_ == 48


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
