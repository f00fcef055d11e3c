from xml.etree import ElementTree

from hitmiss.report.dot_chart import dot_chart
from tests.report.names import EVIL


def elements(markup, name):
    return list(ElementTree.fromstring(markup).iter(name))


def test_area_is_the_share_and_color_the_mean():
    chart = dot_chart(
        ["g", "h"], [0, 1], ["a", "b"], [[1, 0.25], [0, 1]], [[1, 0], [0, 1]], title="t"
    )
    dots = elements(chart, "circle")
    assert [float(dot.get("r")) for dot in dots] == [8.0, 4.0, 0.0, 8.0]
    assert dots[0].get("fill") == "rgb(165, 15, 21)"
    assert dots[1].get("fill") == "rgb(253, 240, 234)"
    assert dots[1].find("title").text == "g in b: 25% above the median"
    assert len(elements(chart, "line")) == 1  # between the two classes


def test_names_are_text():
    chart = dot_chart([EVIL], [0], [EVIL], [[1]], [[1]], title=EVIL)
    assert elements(chart, "script") == []
