import numpy as np
import pandas as pd
import pytest

from hitmiss.data.categories import as_known_numbers, as_numbers, declared, unmasked


def mixed():
    return pd.DataFrame(
        {
            "dose": [1.5, None, 3.0],
            "tissue": ["liver", "lung", None],
            "stage": pd.Categorical([2, 1, 2]),
            "smoker": [True, False, True],
            "n": pd.array([1, None, 3], dtype="Int64"),
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "text": ["1", "2.5", "3"],
        }
    )


def test_a_mixed_frame():
    X, categories = as_numbers(mixed(), "auto")
    expected = [
        [1.5, 0, 1, 1, 1, 1, 1],
        [np.nan, 1, 0, 0, np.nan, np.nan, 2.5],
        [3, np.nan, 1, 1, 3, 0, 3],
    ]
    np.testing.assert_array_equal(X, expected)
    assert list(X.columns) == list(mixed().columns)
    levels = {1: ["liver", "lung"], 2: [1, 2], 3: [False, True], 5: [False, True]}
    assert categories == levels  # words for numbers are numbers


def test_a_level_that_was_not_there_has_a_code_of_its_own():
    _, categories = as_numbers(mixed(), "auto")
    new = mixed().assign(tissue=["lung", "skin", None], stage=pd.Categorical([9, 1, None]))
    X = np.asarray(as_known_numbers(new, categories))
    np.testing.assert_array_equal(X[:, 1], [1, -1, np.nan])
    np.testing.assert_array_equal(X[:, 2], [-1, 0, np.nan])


@pytest.mark.parametrize("given", [["b"], [1], [-2], [False, True, False], "b"])
def test_names_places_and_masks(given):
    found = declared(given, np.array(["a", "b", "c"]), 3)
    np.testing.assert_array_equal(found, [False, True, False])


@pytest.mark.parametrize("given", [["d"], [3], [True]])
def test_what_is_no_column(given):
    with pytest.raises(ValueError, match=r"categorical names .*, which is not a column of X; use"):
        declared(given, np.array(["a", "b", "c"]), 3)


@pytest.mark.parametrize("values", [["1.5", "<0.1", "2"], [1.5, "<0.1", None]])
def test_words_among_numbers_are_no_levels_unless_they_are_named(values):
    frame = pd.DataFrame({"a": [1, 2, 3], "crp": values})
    with pytest.raises(
        ValueError, match=r"^In X, column 'crp' holds words and numbers, such as '<0"
    ):
        as_numbers(frame, "auto")
    assert len(as_numbers(frame, ["crp"])[1][1]) == len(frame.crp.dropna())
    assert as_numbers(frame.assign(crp=["nan", "low", "inf"]), "auto")[1]  # words, as they stand


def test_what_a_message_advises_works():
    frame = pd.DataFrame({"chr": [1, 2, "X"], "sex": ["m", "f", "m"]})
    advice = "correct it, name all columns of words in categorical, or make this one a category of"
    with pytest.raises(ValueError, match=advice):
        as_numbers(frame, "auto")
    with pytest.raises(ValueError, match=r"'sex' .* name all columns of words in categorical, or"):
        as_numbers(frame, ["chr"])
    levels = {0: [1, 2, "X"], 1: ["f", "m"]}
    assert as_numbers(frame, ["chr", "sex"])[1] == levels
    assert as_numbers(frame.astype({"chr": "category"}), "auto")[1] == levels


def test_booleans_among_words_are_words():
    X, categories = as_numbers(pd.DataFrame({"a": [1, 2, 3], "b": [True, "maybe", False]}), "auto")
    assert categories == {1: [False, True, "maybe"]}
    np.testing.assert_array_equal(X, [[1, 1], [2, 2], [3, 0]])


def test_words_where_no_column_is_nominal_are_told_by_their_column():
    with pytest.raises(ValueError, match="In X, column 'b' holds 'x', which is not a number; name"):
        as_numbers(pd.DataFrame({"a": [1.0, None], "b": ["x", "y"]}), None)


def test_declared_columns_of_numbers():
    X, categories = as_numbers(np.eye(3), [0, 2])
    assert categories == {0: None, 2: None}
    frame = pd.DataFrame({"a": [1.5, 2.5, np.nan], "b": ["x", "y", "x"]})
    X, categories = as_numbers(frame, ["a", "b"])
    assert categories == {0: [1.5, 2.5], 1: ["x", "y"]}
    np.testing.assert_array_equal(X, [[0, 0], [1, 1], [np.nan, 0]])


def test_arrays_and_lists_of_words():
    words = [["a", 1.0], ["b", None], ["a", 3.0]]
    for X in (words, np.array(words, object)):
        found, categories = as_numbers(X, "auto")
        np.testing.assert_array_equal(found, [[0, 1], [1, np.nan], [0, 3]])
        assert categories == {0: ["a", "b"]}
    assert as_numbers(np.array([["a", "b"], ["b", "b"]]), "auto")[1] == {0: ["a", "b"], 1: ["b"]}


@pytest.mark.parametrize("X", [np.eye(3), [[1, 2], [3, 4]], pd.DataFrame(np.eye(2))])
def test_numbers_are_left_alone(X):
    assert as_numbers(X, "auto")[0] is X
    assert as_known_numbers(X, {}) is X


def test_masked_values_are_missing():
    X = np.ma.masked_array([[1, 2], [3, 4]], [[False, True], [False, False]])
    np.testing.assert_array_equal(unmasked(X), [[1, np.nan], [3, 4]])
    assert unmasked(X.astype(np.float32)).dtype == np.float32


def test_names_of_samples_are_told():
    frame = pd.DataFrame({"sample": [f"s{k}" for k in range(12)], "x": np.arange(12.0)})
    with pytest.warns(UserWarning, match=r"Every value of column 'sample' is another word"):
        as_numbers(frame, "auto")
    as_numbers(frame, ["sample"])  # declared, so meant


@pytest.mark.parametrize("form", [pd.DataFrame.copy, pd.DataFrame.to_numpy])
def test_words_that_nobody_declared_are_named_with_their_column(form):
    X = form(pd.DataFrame({"A": [1.5, 2.5], "B": ["x", "y"], "TP53": ["1", "high"]}))
    name = "'TP53'" if hasattr(X, "columns") else "2"
    message = (
        f"In X, column {name} holds 'high', which is not a number; "
        "name all columns of words in categ"
    )
    with pytest.raises(ValueError, match=message):
        as_numbers(X, [1])
