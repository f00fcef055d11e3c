import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss.plotting import plot_weights, weight_peaks
from tests.plotting.looks import drawn, texts


@given(arrays(float, st.integers(1, 20), elements=st.floats(-1e300, 1e300)), st.integers(0, 5))
def test_peaks_are_the_largest_positive_weights(weights, n_peaks):
    features, values, peaks = weight_peaks(weights, n_peaks)
    assert (values > 0).all()
    np.testing.assert_array_equal(weights[features], values)
    assert len(peaks) == min(n_peaks, len(features))
    largest = np.sort(values)[::-1][: len(peaks)]  # those that agree to 1e-6 count as equal
    np.testing.assert_allclose(weights[peaks], largest, rtol=2e-6)


def test_the_largest_weights_are_named():
    ax = drawn(plot_weights([0.1, 5.0, 0.0, 2.0], names=["a", "b", "c", "d"], n_peaks=2))
    assert texts(ax) == ["b", "d"]
    assert ax.get_yscale() == "log"
    assert ax.get_xlabel() == "feature (3 of 4 have a positive weight)"


def test_neighbors_with_equal_weights_are_both_named():
    weights = np.zeros(1000)
    weights[:2] = 29.0, 28.6
    ax = drawn(plot_weights(weights))
    assert texts(ax) == ["0", "1"]
    first, second = (text.get_window_extent() for text in ax.texts)
    assert not first.overlaps(second)


@pytest.mark.parametrize("weights", [np.zeros(5), -np.ones(5)])
def test_without_a_positive_weight_a_sentence_says_so(weights):
    assert texts(drawn(plot_weights(weights))) == ["No feature has a positive weight."]


def test_one_feature():
    ax = drawn(plot_weights([2.0], names=["the one"]))
    assert texts(ax) == ["the one"]
    assert [t for t in ax.get_xticks() if -0.5 <= t <= 0.5] == [0]


def test_many_features_stay_a_small_drawing():
    weights = np.random.default_rng(0).exponential(size=25_000)
    ax = drawn(plot_weights(weights))
    assert not ax.collections  # no stem for each
    assert texts(ax)[0] == str(weights.argmax())


@pytest.mark.parametrize("weights", [[1e-100, 1e100], [1e-300], [1e300]])
def test_extreme_weights_stay_in_sight(weights):
    low, high = drawn(plot_weights(weights)).get_ylim()
    assert 0 < low <= max(weights) <= high < np.inf


@pytest.mark.parametrize("weights", [[1.7e308], [1e308, 1.7e308], [5e-324], [5e-324, 1.0]])
def test_weights_that_no_axis_can_show_are_at_its_end(weights):
    low, high = drawn(plot_weights(weights)).get_ylim()
    assert 0 < low < high < np.inf


def test_what_holds_no_numbers_is_refused_in_a_sentence():
    with pytest.raises(TypeError, match=r"a number per feature; got dict\.$"):
        plot_weights({"a": 1})
