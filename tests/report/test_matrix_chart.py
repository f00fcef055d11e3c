from xml.etree import ElementTree

import pytest

from hitmiss.report.matrix_chart import matrix_chart
from tests.report.names import EVIL
from tests.report.test_browser import contrast, luminance


def elements(markup, name):
    return list(ElementTree.fromstring(markup).iter(name))


def test_every_cell_has_its_number_and_its_color():
    colors, texts = [[None, 1.0], [-0.1, None]], [["12", "+9"], ["-1", "3"]]
    chart = matrix_chart(["a", "b"], colors, texts, title="t")
    cells = elements(chart, "rect")
    none, red, blue, _ = (cell.get("fill") for cell in cells)
    assert (none, red, blue) == (None, "rgb(202, 102, 114)", "rgb(233, 238, 242)")
    assert [cell.get("class") for cell in cells] == ["own", None, None, "own"]
    numbers = [text for text in elements(chart, "text") if text.get("class")]
    assert [text.text for text in numbers] == ["12", "+9", "-1", "3"]
    assert [text.get("class") for text in numbers] == ["cell", *["cell on-color"] * 2, "cell"]


@pytest.mark.parametrize("share", [-1.0, 0.0, 1.0])
def test_numbers_stand_out_from_their_cells(share):
    chart = matrix_chart(["a"], [[share]], [["1"]], title="t")
    color = elements(chart, "rect")[0].get("fill").strip("rgb()").split(",")
    paper = luminance("#" + "".join(f"{int(part):02x}" for part in color))
    assert contrast(paper, luminance("#1b1f24")) >= 4.4


@pytest.mark.parametrize("n", [2, 10])
def test_cells_stay_inside_the_picture(n):
    texts = [["-1.5"] * n] * n
    chart = matrix_chart(EVIL[:n], [[0.0] * n] * n, texts, title="t")
    _, _, width, height = map(float, ElementTree.fromstring(chart).get("viewBox").split())
    cells = elements(chart, "rect")
    assert max(float(c.get("x")) + float(c.get("width")) for c in cells) <= width
    assert max(float(c.get("y")) + float(c.get("height")) for c in cells) <= height
    # A number of four characters has room.
    assert min(float(c.get("width")) for c in cells) > 4 * 6.2


def test_titles_name_the_pair_and_are_escaped():
    chart = matrix_chart(EVIL[:2], [[None, 0.5]] * 2, [["1", "+2"]] * 2, title="t")
    titles = [title.text for title in elements(chart, "title")]
    assert f"{EVIL[0]}, {EVIL[1]}: +2" in titles
    assert "<script>" not in chart
