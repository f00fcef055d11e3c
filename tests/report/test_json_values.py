import json

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from hitmiss.metrics import SelectionStability
from hitmiss.report.json_values import plain, rounded, rounded_within

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
NUMPY = st.sampled_from(
    [np.float32(1.5), np.int8(3), np.bool_(True), np.float64("inf"), np.str_("a")]
)
ANYTHING = st.recursive(
    LEAVES | NUMPY,
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=10,
)


@given(ANYTHING)
def test_anything_becomes_json_that_comes_back_the_same(value):
    found = plain(value)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_numpy_values_become_python_values():
    found = plain({"a": np.arange(2), "b": np.float32(0.5), "c": np.array([np.nan, 1.0])})
    assert found == {"a": [0, 1], "b": 0.5, "c": [None, 1.0]}
    assert type(found["a"][0]) is int


def test_named_tuples_become_dicts():
    found = plain(SelectionStability(1.0, 0.0, np.nan, 1.0))
    assert found == {"stability": 1.0, "variance": 0.0, "lower": None, "upper": 1.0}


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 15))
def test_rounded_numbers_are_near(value, digits):
    (found,) = rounded([value], digits)
    assert abs(found - value) <= abs(value) * 10.0 ** (1 - digits)


def test_rounded_numbers_are_short_in_json():
    assert json.dumps(rounded([0.12345678, 2.0, -0.0, np.nan, 1e300], 3)) == (
        "[0.123, 2, 0, null, 1e+300]"
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2))
def test_numbers_rounded_within_their_range_are_near_by_that(values):
    extent = max(values) - min(values)
    assume(extent > 0)
    found = rounded_within(values, np.array(values))
    for short, value in zip(found, values, strict=True):
        assert abs(short - value) <= max(min(extent, abs(value)) * 1e-3, abs(value) * 1e-15)
