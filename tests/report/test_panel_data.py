import numpy as np

from hitmiss.report.panel_data import half_data, strip_data

NAMES = ["a", "b", "c"]


def test_strips_hold_what_is_observed_from_small_to_large_numbers():
    X = np.array([[3.0, 0.0, 1.0], [np.nan, 0.0, 2.0], [5.0, 0.0, 3.0]])
    found = strip_data(X, np.array([9.0, 8.0, 7.0]), np.array([2, 0]), NAMES)
    assert found["names"] == ["c", "a"]
    assert found["values"] == [[3, 2, 1], [5, 3]]
    assert found["numbers"] == [[7, 8, 9], [7, 9]]


def test_strips_are_limited_in_dots_and_panels():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2_000, 9)), rng.normal(size=2_000)
    found = strip_data(X, y, np.arange(9), [str(j) for j in range(9)])
    assert found["names"] == ["0", "1", "2", "3", "4", "5"]
    assert {len(values) for values in found["values"]} == {250}
    assert found["n_features"] == 9
    assert found["numbers"][0][0] == float(f"{y.min():.4g}")
    assert found["numbers"][0][-1] == float(f"{y.max():.4g}")


def test_strips_and_halves_keep_what_differs_far_from_zero():
    x, y = 1e6 + np.arange(5) / 8, 20_230_000 + np.arange(5) / 4
    found = strip_data(x[:, None], y, np.array([0]), NAMES)
    np.testing.assert_allclose(found["values"][0], x, rtol=0, atol=1e-3)
    np.testing.assert_allclose(found["numbers"][0], y, rtol=0, atol=1e-3)
    halves = half_data(x[:, None], (y, np.ones(5, bool)), np.array([0]), NAMES)
    assert halves["medians"] == [x[2]]
    assert halves["curves"][0][1]["times"] == [0, *y[3:]]


def test_a_feature_with_one_value_leaves_its_panel_to_the_next():
    X = np.arange(24.0).reshape(3, 8)
    X[1:, 0] = np.nan
    times = np.arange(3.0), np.ones(3, bool)
    names = [str(j) for j in range(8)]
    for found in (
        strip_data(X, times[0], np.arange(8), names),
        half_data(X, times, np.arange(8), names),
    ):
        assert found["names"] == ["1", "2", "3", "4", "5", "6"]
        assert found["n_features"] == 8


def test_halves_by_hand():
    """Low half: events at 1 and 4, one censored at 2; high half: an event at 8, one censored."""
    X = np.array([[0.0], [1.0], [2.0], [7.0], [9.0]])
    times = np.array([1.0, 2.0, 4.0, 8.0, 9.0]), np.array([True, False, True, True, False])
    found = half_data(X, times, np.array([0]), ["a"])
    low, high = found["curves"][0]
    assert low == {"times": [0, 1, 4], "shares": [1, 0.6667, 0], "n_samples": 3}
    assert high == {"times": [0, 8, 9], "shares": [1, 0.5, 0.5], "n_samples": 2}
    assert found["medians"] == [2]


def test_a_median_that_is_the_largest_value_still_divides():
    times = np.array([1.0, 2.0, 3.0]), np.array([True, True, True])
    found = half_data(np.array([[0.0], [1.0], [1.0]]), times, np.array([0]), ["a"])
    assert [curve["n_samples"] for curve in found["curves"][0]] == [1, 2]


def test_what_cannot_be_drawn_is_left_out():
    times = np.array([1.0, 2.0]), np.array([True, True])
    X = np.array([[1e305, np.nan, 1.0], [0.0, np.nan, 1.0]])
    every = np.arange(3)
    assert half_data(X, times, every, NAMES) is None
    assert strip_data(X, times[0], every[:2], NAMES) is None
    assert strip_data(X, times[0] * 1e305, every, NAMES) is None
    assert strip_data(X, times[0], every, NAMES)["names"] == ["c"]


def test_a_feature_constant_but_for_rounding_is_not_divided():
    x = np.array([0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2])
    times = np.arange(4.0), np.ones(4, bool)
    assert half_data(x[:, None], times, np.array([0]), NAMES) is None
