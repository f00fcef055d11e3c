"""The index of pandas: one rule for tables and for files that stay on disk."""

import pandas as pd
import pyarrow.parquet
import pytest

from hitmiss import ReliefF
from hitmiss.io import read_table
from tests.data.sources.test_parquet import INDEXES

NAMES = {
    "without a name": ["5", "3", "8", "1"],
    "with a name": ["5", "3", "8", "1"],
    "of text": list("wxyz"),
    "of two": ["5 / 1", "3 / 8", "8 / 3", "1 / 5"],
    "of rows": ["1", "2", "3", "4"],
}


def written(path, index):
    frame = {"a": [0.0, 1.0, 0.0, 1.0], "kind": [0, 1, 0, 1], "b": [1.0, 1.5, 2.0, 2.5]}
    pd.DataFrame(frame, index=index).to_parquet(path)
    return path


@pytest.mark.parametrize("case", INDEXES)
def test_the_index_names_the_samples_and_is_no_feature(case, tmp_path):
    path = written(tmp_path / "X.parquet", INDEXES[case])
    table = read_table(path, "kind")
    assert (table.feature_names, table.sample_names) == (["a", "b"], NAMES[case])
    fitted = ReliefF(1).fit(pyarrow.parquet.ParquetFile(path), table.y)
    assert fitted.feature_names_in_.tolist() == ["a", "kind", "b"]


def test_a_column_of_the_index_may_be_asked_for(tmp_path):
    path = written(tmp_path / "X.parquet", INDEXES["of two"])
    assert read_table(path, "patient").y.tolist() == [5, 3, 8, 1]
    table = read_table(path, samples="patient")
    assert (table.feature_names, table.sample_names) == (["a", "kind", "b"], ["5", "3", "8", "1"])
    assert read_table(path, features=["patient", "a"]).X[:, 0].tolist() == [5, 3, 8, 1]
    assert read_table(path, drop=["patient"]).feature_names == ["a", "kind", "b"]
