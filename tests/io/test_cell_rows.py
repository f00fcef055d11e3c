import numpy as np
import pytest


def test_features_in_rows(table_of):
    text = "gene,s1,s2,s3\na,1,2,3\nkind,ill,well,ill\nb,4,5,6\n"
    table = table_of(text, "kind", transpose=True)
    np.testing.assert_array_equal(table.X, [[1, 4], [2, 5], [3, 6]])
    assert table.y.tolist() == ["ill", "well", "ill"]
    assert (table.feature_names, table.sample_names) == (["a", "b"], ["s1", "s2", "s3"])
    assert table_of(text, "kind", transpose=True, drop=["a"]).feature_names == ["b"]
    assert table_of(text, transpose=True, features=["b", "a"]).X.tolist() == [
        [4, 1],
        [5, 2],
        [6, 3],
    ]


def test_the_header_that_r_writes(table_of):
    table = table_of("kind,a\nr1,ill,1\nr2,well,2\n", "kind")
    assert (table.sample_names, table.X.tolist()) == (["r1", "r2"], [[1], [2]])


def test_features_are_read_in_the_order_asked_for(table_of):
    text = "id,kind,a,b,note\ns1,ill,1,2,so\ns2,well,3,4,so\n"
    assert table_of(text, features=["b", "a"]).X.tolist() == [[2, 1], [4, 3]]
    with pytest.raises(ValueError, match="1 features are not in the table: 'c'"):
        table_of(text, features=["c", "a"])


def test_a_row_of_missing_values_is_a_sample_and_an_empty_line_is_none(table_of):
    assert np.isnan(table_of("a,b\n1,2\n\nNA,NA\n").X[1]).all()


# What is wrong -> the text, and what the error says.
WRONG = {
    "empty": ("", "The file is empty."),
    "nothing but blank lines": ("\n\n", "The file is empty."),
    "header only": ("a,b,kind\n", "no samples"),
    "ragged": ("a,b,kind\n1,2,x\n3,y\n", "Row 3 has 2 values where the header has 3."),
    "too long": ("a,kind\n1,x\n1,x,5\n", "Row 3 has 3 values where the header has 2."),
    "text": (
        "a,b,kind\n1,2,x\n1,low,x\n",
        "Column 'b' holds 'low' in row 3, which is not a number",
    ),
    "a number for Python": ("a,b,kind\n1,1_0,x\n", "Column 'b' holds '1_0' in row 2"),
    "a decimal comma": ('a;b;kind\n1.5;"1,5";x\n', "Column 'b' holds '1,5' in row 2"),
    "text and numbers": (
        "b,sex,kind\n1,m,x\n2,1,x\n3,m,y\n",
        "Column 'sex' holds words and, in sa",
    ),
    "no such column": ("a,b,kind\n1,2,x\n", "There is no column 'kimd'; did you mean 'kind'?"),
    "duplicates": ("a,b,a,kind\n1,2,3,x\n", "1 feature name occurs more than once ('a')"),
    "no features": ("kind\nx\ny\n", "no features"),
    "an open quote": ('a,kind\n1,"x\n', "unexpected end of data"),
    "zero bytes": ("a\0b,kind\n1,2\n", "is not a text file, although its name says so"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_sentence(table_of, case):
    text, sentence = WRONG[case]
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        table_of(text, "kimd" if case == "no such column" else "kind")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_row_that_is_not_there_is_named(table_of):
    with pytest.raises(ValueError, match="There is no row 'kimd'; did you mean 'kind1'"):
        table_of("g,s1\nkind1,1\n", "kimd", transpose=True)
    with pytest.raises(ValueError, match="There is no row 'c'; there are 'a'"):
        table_of("g,s1\na,1\n", transpose=True, drop=["c"])


def test_a_name_that_stands_for_two_rows(table_of):
    text = "gene,s1,s2\nkind,x,y\na,1,2\nkind,1,2\na,3,4\n"
    with pytest.raises(ValueError, match="There are several rows 'kind'"):
        table_of(text, "kind", transpose=True)
    with pytest.raises(ValueError, match="There are several rows 'a'"):
        table_of(text, transpose=True, features=["a"])
