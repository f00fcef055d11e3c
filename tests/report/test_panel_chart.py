import itertools
import re

import pytest

from hitmiss.report.panel_chart import HEIGHT, PANEL, Curve, dot_panels, step_panels
from tests.report.names import EVIL


def test_a_panel_for_each_feature_two_side_by_side():
    chart = dot_panels(["a", "b", "c"], [([0, 1], [5, 6])] * 3, title="Dots")
    assert chart.count("<circle") == 6
    assert f'viewBox="0 0 440 {2 * HEIGHT}" role="img" aria-label="Dots"' in chart
    places = [float(x) for x in re.findall(r'<circle cx="([^"]+)"', chart)]
    assert [x > PANEL for x in places] == [False, False, True, True, False, False]


def test_all_panels_of_dots_have_one_vertical_axis():
    chart = dot_panels(["a", "b"], [([0, 1], [5, 10]), ([0, 1], [0, 1])], title="Dots")
    heights = [float(y) for y in re.findall(r'cy="([^"]+)"', chart)]
    assert heights == [74, 24, 124, 114]  # of 5, 10, 0, 1


def test_curves_step_down_where_they_should():
    curves = Curve([0, 1, 2], [1, 0.5, 0], "a < 1"), Curve([0, 2], [1, 1], "")
    chart = step_panels(["a"], [curves], ["low", "high"], title="Steps")
    falling, level = re.findall(r'd="(M[^"]+V[^"]*)" class="line', chart)
    assert falling == "M64 24H136V74H208V124"
    assert level == "M64 24H208V24"
    assert 'class="line s1 dashed"' in chart
    assert "<title>a &lt; 1</title>" in chart
    assert re.findall("<bdi>([^<]+)</bdi>", chart) == ["low", "high"]


@pytest.mark.parametrize(
    "values", [[0, 1], [-123_456, 987_654], [1e-7, 3e-7], [5, 5], [20_241_013, 20_241_555]]
)
def test_texts_stay_within_the_picture_and_apart(values):
    chart = dot_panels(["a", "b"], [(values, values)] * 2, title="Dots")
    texts = re.findall(r'<text x="([^"]+)" y="([^"]+)" text-anchor="(\w+)">([^<]+)<', chart)
    ends = sorted((y, *extent(float(x), anchor, text)) for x, y, anchor, text in texts)
    assert all(left >= -1 and right <= 441 for _, left, right in ends)
    pairs = itertools.pairwise(ends)
    assert all(first[0] != second[0] or first[2] < second[1] for first, second in pairs)


def test_evil_names_are_text():
    chart = dot_panels(EVIL, [([0, 1], [0, 1])] * len(EVIL), title=EVIL[0])
    assert "<script" not in chart


def extent(x, anchor, text):
    """From where to where a text goes, at 6.4 units a letter."""
    width = 6.4 * len(text)
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return left, left + width
