import sys

import matplotlib.pyplot as plt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitmiss.plotting import plot_alpha
from hitmiss.plotting._style import axes_for, cover_levels, label, line_style
from tests.plotting.looks import drawn


def test_given_axes_are_used():
    ax = plt.subplots()[1]
    assert axes_for(ax) is ax
    assert plot_alpha([1.0], ax=ax) is ax


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "hitmiss\[plot\]"\.$'):
        plot_alpha([1.0])


def test_line_styles_differ():
    styles = [tuple(line_style(k).values()) for k in range(28)]
    assert len(set(styles)) == 28


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.filterwarnings("ignore:Matplotlib currently does not support")
@settings(max_examples=30)
@given(name=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_name_can_be_drawn(name):
    ax = plt.subplots(figsize=(1, 1))[1]
    ax.plot([0, 1], label=label(name) or "-")
    ax.legend()
    shown = drawn(ax).get_legend().get_texts()
    assert [text.get_text() for text in shown] == [label(name) or "-"]
    plt.close("all")


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.3), (0.3, 0.4)])
def test_lines_of_just_the_distance_that_hides_are_hidden(low, high):
    """One of these differences is below 0.1 in the last bit, the other above."""
    assert cover_levels([[(1, low), (2, low)], [(1, high), (2, high)]], 0.1) == [0, 1]


def test_a_long_name_keeps_both_ends():
    assert label("begin" + "x" * 100 + "end", 9) == "begi…xend"
