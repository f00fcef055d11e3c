import csv
import gzip
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io import read_table
from hitmiss.io.cells import clean_name


@pytest.fixture
def table_of(tmp_path):
    """The table of a text."""

    def read(text, *args, name="data.csv", **kwargs):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return read_table(path, *args, **kwargs)

    return read


SMALL = "id,kind,a,b\ns1,ill,1,2.5\ns2,well,-3,4e2\n"


def test_a_small_table(table_of):
    table = table_of(SMALL, "kind")
    np.testing.assert_array_equal(table.X, [[1, 2.5], [-3, 400]])
    assert table.y.tolist() == ["ill", "well"]
    assert (table.feature_names, table.sample_names) == (["a", "b"], ["s1", "s2"])


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_and_line_ends_are_found(table_of, delimiter, end):
    text = SMALL.replace(",", delimiter).replace("\n", end)
    for name in ("data.csv", "data.tsv", "data.txt", "data.CSV"):
        np.testing.assert_array_equal(table_of(text, "kind", name=name).X, [[1, 2.5], [-3, 400]])


def test_compressed(tmp_path):
    path = tmp_path / "data.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as f:
        f.write(SMALL.replace(",", "\t"))
    assert read_table(path, "kind").sample_names == ["s1", "s2"]


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


NUMBER_LIKE = [
    "1,000",
    "1,234,567.5",
    "-1,5139",
    ",5",
    "1.000,5",
    "1'000",
    "12%",
    "1.5 %",
    "1,5e-3",
]


@pytest.mark.parametrize("cell", NUMBER_LIKE)
@pytest.mark.parametrize("header", ["", "dose", "id"])
def test_text_that_looks_like_a_number(table_of, cell, header):
    hint = "which is no number; write numbers as 1000, 1.5 or 0.12, without thousands separators"
    with pytest.raises(ValueError, match=re.escape(f"Column 'b' holds {cell!r} in row 2, {hint}")):
        table_of(f'a;b;kind\n1;"{cell}";x\n', "kind")
    first = f'{header};a;kind\n"{cell}";1;x\n7;2;y\n'
    if header == "id":
        assert table_of(first, "kind").sample_names == [cell, "7"]
        return
    with pytest.raises(ValueError, match=re.escape(f"holds {cell!r} in row 2, {hint}")):
        table_of(first, "kind")
    named = table_of(first, "kind", samples=header or "column 1")
    assert named.sample_names == [cell, "7"]
    assert table_of(first, "kind", features=["a"]).sample_names == ["1", "2"]


@pytest.mark.parametrize("cell", ["a,1", "1,2,x", "10.1.2", "2020-01-01", "%", "s12%"])
def test_text_that_does_not_look_like_a_number(table_of, cell):
    assert table_of(f'dose;a\n"{cell}";1\n"other";2\n').sample_names == [cell, "other"]


@given(st.integers(1000, 10**15), st.sampled_from(["{:,}", "{:,}.5", "{}%", "{},5"]))
def test_numbers_with_separators_are_never_names(tmp_path_factory, number, form):
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_text(f'dose;a\n"{form.format(number)}";1\n"{form.format(number + 1)}";2\n')
    with pytest.raises(ValueError, match="write numbers as 1000"):
        read_table(path)


def test_true_and_false_are_one_and_zero(table_of):
    text = "a,b,kind\nTRUE,1.5,x\nfalse,2,y\nTrue,3,x\nNA,4,y\n"
    x = table_of(text, "kind").X
    np.testing.assert_array_equal(x, [[1, 1.5], [0, 2], [1, 3], [np.nan, 4]])
    turned = "gene,s1,s2\na,TRUE,FALSE\nb,1,2\n"
    assert table_of(turned, transpose=True).X.tolist() == [[1, 1], [0, 2]]


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("comment", ["# made by hand\n", "#\n", "# by hand, in May\n# again\n"])
def test_a_comment_above_the_header(table_of, comment, delimiter):
    text = comment + SMALL.replace(",", delimiter)
    with pytest.raises(ValueError, match="begins with a comment; delete the lines with # above"):
        table_of(text, "kind")


def test_a_header_may_begin_with_a_number_sign(table_of):
    table = table_of("#chrom,kind,a\n#1,x,1\n#2,y,2\n", "kind")
    assert (table.sample_names, table.feature_names) == (["#1", "#2"], ["a"])


def test_the_words_that_mean_no_label_are_kept(table_of):
    table = table_of("a,kind\n1,None\n2,x\n3,NA\n4,\n5,None\n", "kind")
    assert table.missing_labels == ("None", "NA")
    assert table_of("a,kind\n1,\n2,x\n", "kind").missing_labels == ()


def test_features_are_read_in_the_order_asked_for(table_of):
    text = "id,kind,a,b,note\ns1,ill,1,2,so\ns2,well,3,4,so\n"
    assert table_of(text, features=["b", "a"]).X.tolist() == [[2, 1], [4, 3]]
    with pytest.raises(ValueError, match="1 features are not in the table: 'c'"):
        table_of(text, features=["c", "a"])


