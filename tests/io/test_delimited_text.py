import csv
import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.io import read_table
from hitmiss.io.cells import clean_name

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


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("comment", ["# made by hand\n", "#\n", "# by hand, in May\n# again\n"])
def test_a_comment_above_the_header(table_of, comment, delimiter):
    text = comment + SMALL.replace(",", delimiter)
    with pytest.raises(ValueError, match="begins with a comment; delete the lines with # above"):
        table_of(text, "kind")


def test_a_header_may_begin_with_a_number_sign(table_of):
    table = table_of("#chrom,kind,a\n#1,x,1\n#2,y,2\n", "kind")
    assert (table.sample_names, table.feature_names) == (["#1", "#2"], ["a"])


def test_text_in_another_encoding(tmp_path):
    path = tmp_path / "data.csv"
    for encoding in ("latin-1", "utf-16"):
        path.write_bytes("größe,kind\n1,x\n".encode(encoding))
        with pytest.raises(
            ValueError, match="is not UTF-8 text; if it is a table, save it as UTF-8"
        ):
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
