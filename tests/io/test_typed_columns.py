import numpy as np
import pandas as pd
import pytest

from hitmiss.io import read_table


def test_columns_of_other_types(tmp_path):
    path = tmp_path / "a.parquet"
    columns = {"n": pd.array([1, None, 3], "Int64"), "flag": [True, False, True], "text": ["1"] * 3}
    pd.DataFrame(columns).to_parquet(path)
    np.testing.assert_array_equal(read_table(path).X, [[1, 1, 1], [np.nan, 0, 1], [3, 1, 1]])
    pd.DataFrame({"n": [1, 2], "text": ["1", "low"]}).to_parquet(path)
    with pytest.raises(ValueError, match="Column 'text' holds 'low' in row 2"):
        read_table(path)
