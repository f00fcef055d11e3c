"""Columns of words as nominal features."""

import numpy as np
import pytest

from hitmiss.io.words import coded

TEXT = "id,kind,sex,a,stage\ns1,x,m,1,\ns2,y,f,2,II\ns3,x,,3,I\ns4,y,f,4,II\n"


def test_columns_of_words_become_positions_among_their_levels(table_of):
    table = table_of(TEXT, "kind")
    nan = np.nan
    np.testing.assert_array_equal(table.X, [[1, 1, nan], [0, 2, 1], [nan, 3, 0], [0, 4, 1]])
    assert table.levels == {"sex": ("f", "m"), "stage": ("I", "II")}
    assert table.feature_names == ["sex", "a", "stage"]


def test_a_first_column_of_words_that_come_again_is_nominal(table_of):
    table = table_of("sex,a\nm,1\nf,2\nm,3\n")
    assert (table.X.tolist(), table.levels) == ([[1, 1], [0, 2], [1, 3]], {"sex": ("f", "m")})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b,kind\n1,2,x\n1,low,x\n", "Column 'b' holds 'low' in row 3, which is not a number"),
        ("a,b,kind\n1,low,x\n1,2,x\n", "holds words and, in sample 2, the number '2'; correct it"),
        ("a,b,kind\n1,<5,x\n1,2,x\n1,3,y\n", "holds numbers and, in sample 1, the word '<5'"),
        (
            "a,b,kind\n1,u,x\n1,v,y\n2,w,x\n",
            "3 different words in 3 samples, which are unique names",
        ),
    ],
)
def test_words_among_numbers_and_names_are_no_kinds(table_of, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        table_of(text, "kind")


def test_numbers_that_are_said_to_be_kinds_are_nominal(table_of):
    text = "a,dose,kind\n1,10,x\n2,low,y\n3,10,x\n"
    table = table_of(text, "kind", nominal=["dose"])
    assert (table.X.tolist(), table.levels) == ([[1, 0], [2, 1], [3, 0]], {"dose": ("10", "low")})
    with pytest.raises(ValueError, match="There is no feature 'doze'; did you mean 'dose'"):
        table_of(text, "kind", nominal=["doze"])


def test_words_that_are_missing_are_no_level():
    codes, levels = coded(["b", None, "NA", " a", "b"], "k")
    np.testing.assert_array_equal(codes, [1, np.nan, np.nan, 0, 1])
    assert levels == ("a", "b")
