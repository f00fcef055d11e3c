"""Data that no method can take, each refused in one sentence."""

import numpy as np
import pandas as pd
import pytest

from hitmiss import OnlineIRelief, ReliefF

X = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize("fit", [ReliefF(1).fit, OnlineIRelief().partial_fit])
@pytest.mark.parametrize("missing", [None, pd.NA, pd.NaT])
@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, object), pd.Series])
def test_a_label_that_is_missing_is_named_by_its_row(fit, missing, kind):
    with pytest.raises(ValueError, match=r"^y holds no label in row 3 \(.+\); leave such samples"):
        fit(X, kind(["a", "b", "a", missing, "a", "b"]))


def test_a_column_of_dates_is_named():
    frame = pd.DataFrame({"a": X[:, 0], "born": pd.date_range("2000-01-01", periods=6)})
    with pytest.raises(ValueError, match=r"^Column 'born' holds dates or times \(datetime64"):
        ReliefF(1).fit(frame, [0, 1] * 3)


def test_an_empty_frame_is_not_called_sparse():
    with pytest.raises(ValueError, match=r"0 sample|0 feature|at least one"):
        ReliefF(1).fit(pd.DataFrame(), [])
