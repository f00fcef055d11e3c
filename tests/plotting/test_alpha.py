import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.plotting import alpha_steps, plot_alpha
from tests.plotting.looks import drawn, texts


@given(st.integers(0, 10_000))
def test_steps_are_thinned_and_the_ends_are_kept(n):
    path = np.arange(n) / 7
    steps, alphas = alpha_steps(path)
    assert len(steps) == min(n, 2000)
    np.testing.assert_array_equal(path[steps - 1], alphas)
    assert steps[[0, -1]].tolist() == [1, n] if n else not len(steps)


def test_positive_paths_are_on_a_log_axis():
    assert drawn(plot_alpha([1.0, 0.1])).get_yscale() == "log"
    assert drawn(plot_alpha([1.0, 0.0])).get_yscale() == "linear"


def test_no_step_is_said():
    assert texts(drawn(plot_alpha([]))) == ["No step was made."]


@pytest.mark.parametrize("path", [[0.1], [np.nextafter(0.1, 0)], [0.1, np.nextafter(0.1, 1)]])
def test_an_alpha_that_stays_is_in_the_middle_of_a_decade(path):
    np.testing.assert_allclose(np.log10(drawn(plot_alpha(path)).get_ylim()).mean(), -1)
