import numpy as np
from hypothesis import given

from hitmiss.plotting._rounding import is_constant, on_grid
from tests.plotting.degenerate import twice


@given(pair=twice())
def test_what_differs_by_rounding_is_at_one_point_of_the_grid(pair):
    one, two = map(on_grid, pair)
    np.testing.assert_array_equal(one, two)
    assert np.abs(one).max() in (0, 2**30)


def test_missing_values_stay_missing_and_change_nothing():
    assert on_grid([np.nan, 2.0, 1.0])[1:].tolist() == [2**30, 2**29]
    values = np.array([[0.3, np.nan, 0.1 + 0.2], [0.3, np.nan, 0.4]])
    assert is_constant(values, axis=1).tolist() == [True, False]
