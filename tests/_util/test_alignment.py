import anndata
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given as any_given
from hypothesis import strategies as st

import hitmiss
from hitmiss import LOFE, FDRSelector, OnlineIRelief, ReliefF, datasets, persistence
from hitmiss._util.alignment import aligned, check_same_rows, distinct_codes
from hitmiss.registry import methods

xor = datasets.make_xor(60, n_irrelevant=4, random_state=0)
KINDS = np.array(["ill", "well"])[xor.target]
SAMPLES = [f"s{n}" for n in range(60)]
FRAME = pd.DataFrame(xor.data, index=SAMPLES, columns=xor.feature_names)
Y = pd.Series(KINDS, index=SAMPLES)
WITH_CLASS = FRAME.assign(kind=KINDS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [n for n, m in methods().items() if m.estimator().explains == "classes"]
)
def test_a_string_names_the_column_of_the_labels(name):
    make = getattr(hitmiss, methods()[name].estimator.__name__)
    quick = {"random_state": 0, "alphas": 2, "sigmas": 2.0, "cv": 2, "n_permutations": 9}
    known = {key: value for key, value in quick.items() if key in make().get_params()}
    by_name, by_values = make(**known).fit(WITH_CLASS, "kind"), make(**known).fit(FRAME, KINDS)
    np.testing.assert_array_equal(by_name.weights_, by_values.weights_)
    assert list(by_name.feature_names_in_) == list(FRAME.columns)
    assert by_name.transform(WITH_CLASS).shape == by_values.transform(FRAME).shape


@pytest.mark.parametrize(
    "frame", [WITH_CLASS, pl.from_pandas(WITH_CLASS)], ids=["pandas", "polars"]
)
def test_the_column_of_the_labels_is_no_feature_of_new_samples(frame, tmp_path):
    lofe = LOFE(alpha=0.1).fit(frame, "kind")
    assert lofe.score(frame, "kind") == lofe.score(
        frame.drop(columns="kind") if hasattr(frame, "iloc") else frame.drop("kind"), KINDS
    )
    assert (lofe.predict(frame) == lofe.predict(FRAME)).all()
    persistence.save(lofe, tmp_path / "model.npz")
    again = persistence.load(tmp_path / "model.npz")
    assert (again.predict(frame) == lofe.predict(FRAME)).all()
    assert not hasattr(lofe.fit(FRAME, KINDS), "named_columns_")


def test_all_columns_that_were_named_are_no_features_of_new_samples():
    frame = WITH_CLASS.assign(donor=[f"d{n // 2}" for n in range(60)], age=np.arange(60))
    named = {"groups": "donor", "covariates": ["age"]}
    lofe = LOFE(alpha=0.1).fit(frame, "kind", **named)
    given = {"groups": frame["donor"], "covariates": frame[["age"]]}
    np.testing.assert_array_equal(
        lofe.weights_, LOFE(alpha=0.1).fit(FRAME, KINDS, **given).weights_
    )
    assert lofe.score(frame, "kind") == lofe.score(FRAME, KINDS)


def test_a_column_of_obs_names_the_labels():
    adata = anndata.AnnData(xor.data, obs=pd.DataFrame({"kind": KINDS}, index=SAMPLES))
    lofe = LOFE(alpha=0.1).fit(adata, "kind")
    np.testing.assert_array_equal(lofe.weights_, LOFE(alpha=0.1).fit(xor.data, KINDS).weights_)
    with pytest.raises(ValueError, match=r"^X and y hold the same index labels in another order"):
        LOFE().fit(adata, Y[::-1])


@pytest.mark.parametrize(
    ("X", "name", "sentence"),
    [
        (xor.data, "kind", "y='kind' names a column, and X has none; pass a data frame"),
        (WITH_CLASS, "kin", "X has no column 'kin' for y; did you mean 'kind'?"),
        (WITH_CLASS, "?", "X has no column '?' for y; there are x0, x1, irrelevant0, irr"),
        (pd.concat([WITH_CLASS, WITH_CLASS], axis=1), "kind", "X has 2 columns 'kind' for y"),
    ],
)
def test_a_name_that_is_no_column_is_an_error(X, name, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace("?", r"\?")):
        LOFE().fit(X, name)


