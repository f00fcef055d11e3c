import numpy as np

from hitmiss.io.design import kinds, measurements


def test_kinds_are_text_whatever_the_cells_are():
    assert kinds([1.0, "1", " d1 ", None, "NA", np.nan]).tolist() == ["1", "1", "d1", "", "", ""]


def test_covariates_are_numbers_and_indicators():
    found = measurements({"age": ["40", "", "51"], "site": ["b", "a", "c"], "dose": [1, None, 2.5]})
    nan = np.nan
    expected = [[40, 1, 0, 1], [nan, 0, 0, nan], [51, 0, 1, 2.5]]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(measurements({"sex": ["m", "", "f"]}), [[1], [nan], [0]])
