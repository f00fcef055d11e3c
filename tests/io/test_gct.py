"""GCT files of both versions."""

import gzip

import numpy as np
import pytest

from hitmiss.io import read_columns, read_table

OLD = "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\ng1\tTP53\t1\t2\t3\ng2\tna\t4\t\t6.5\n"
NEW = """#1.3
2\t3\t2\t2
id\tsymbol\tchr\ts1\ts2\ts3
kind\tna\tna\till\twell\till
batch\tna\tna\t1\t1\t2
g1\tTP53\t17\t1\t2\t3
g2\t"B\t13\t4\tNaN\t6.5
"""
X = [[1, 4], [2, np.nan], [3, 6.5]]


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="data.gct"):
        path = tmp_path / name
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return to_file


@pytest.mark.parametrize("name", ["data.gct", "data.gct.gz"])
def test_version_1_2(write, name):
    table = read_table(write(OLD, name))
    np.testing.assert_array_equal(table.X, X)
    assert (table.feature_names, table.sample_names) == (["g1", "g2"], ["s1", "s2", "s3"])
    assert table.named
    assert read_columns(write(OLD)) == {"id": ["s1", "s2", "s3"]}


def test_version_1_3_has_annotations_of_the_samples(write):
    path = write(NEW)
    table = read_table(path, "kind", aside=["batch"])
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == ["ill", "well", "ill"]
    assert table.aside == {"batch": ["1", "1", "2"]}
    assert read_table(path).y is None
    assert read_columns(path)["batch"] == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#1.1\n", "is not a GCT file of version 1.2 or 1.3; it begins '#1.1'"),
        (OLD.replace("2\t3", "3\t3"), "states 3 features and holds 2"),
        (OLD.replace("2\t3\nN", "2\t4\nN"), "states 4 samples and names 3"),
        (OLD.replace("2\t3\nN", "x\nN"), "cannot be read as a GCT file"),
        (OLD.replace("TP53\t1", "TP53\t1\t9"), "Row 4 has 4 values for 3 samples"),
        (
            NEW.replace("17\t1", "17\tlow"),
            "Column 's1' holds 'low' in row 6, which is not a number",
        ),
        ("#1.2\n", "cannot be read as a GCT file"),
        (NEW[:40], "cannot be read as a GCT file"),
    ],
)
def test_what_is_wrong_is_one_sentence(write, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_table(write(text))


def test_it_is_not_transposed(write):
    with pytest.raises(ValueError, match="features in rows by definition"):
        read_table(write(OLD), transpose=True)
    with pytest.raises(ValueError, match="There is no row 'kimd'"):
        read_table(write(NEW), "kimd")
