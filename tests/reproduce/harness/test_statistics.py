import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as t_distribution

from reproduce.harness.statistics import (
    compared,
    difference,
    mean_of,
    outcome,
    p_text,
    p_value,
    paired,
    parsed,
    share_of,
    signed,
    tally,
    value_counts,
)


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


def test_nothing_is_printed_as_less_than_nothing():
    assert [signed(v) for v in (-0.04, 0.0, 0.06, -1.25)] == ["+0.0", "+0.0", "+0.1", "-1.2"]
    assert [p_text(p) for p in (0.0, 0.0009, 0.001, 0.25)] == [
        "< 0.001",
        "< 0.001",
        "0.001",
        "0.250",
    ]
    assert p_text(0.004, digits=2) == "< 0.01"


def test_the_standard_error_of_a_share_is_binomial():
    ours = share_of(20.0, 100)
    assert ours.sd / math.sqrt(ours.n) == pytest.approx(4.0)
    assert difference(ours, share_of(10.0, 100)) == pytest.approx(10 / math.sqrt(16 + 9))


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
    assert tally(["win", "open"]) == "1/0/0, 1 open"


def test_a_change_has_the_standard_error_of_paired_differences():
    before = [10.0, 20.0, 30.0, 40.0]
    change = paired([9.0, 18.0, 29.0, 38.0], before)
    assert change.mean == -1.5
    assert change.error == pytest.approx(math.sqrt(1 / 3) / 2)
    assert str(change) == "-1.5 ± 0.3"
    assert change.falls
    assert not paired(before, [9.0, 18.0, 29.0, 38.0]).falls
    assert not paired([9.0, 22.0, 25.0, 39.0], before).falls  # within two standard errors
    assert str(paired(before, before)) == "+0.0 ± 0.0"
    missing = paired(before[:3], before)
    assert str(missing) == "–"
    assert not missing.falls


def test_p_values_are_those_of_a_paired_test():
    low, high = [1.0, 2.0, 3.0, 4.0], [2.0, 3.1, 2.2, 5.1]
    apart = [0.0 + a - b for a, b in zip(low, high, strict=True)]
    t = abs(mean_of(apart).mean) / (mean_of(apart).sd / 2)
    assert p_value(low, high) == pytest.approx(2 * t_distribution.sf(t, 3))
    assert p_value(low, [v + 1 for v in low]) == 0
    assert p_value(low, low) == 1
    assert math.isnan(p_value(low, high[:3]))


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=2, max_size=12))
def test_outcomes_are_those_of_the_other_side(pairs):
    ours, theirs = map(list, zip(*pairs, strict=True))
    mirror = {"win": "loss", "tie": "tie", "loss": "win"}
    assert outcome(theirs, ours) == mirror[outcome(ours, theirs)]


def test_values_chosen_from_a_grid_are_counted():
    assert value_counts([2.0, 5.0, 2.0], [5.0, 2.0, 0.5]) == "0.5: 0, 2: 2, 5: 1"
