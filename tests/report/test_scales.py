import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.report.scales import MOST_TICKS, Scale, tick_text

VALUES = st.lists(st.floats(-1e300, 1e300), min_size=1)


@given(VALUES, st.booleans())
def test_linear_ticks_enclose_all_values(values, zero):
    scale = Scale(values, 0, 100, zero=zero)
    assert 2 <= len(scale.ticks) <= MOST_TICKS + 2
    assert all(-0.01 <= scale(value) <= 100.01 for value in values)
    assert not zero or scale.ticks[0] <= 0 <= scale.ticks[-1]


@given(st.lists(st.floats(min_value=1e-300, allow_infinity=False), min_size=1))
def test_logarithmic_ticks_are_powers_of_ten_in_sight(values):
    scale = Scale(values, 100, 0, log=True)
    assert 1 <= len(scale.ticks) <= MOST_TICKS + 1
    assert all(0 <= scale(tick) <= 100 for tick in scale.ticks)
    assert all(0 <= scale(value) <= 100 for value in values)
    assert all(tick_text(tick).lstrip("0.,").startswith("1") for tick in scale.ticks)


def test_places_by_hand():
    assert Scale([0, 9], 0, 100)(2.5) == 25
    assert Scale([1, 100], 0, 100, log=True)(10) == 50
    assert Scale([3], 0, 100)(3) == 50
    assert Scale([0], 0, 100, zero=True).ticks[-1] == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.3"), (-2000, "-2,000"), (1e6, "1e6"), (2.5e-7, "2.5e-7"), (1234.4, "1,234.4")],
)
def test_tick_texts(value, text):
    assert tick_text(value) == text


@pytest.mark.parametrize("top", [5.0, 6.0, 60.0, 0.5])
def test_ticks_do_not_depend_on_the_last_bit(top):
    expected = Scale([0, top], 0, 100).ticks
    for end in (np.nextafter(top, 0), np.nextafter(top, 100)):
        assert Scale([0, end], 0, 100).ticks == expected
    assert Scale([10, np.nextafter(1000, 0)], 0, 100, log=True).ticks == [10, 100, 1000]


def test_values_whose_difference_overflows_have_places():
    scale = Scale([-1.7e308, 1.7e308], 0, 100)
    assert [scale(-1.7e308), scale(0), scale(1.7e308)] == [0, 50, 100]
