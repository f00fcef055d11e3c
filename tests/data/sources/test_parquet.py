import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from hitmiss import ReliefF
from hitmiss.data.sources.parquet import ParquetSource

ROWS = [5, 3, 8, 1]
INDEXES = {
    "without a name": pd.Index(ROWS),
    "with a name": pd.Index(ROWS, name="patient"),
    "of text": pd.Index(list("wxyz"), name="patient"),
    "of two": pd.MultiIndex.from_arrays([ROWS, ROWS[::-1]], names=["patient", None]),
    "of rows": pd.RangeIndex(4),
}


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_the_index_of_pandas_is_no_feature(index, tmp_path):
    frame = pd.DataFrame({"a": [0.0, 1.0, 0.0, 1.0], "b": [1.0, 1.5, 2.0, 2.5]}, index=index)
    frame.to_parquet(tmp_path / "X.parquet")
    source = ParquetSource(tmp_path / "X.parquet")
    assert source.names.tolist() == ["a", "b"]
    np.testing.assert_array_equal(source.read(slice(0, 2)), frame)
    file = pyarrow.parquet.ParquetFile(tmp_path / "X.parquet")
    assert ReliefF(1).fit(file, [0, 1, 0, 1]).feature_names_in_.tolist() == ["a", "b"]


def test_a_column_of_the_index_may_be_asked_for(tmp_path):
    frame = pd.DataFrame({"a": [0.0, 1.0, 0.0, 1.0]}, index=INDEXES["with a name"])
    frame.to_parquet(tmp_path / "X.parquet")
    source = ParquetSource(tmp_path / "X.parquet", columns=["patient"])
    assert source.read(slice(0, 1))[:, 0].tolist() == ROWS


def test_missing_values_of_a_parquet_file_are_nan(tmp_path):
    table = pa.table({"a": [1, None, 3], "b": pa.array([None, 2.5, 3.5], pa.float32())})
    pa.parquet.write_table(table, tmp_path / "X.parquet")
    source = ParquetSource(tmp_path / "X.parquet")
    expected = [[1, np.nan], [np.nan, 2.5], [3, 3.5]]
    np.testing.assert_array_equal(source.read(slice(0, 2)), expected)
    pa.parquet.write_table(table, tmp_path / "silent.parquet", write_statistics=False)
    with pytest.raises(ValueError, match="Column 'a' of whole numbers has missing values, which"):
        ParquetSource(tmp_path / "silent.parquet", ["a"]).read(slice(0, 1))
