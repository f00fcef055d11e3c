import numpy as np
import pandas as pd
import pytest

from hitmiss._util.codes import distinct_codes


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
