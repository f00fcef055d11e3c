import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.report.charts import (
    Axis,
    bar_chart,
    fitting,
    histogram,
    line_chart,
    scatter_chart,
)
from tests.report.names import EVIL


def elements(markup, name):
    return list(ElementTree.fromstring(f"<div>{markup}</div>").iter(name))


@given(st.text(), st.floats(0, 300))
def test_fitting_text_is_a_part_and_not_much_wider(text, width):
    found = fitting(text, width)
    assert len(found) <= max(len(text), 1)
    assert len(found) <= 1 or 6.8 * len(found) <= width


def test_bars_are_as_long_as_their_values():
    chart = bar_chart(EVIL[:3], [4.0, 2.0, -1.0], [True, True, False], title="t", label="l")
    lengths = [float(bar.get("width")) for bar in elements(chart, "rect")]
    assert lengths[0] == pytest.approx(2 * lengths[1], abs=0.1)
    assert lengths[0] == pytest.approx(4 * lengths[2], abs=0.1)
    assert [bar.get("class") for bar in elements(chart, "rect")] == ["f0", "f0", "weak"]
    titles = [title.text for title in elements(chart, "title")]
    assert titles == [
        text for name, v in zip(EVIL, (4, 2, -1), strict=False) for text in (name, f"{name}: {v}")
    ]


def test_lines_leave_out_what_has_no_place():
    points = ([0, 1, 10, 100], [1.0, None, 5e-324, 10.0])
    chart = line_chart({"": points}, Axis("x"), Axis("y", log=True), title="t")
    assert len(elements(chart, "circle")) == 2
    assert not elements(chart, "li")  # one line needs no legend


def test_lines_have_a_legend_and_dashes_beyond_the_colors():
    series = {f"<{k}>": ([1, 2], [k, k + 1]) for k in range(8)}
    chart = line_chart(series, Axis("x"), Axis("y"), title="t", rule=1.5)
    assert [entry.text for entry in elements(chart, "bdi")] == list(series)
    assert "line s0 dashed" in [path.get("class") for path in elements(chart, "path")]


def test_a_line_over_another_is_dashed_so_that_both_are_seen():
    curve = ([1, 2, 3], [0.5, 0.2, 0.1])
    series = {"a": curve, "b": curve, "c": ([1, 2, 3], [0.9, 0.8, 0.7]), "d": curve}
    chart = line_chart(series, Axis("x"), Axis("y"), title="t")
    classes = [path.get("class") for path in elements(chart, "path") if "line" in path.get("class")]
    assert classes[:4] == ["line s0", "line s1 over1", "line s2", "line s3 over2"]
    assert classes[4:] == classes[:4]  # the legend shows the same dashes


def test_nothing_to_draw_is_said():
    chart = line_chart({"": ([1], [0.0])}, Axis("x"), Axis("y", log=True), title="t")
    assert chart == '<p class="muted">There is nothing to draw.</p>'


def test_points_have_the_color_of_their_class():
    chart = scatter_chart(([0, 1, 2], [5, 5, 6]), [0, 1, 0], ["a", "<b>"], EVIL[:2], title="t")
    dots = elements(chart, "circle")
    assert [dot.get("class") for dot in dots] == ["dot f0", "dot f1", "dot f0"]
    assert float(dots[0].get("cx")) < float(dots[1].get("cx")) < float(dots[2].get("cx"))
    assert dots[0].get("cy") == dots[1].get("cy")
    assert [entry.text for entry in elements(chart, "bdi")] == ["a", "<b>"]


def test_histograms_rise_to_their_counts():
    chart = histogram([0, 1, 2], {"a": [0, 4], "b": [2, 2]}, title="t", label="margin")
    outlines = [p.get("d") for p in elements(chart, "path") if "area" in p.get("class")]
    heights = [[float(v) for v in re.findall(r"V([\d.]+)", d)] for d in outlines]
    bottom = heights[0][0]
    rise = [[bottom - v for v in row[:-1]] for row in heights]
    assert rise[0] == [0, pytest.approx(2 * rise[1][0])]
    assert rise[1][0] == rise[1][1]
