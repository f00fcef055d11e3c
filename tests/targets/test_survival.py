import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sksurv.nonparametric import kaplan_meier_estimator
from sksurv.util import Surv

from hitmiss.targets.survival import (
    Survival,
    check_different_times,
    checked_survival,
    kaplan_meier,
)

TIME, EVENT = np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, True])
EVERY = np.arange(4)


def test_four_times_by_hand():
    """One of four dies, one leaves; the two left die one after the other."""
    target = Survival(TIME, EVENT, tau=0.5)
    np.testing.assert_allclose(target.ranks, [0.25, 0.25, 0.625, 1])
    np.testing.assert_allclose(target.expected_ranks, [0.25, 0.625, 0.625, 1])
    C = target.comparability(EVERY, EVERY)
    np.testing.assert_array_equal(C, [[1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 1, 1], [1, 0, 1, 1]])
    expected = np.exp(-np.array([0.375, 0.375, 0.75]) / 0.5)  # (1 + 0.25) / 2 - 0.25 first
    np.testing.assert_allclose(target.likeness(EVERY[:1], EVERY[1:])[0], expected)


def test_who_may_be_compared_by_definition():
    rng = np.random.default_rng(0)
    time, event = rng.integers(0, 6, 30).astype(float), rng.random(30) < 0.5
    C = Survival(time, event).comparability(np.arange(30), np.arange(30))
    for n in range(30):
        for i in range(30):
            known = [event[a] and time[b] >= time[a] for a, b in ((n, i), (i, n))]
            assert C[n, i] == ((event[n] and event[i]) or any(known))


def test_kaplan_meier_as_scikit_survival_has_it():
    rng = np.random.default_rng(1)
    time, event = rng.integers(1, 20, 60).astype(float), rng.random(60) < 0.6
    times, survival = kaplan_meier_estimator(event, time)
    np.testing.assert_allclose(kaplan_meier(time, event), survival[np.searchsorted(times, time)])


def test_other_orders_and_parts():
    target = Survival(TIME, EVENT, sample_weight=np.arange(4.0))
    moved = target.relabeled(EVERY[::-1])
    assert moved.time.tolist() == [4, 3, 2, 1]
    assert moved.weights.tolist() == [0, 1, 2, 3]
    assert target.of(EVERY[2:]).ranks.tolist() == [0.625, 1]
    assert (
        moved.digest()
        != target.digest()
        == Survival(TIME, EVENT, sample_weight=np.arange(4.0)).digest()
    )
    assert target.kinds.tolist() == [0, 1, 2, 3]


GIVEN = {
    "scikit-survival": Surv.from_arrays(EVENT, TIME),
    "other names": Surv.from_arrays(EVENT, TIME, name_event="dead", name_time="days"),
    "a list": [[1, 1], [0, 2], [1, 3], [1, 4]],
    "by type": pd.DataFrame({"days": TIME, "dead": EVENT}),
    "by name": pd.DataFrame({"Time": TIME, "Event": EVENT.astype(int)}),
    "by order": pd.DataFrame({"dead": EVENT.astype(int), "days": TIME}),
    "polars": pl.DataFrame({"status": EVENT.astype(int), "time": TIME}),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_events_and_times_may_come_as(name):
    found = checked_survival(GIVEN[name])
    assert found["event"].tolist() == EVENT.tolist()
    assert found["time"].tolist() == TIME.tolist()


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[1, 2], [0, -3.5]], "negative time in row 1 (-3.5)"),
        ([[0, 2], [0, 3]], "no event at all"),
        ([[1, 2], [0, np.nan]], "The time in y contains NaN in row 1"),
        ([[2, 2], [1, 3]], "must be true or false, or 1 or 0"),
        ([1, 2, 3], "two columns, event and time"),
        ([[1, "late"], [0, "soon"]], "must be numbers"),
    ],
)
def test_bad_times_and_events(y, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        checked_survival(y)


def test_equal_times_are_told_with_what_to_give_instead():
    check_different_times(TIME)
    with pytest.raises(ValueError, match=r"is 5 for all samples, .*; give the time until the ev"):
        check_different_times(np.full(4, 5.0))
