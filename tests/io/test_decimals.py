"""Decimal commas are read where nothing else can be meant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io import read_columns
from hitmiss.io.decimals import decimal_mark


def test_semicolons_and_decimal_commas_are_found_and_said(table_of):
    table = table_of("id;kind;a;b\ns1;x;1,5;-0,25\ns2;y;2;1,5e-3\ns3;x;NA;7\n", "kind")
    np.testing.assert_array_equal(table.X, [[1.5, -0.25], [2, 0.0015], [np.nan, 7]])
    assert table.remarks == (
        "Numbers are read with a decimal comma; --decimal . reads them with a point.",
    )
    assert table_of("a;kind\n1.5;x\n2;y\n", "kind").remarks == ()


def test_features_in_rows_have_decimal_commas_too(table_of):
    table = table_of("gene\ts1\ts2\nTP53\t1,5\t2,25\n", transpose=True, name="d.tsv")
    assert table.X.tolist() == [[1.5], [2.25]]


def test_targets_and_columns_aside_have_decimal_commas_too(table_of):
    text = "id;dose;days;site;a\ns1;12,5;3,5;A 1,5;1,5\ns2;7;4;B;2\ns3;0,25;;C;7\n"
    table = table_of(text, "dose", aside=["days", "site"])
    assert table.y.tolist() == [12.5, 7.0, 0.25]
    assert table.aside == {"days": ["3.5", "4", ""], "site": ["A 1,5", "B", "C"]}
    rows = "gene\ts1\ts2\ndose\t0,5\t1,25\nTP53\t1,5\t2,25\n"
    assert table_of(rows, "dose", transpose=True, name="d.tsv").y.tolist() == [0.5, 1.25]
    pointed = table_of(text.replace(",", "."), "dose", aside=["days", "site"])
    assert pointed.y.tolist() == [12.5, 7.0, 0.25]


def test_metadata_have_decimal_commas_too(tmp_path):
    (tmp_path / "m.csv").write_text("id;days;site\ns1;3,5;A\ns2;4;B\n")
    assert list(read_columns(tmp_path / "m.csv")["days"]) == ["3.5", "4"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a;kind\n1,500;x\n2,250;y\n", "'1,500' in row 2, .*or use --decimal , if all commas are"),
        ("a;b;kind\n1,5;2.5;x\n", "'1,5' in row 2, .*or use --decimal , if all commas are decima"),
        ("a;kind\n0,5;x\n2.5;y\n", "'2.5' in row 3, .*write it with one, or use --decimal \\."),
    ],
)
def test_what_is_ambiguous_is_an_error_that_names_the_option(table_of, text, sentence):
    if "2.5;y" in text:  # the mark was found before the other one was seen
        with pytest.raises(ValueError, match=sentence):
            table_of(text, "kind", decimal=",")
        return
    with pytest.raises(ValueError, match=sentence):
        table_of(text, "kind")


def test_the_option_decides(table_of):
    text = "a;kind\n1,500;x\n2,250;y\n"
    assert table_of(text, "kind", decimal=",").X.tolist() == [[1.5], [2.25]]
    with pytest.raises(ValueError, match="a point or a comma"):
        table_of(text, "kind", decimal="x")


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20))
def test_any_numbers_come_back(tmp_path_factory, values):
    from hitmiss.io import read_table

    path = tmp_path_factory.mktemp("csv") / "data.csv"
    rows = [f"{value!r};x" for value in values]
    path.write_text("\n".join(["a;kind", *rows]).replace(".", ","))
    mark = decimal_mark(path.read_text().splitlines(), ";")
    table = read_table(path, "kind", decimal="," if mark == "." else None)
    assert table.X[:, 0].tolist() == values
