import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io import read_table


@pytest.mark.parametrize("header", ["", "id", "Sample", "sample_id", "index"])
def test_numbers_under_such_a_header_are_names(table_of, header):
    table = table_of(f"{header},kind,a\n1,x,5\n2,y,6\n", "kind")
    assert (table.feature_names, table.sample_names) == (["a"], ["1", "2"])


def test_numbers_under_another_header_are_a_feature(table_of):
    table = table_of("age,kind\n1,x\n2,y\n", "kind")
    assert (table.feature_names, table.sample_names) == (["age"], ["1", "2"])
    assert table_of("age,kind,a\n1,x,5\n2,y,6\n", "kind", samples="age").feature_names == ["a"]


NAMES, FEATURE, UNKNOWN = "names", "a feature", "neither"


@pytest.mark.parametrize(
    ("header", "cells", "role"),
    [
        ("", ["0", "1", "2"], NAMES),  # as pandas numbers rows
        ("", ["17", "3", "42"], NAMES),  # of a sample drawn from them
        ("", ["1.0", "2.0", "3.0"], NAMES),
        ("", ["5.1", "4.9", "6.2"], FEATURE),
        ("", ["5", "5", "7"], FEATURE),
        ("", ["-1", "0", "1"], FEATURE),
        ("", ["1", "2", "NA"], FEATURE),
        ("", ["", "", ""], UNKNOWN),
        ("", ["s", "s", "t"], NAMES),
        ("id", ["5.1", "4.9", "5.1"], NAMES),
        ("gene", ["s", "t", "1"], NAMES),
        ("gene", ["1", "2", "3"], FEATURE),
        ("gene", ["TRUE", "FALSE", "TRUE"], FEATURE),
    ],
)
def test_what_the_first_column_holds(table_of, header, cells, role):
    text = f"{header},kind,a\n" + "".join(f"{cell},x,5\n" for cell in cells)
    table = table_of(text, "kind")
    name = header or "column 1"
    assert table.feature_names == [*[name] * (role == FEATURE), "a"]
    assert table.sample_names == (cells if role == NAMES else ["1", "2", "3"])
    assert table.sample_column == (name if role == NAMES else None)
    assert table.X.shape == (3, 1 + (role == FEATURE))
    assert table.X[:, -1].tolist() == [5, 5, 5]
    other = table_of(text, "kind", features=["a"])
    assert (other.feature_names, other.X.tolist()) == (["a"], [[5], [5], [5]])


def test_a_first_column_that_is_a_feature_after_all(table_of):
    table = table_of(",kind,a\n5,x,1\n4.5,y,2\n", "kind")
    assert table.X.tolist() == [[5, 1], [4.5, 2]]
    assert table_of(",kind,a\n5,x,1\n5,y,2\n", "kind", drop=["column 1"]).feature_names == ["a"]
    assert table_of(",kind,a\n5,x,1\n5,y,2\n", features=["column 1"]).X.tolist() == [[5], [5]]
    assert table_of("a,,kind\n5,1,x\n5,2,y\n", "kind").feature_names == ["a", "column 2"]


@pytest.mark.parametrize("cell", ["a,1", "1,2,x", "10.1.2", "2020-01-01", "%", "s12%"])
def test_text_that_does_not_look_like_a_number(table_of, cell):
    assert table_of(f'dose;a\n"{cell}";1\n"other";2\n').sample_names == [cell, "other"]


@given(st.integers(1000, 10**15), st.sampled_from(["{:,}", "{:,}.5", "{}%", "{},5"]))
def test_numbers_with_separators_are_never_names(tmp_path_factory, number, form):
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_text(f'dose;a\n"{form.format(number)}";1\n"{form.format(number + 1)}";2\n')
    with pytest.raises(ValueError, match="write numbers as 1000"):
        read_table(path, decimal=".")