@pytest.mark.parametrize("cell", ["", "NA", "nan", "N/A", "#N/A", "null", "None", "?", " na "])
def test_missing_values_are_nan(table_of, cell):
    assert np.isnan(table_of(f"a,b,kind\n1,{cell},x\n", "kind").X[0, 1])
    assert table_of(f"a,kind\n1,{cell}\n2,x\n", "kind").y.tolist() == ["", "x"]


def test_a_row_of_missing_values_is_a_sample_and_an_empty_line_is_none(table_of):
    assert np.isnan(table_of("a,b\n1,2\n\nNA,NA\n").X[1]).all()


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["0", "1"], [0, 1]),
        (["10.0", "-2.0"], [10, -2]),
        (["1.5", "2.0"], [1.5, 2.0]),
        (["007", "7"], ["007", "7"]),
        (["1", "b"], ["1", "b"]),
        (["True", "False"], ["True", "False"]),
        ([" x ", "x"], ["x", "x"]),
    ],
)
def test_labels_are_numbers_only_where_all_are(table_of, cells, labels):
    y = table_of("a,kind\n" + "".join(f"1,{cell}\n" for cell in cells), "kind").y
    assert y.tolist() == labels
    assert [type(label) for label in y.tolist()] == [type(label) for label in labels]


# What is wrong -> the text, and what the error says.
WRONG = {
    "empty": ("", "The file is empty."),
    "nothing but blank lines": ("\n\n", "The file is empty."),
    "header only": ("a,b,kind\n", "no samples"),
    "ragged": ("a,b,kind\n1,2,x\n3,y\n", "Row 3 has 2 values where the header has 3."),
    "too long": ("a,kind\n1,x\n1,x,5\n", "Row 3 has 3 values where the header has 2."),
    "text": ("a,b,kind\n1,2,x\n1,low,x\n", "Column 'b' holds 'low' in row 3, which is no number"),
    "a number for Python": ("a,b,kind\n1,1_0,x\n", "Column 'b' holds '1_0' in row 2"),
    "a decimal comma": ('a;b;kind\n1;"1,5";x\n', "Column 'b' holds '1,5' in row 2"),
    "text twice in column one": ("sex,b,kind\nm,1,x\nf,1,x\nm,1,y\n", "Column 'sex' holds 'm' in"),
    "no such column": ("a,b,kind\n1,2,x\n", "There is no column 'kimd'; did you mean 'kind'?"),
    "duplicates": ("a,b,a,kind\n1,2,3,x\n", "1 feature names occur more than once ('a')"),
    "no features": ("kind\nx\ny\n", "no features"),
    "an open quote": ('a,kind\n1,"x\n', "unexpected end of data"),
    "zero bytes": ("a\0b,kind\n1,2\n", "is not text, although its name says so"),
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


def test_text_in_another_encoding(tmp_path):
    path = tmp_path / "data.csv"
    for encoding in ("latin-1", "utf-16"):
        path.write_bytes("größe,kind\n1,x\n".encode(encoding))
        with pytest.raises(ValueError, match="is not text in UTF-8; if it is a table, save it"):
            read_table(path, "kind")


def test_a_compressed_file_that_is_cut_off(tmp_path):
    path = tmp_path / "data.csv.gz"
    whole = gzip.compress(b"a,kind\n" + b"1,x\n" * 10_000)
    for content in (whole[: len(whole) // 2], b"a,kind\n1,x\n"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="cannot be read as a table of text"):
            read_table(path, "kind")


names = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1)
    .map(clean_name)
    .filter(bool),
    min_size=1,
    max_size=5,
    unique=True,
)
numbers = st.floats(allow_infinity=False, width=64)


@given(names, st.data())
def test_any_names_and_numbers_come_back_exactly(tmp_path_factory, features, data):
    rows = data.draw(st.lists(st.tuples(*[numbers for _ in features]), min_size=1, max_size=4))
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["id", *features])
        writer.writerows([f"s{n}", *row] for n, row in enumerate(rows))
    if max(",;\t", key=path.read_text("utf-8").splitlines()[0].count) != ",":
        return  # a name with more semicolons than there are commas: another delimiter is found
    table = read_table(path)
    assert table.feature_names == features
    np.testing.assert_array_equal(table.X, rows)


def test_a_name_that_stands_for_two_columns(table_of):
    text = "kind,a,b,a\nx,1,2,3\ny,4,5,6\n"
    with pytest.raises(ValueError, match="1 feature names occur more than once"):
        table_of(text, "kind")
    for options in ({"features": ["a"]}, {"samples": "a"}, {"target": "a"}):
        with pytest.raises(ValueError, match="There are several columns 'a'"):
            table_of(text, **options)
    assert table_of(text, "kind", features=["b"]).X.tolist() == [[2], [5]]
    assert table_of(text, "kind", drop=["a"]).feature_names == ["b"]


def test_a_name_that_stands_for_two_rows(table_of):
    text = "gene,s1,s2\nkind,x,y\na,1,2\nkind,1,2\na,3,4\n"
    with pytest.raises(ValueError, match="There are several rows 'kind'"):
        table_of(text, "kind", transpose=True)
    with pytest.raises(ValueError, match="There are several rows 'a'"):
        table_of(text, transpose=True, features=["a"])
