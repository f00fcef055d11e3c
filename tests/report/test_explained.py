import numpy as np
import pandas as pd
import pytest

from hitmiss import Ensemble, RReliefF, datasets
from hitmiss.report import render
from hitmiss.report.explained import ShownClasses, ShownNumbers, ShownTimes, explained_by
from hitmiss.report.summary import summarize

X = np.array([[1.0, 6.0], [2.0, 5.0], [3.0, 4.0], [4.0, 3.0], [5.0, 2.0], [6.0, 0.0]])
BOTH = np.arange(2)


def test_numbers_are_in_thirds_named_by_their_extent():
    found = ShownNumbers(X, [10.0, 1234.5678, 20.0, 30.0, 40.0, 0.5], [])
    assert found.groups == ["0.5 to 10", "20 to 30", "40 to 1,235"]
    assert found.codes.tolist() == [0, 2, 1, 1, 2, 0]
    about = found.facts()["about"]
    assert about == {"Smallest y": 0.5, "Median of y": 25, "Largest y": 1234.6}


@pytest.mark.parametrize("base", [0, 20_230_000])
def test_numbers_far_from_zero_are_stated_as_they_are(base):
    y = base + np.array([10_364.0, 11_002.0, 12_345.0, 12_346.0, 13_001.0, 14_997.0])
    found = ShownNumbers(X, y, [])
    assert found.groups[0] == f"{base + 10_364:,} to {base + 11_002:,}"
    about = found.facts()["about"]
    assert about["Smallest y"] == base + 10_364
    assert about["Largest y"] == base + 14_997


def test_thirds_that_differ_little_have_names_that_differ():
    found = ShownNumbers(X, [1.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-9, 1e4, 2e4], [])
    assert found.groups == ["1 to 1", "1.000000001 to 1.000000001", "10,000 to 20,000"]


def test_numbers_of_two_values_have_two_groups():
    found = ShownNumbers(X, [0, 0, 0, 0, 1, 1], [])
    assert found.groups == ["0 to 0", "1 to 1"]
    assert found.codes.tolist() == [0, 0, 0, 0, 1, 1]


def test_times_are_ordered_by_when_the_event_is_expected():
    """The first is censored at once, so that its event is expected in the middle of all."""
    time, event = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [False, True, True, True, True, True]
    found = ShownTimes(X, np.column_stack([event, time]), [])
    assert found.groups == ["early", "middle", "late"]
    assert found.codes.tolist() == [1, 0, 0, 1, 2, 2]
    assert found.facts()["about"] == {"Events": 5, "Censored": 1, "Median time": 4}


def test_times_that_half_of_the_samples_outlive_have_no_median():
    found = ShownTimes(X, np.column_stack([np.arange(6) < 1, np.arange(6)]), [])
    assert found.facts()["about"] == {"Events": 1, "Censored": 5}


@pytest.mark.parametrize(
    ("shown", "signs"),
    [
        (ShownNumbers(X, np.arange(6) ** 2, []), [1, -1]),
        (ShownTimes(X, np.column_stack([np.ones(6), np.arange(6)]), []), [1, -1]),
        (ShownNumbers(X, np.arange(6), [0]), [np.nan, -1]),
    ],
)
def test_the_rank_correlation_says_the_direction_of_features_with_an_order(shown, signs):
    (column,) = shown.columns(BOTH)
    assert column.key == "rank_correlation"
    np.testing.assert_allclose(column.values, signs)


def test_what_is_around_another_estimator_explains_what_that_does():
    X, y = datasets.make_product(60, random_state=0, return_X_y=True)
    around = Ensemble(RReliefF(), 2, random_state=0).fit(X, y)
    assert isinstance(explained_by(around, X, y), ShownNumbers)
    assert isinstance(explained_by(object(), X, y > 0), ShownClasses)
    found = summarize(around, X, y)
    assert found["certainty"]["measure"] == "R²"
    labels = [column["label"] for column in found["table"]["columns"]]
    assert labels[-2:] == ["Selection frequency", "Rank correlation"]


def test_words_have_neither_a_correlation_nor_a_panel():
    X, y = datasets.make_product(60, random_state=0, return_X_y=True)
    frame = pd.DataFrame({"word": np.where(y > 0, "high", "low"), "x": X[:, 0]})
    found = summarize(RReliefF(max_features=2).fit(frame, y), frame, y)
    known = {c["label"]: c["values"] for c in found["table"]["columns"]}
    correlations = dict(zip(known["Feature"], known["Rank correlation"], strict=True))
    assert correlations["word"] is None
    assert correlations["x"] is not None
    assert "word" in found["found"]["selected"]
    assert found["figures"]["strips"]["names"] == ["x"]
    assert "y, upwards, against each selected feature that has an order. A fea" in render(found)
    alone = summarize(RReliefF(max_features=2).fit(X, y), X, y)
    assert "y, upwards, against each selected feature. A feature" in render(alone)


@pytest.mark.parametrize("n", range(2, 41, 2))
def test_the_median_time_is_that_of_just_a_half_whatever_the_rounding(n):
    found = ShownTimes(np.ones((n, 1)), np.column_stack([np.ones(n), np.arange(n)]), [])
    assert found.facts()["about"]["Median time"] == n // 2 - 1
