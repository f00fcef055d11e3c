import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss._util.ties import at_least, below, comparable, first_smallest

NUMBERS = st.floats(1e-290, 1e300) | st.floats(-1e300, -1e-290)


@given(NUMBERS, st.integers(-3, 3))
def test_a_few_last_bits_change_no_decision(value, steps):
    near = value + steps * np.spacing(value)
    assert at_least(near, value)
    assert at_least(value, near)
    assert first_smallest([value, near]) == 0
    assert first_smallest([near, value]) == 0


@given(st.lists(st.integers(-1000, 1000), min_size=1), st.integers(-300, 290))
def test_numbers_that_differ_keep_their_order(whole, exponent):
    values = np.array(whole) * 10.0**exponent
    order = np.argsort(values, kind="stable")
    np.testing.assert_array_equal(np.argsort(comparable(values), kind="stable"), order)
    assert first_smallest(values) == values.argmin()


def test_sums_in_another_order_are_sorted_alike():
    X = np.random.default_rng(0).random((50, 11))
    X = np.vstack([X, X[:, ::-1]])  # every sum twice
    one, other = X.sum(axis=1), X[:, ::-1].sum(axis=1)
    assert (one != other).any()
    np.testing.assert_array_equal(
        np.argsort(comparable(one), kind="stable"), np.argsort(comparable(other), kind="stable")
    )


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 0.0])
def test_what_has_no_neighbors_stays(value):
    np.testing.assert_array_equal(comparable(value), value)
    np.testing.assert_array_equal(below(value), value)


def test_the_smallest_of_every_row():
    values = np.array([[2.0, 1.0, np.nextafter(1.0, 0)], [np.inf, np.inf, np.inf]])
    assert first_smallest(values).tolist() == [1, 0]
    assert first_smallest(values, axis=0).tolist() == [0, 0, 0]