@pytest.mark.parametrize("fit", [LOFE().fit, FDRSelector().fit, OnlineIRelief().partial_fit])
def test_the_same_labels_in_another_order_are_an_error(fit):
    with pytest.raises(ValueError, match=r"another order, .*; pass y\.loc\[X\.index\]\.$"):
        fit(FRAME, Y[::-1])


def test_other_labels_are_an_error_that_names_some():
    other = Y.rename(index={"s3": "t3", "s5": "t5"})
    with pytest.raises(ValueError, match=r"differ \('t3', 't5' of y are not in X\); select the s"):
        ReliefF().fit(FRAME, other)
    assert ReliefF().fit(FRAME, other.to_numpy()).weights_.shape == (6,)


def test_an_index_that_only_numbers_the_rows_says_nothing_but_its_own_order():
    numbered = pd.Series(KINDS)
    plain = ReliefF().fit(FRAME, KINDS).weights_
    for X, y in ((FRAME, numbered), (FRAME.reset_index(drop=True), Y), (FRAME, list(KINDS))):
        np.testing.assert_array_equal(ReliefF().fit(X, y).weights_, plain)
    with pytest.raises(ValueError, match="another order"):
        ReliefF().fit(FRAME.reset_index(drop=True), numbered.sample(frac=1, random_state=0))


def test_groups_and_covariates_are_named_and_aligned_alike():
    frame = WITH_CLASS.assign(donor="a", age=1.0, sex=0)
    X, y, beside = aligned(frame, "kind", groups="donor", covariates=["age", "sex"], strata=None)
    assert list(X.columns) == list(FRAME.columns)
    assert list(y) == list(KINDS)
    assert list(beside["groups"]) == ["a"] * 60
    assert beside["covariates"].shape == (60, 2)
    assert beside["strata"] is None
    with pytest.raises(ValueError, match=r"X and groups hold the same index labels"):
        aligned(FRAME, Y, groups=frame["donor"][::-1])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_all_rows_without_a_label_are_counted_and_some_named(missing):
    y = [missing if n % 7 == 3 else label for n, label in enumerate(KINDS)]
    for given_y in (y, np.array(y, object), pd.Series(y, dtype=object)):
        with pytest.raises(ValueError, match=r"in 9 rows \(3, 10, 17, 24, 31, \.\.\.\); leave"):
            ReliefF().fit(xor.data, given_y)


@pytest.mark.parametrize(
    "y",
    [
        np.ma.array([0.0, 1, 0, 1], mask=[0, 0, 1, 0]),
        pl.Series([0, 1, None, 1]),
        pd.Series([0, 1, None, 1], dtype="Int64"),
    ],
)
def test_masked_arrays_and_nullable_columns_have_missing_labels(y):
    with pytest.raises(ValueError, match=r"^y holds no label in row 2 "):
        ReliefF(1).fit(np.arange(8.0).reshape(4, 2), y)


@any_given(st.permutations(range(6)), st.booleans())
def test_any_order_but_the_same_is_an_error(order, as_text):
    index = pd.Index([f"s{k}" if as_text else k + 5 for k in range(6)])
    X, y = pd.DataFrame({"a": range(6)}, index=index), pd.Series(range(6), index=index[order])
    if list(order) == list(range(6)):
        check_same_rows(X, y, "y")
        return
    with pytest.raises(ValueError, match="another order"):
        check_same_rows(X, y, "y")


@pytest.mark.parametrize(
    "values",
    [
        [10, 9, 10, 11],
        np.array([10, 9, 10, 11], object),
        ["b", "a", "b", "c"],
        pd.Series(["b", "a", "b", "c"], dtype="category"),
        ["b", 1, "b", "c"],  # as text
        [2.5, False, 2.5, 3],
    ],
    ids=str,
)
def test_values_of_any_type_in_their_order(values):
    assert distinct_codes("groups", values, 4).tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2], "groups has 2 values for 3 samples; give one for each"),
        (7, "groups has 1 value for 3 samples"),
        ([[1, 2]] * 3, "groups must hold one value for each sample; its shape is"),
        (["a", None, "b"], "groups holds no value in row 1; leave such samples out"),
        ([1.0, 2.0, np.nan], "groups holds no value in row 2"),
        (pd.array([None, 2, 3], "Int64"), "groups holds no value in row 0"),
        (pd.Series([1, pd.NaT, 3]), "groups holds no value in row 1"),
    ],
)
def test_errors_say_what_to_do(values, message):
    with pytest.raises(ValueError, match=message):
        distinct_codes("groups", values, 3)
