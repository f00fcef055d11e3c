import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduce.experiment import Key
from reproduce.statistics import compared, difference, mean_of, outcome, parsed, tally, values


def test_means_as_the_tables_print_them():
    assert str(mean_of([1.0, 2.0, 3.0])) == "2.0(1.0)"
    assert str(mean_of([1.26])) == "1.3"
    assert str(mean_of([])) == "–"
    assert parsed("4.1(0.9)", 10) == (4.1, 0.9, 10)
    assert parsed("16.5 (6)", 1).sd == 6


def test_the_difference_is_in_standard_errors():
    ours = mean_of([1.0, 2.0, 3.0, 4.0])
    theirs = parsed("2.0(1.0)", 4)
    error = math.sqrt(ours.sd**2 / 4 + 1 / 4)
    assert difference(ours, theirs) == pytest.approx(0.5 / error)
    assert compared([1.0, 2.0, 3.0, 4.0], theirs) == "2.5(1.3) / 2.0(1.0), +0.6"
    assert compared([2.5], theirs) == "2.5 / 2.0(1.0)"
    assert compared([], theirs) == "– / 2.0(1.0)"


def test_outcomes_by_a_paired_test():
    low, high = [1.0, 2.0, 3.0, 4.0], [2.0, 3.1, 4.2, 5.1]
    assert outcome(low, high) == "win"
    assert outcome(high, low) == "loss"
    assert outcome([1.0, 2.0], [2.0, 1.0]) == "tie"
    assert outcome(low, [v + 1 for v in low]) == "win"  # the same difference every time
    assert outcome(low, low) == "tie"
    assert outcome(low, high[:3]) == "open"
    assert outcome(low[:1], high[:1]) == "open"  # one run says nothing
    assert tally(["win", "tie", "win", "loss"]) == "2/1/1"


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=2, max_size=12))
def test_outcomes_are_those_of_the_other_side(pairs):
    ours, theirs = map(list, zip(*pairs, strict=True))
    mirror = {"win": "loss", "tie": "tie", "loss": "win"}
    assert outcome(theirs, ours) == mirror[outcome(ours, theirs)]


def test_values_come_by_run_where_they_exist():
    records = {
        Key("a", "m", 10): {"v": 3},
        Key("a", "m", 2): {"v": 1},
        Key("a", "m", 3): {},
        Key("b", "m", 1): {"v": 9},
    }
    assert values(records, "a", "m", "v") == [1, 3]
