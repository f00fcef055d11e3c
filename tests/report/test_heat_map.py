import re

import numpy as np

from hitmiss.report.charts import GUTTER, WIDTH
from hitmiss.report.heat_map import heat_map, heat_pixels
from tests.report.pixels import pixels_of
from tests.report.test_charts import elements


def test_colors_go_from_blue_over_white_to_red():
    assert heat_pixels(np.array([-1, 0, 1])).tolist() == [
        [33, 102, 172],
        [247, 247, 247],
        [178, 24, 43],
    ]


def test_heat_maps_show_all_cells_and_classes():
    values = [[-1, 0, 1], [1, 0.5, 0]]
    chart = heat_map(["p", "q"], ["a", "b"], [0, 1, 3], values, title="t")
    (image,) = elements(chart, "image")
    assert pixels_of(image.get("href")).tolist() == heat_pixels(np.array(values)).tolist()
    names = [text.text for text in elements(chart, "text")]
    assert names == ["p", "q", "a", "b"]
    left = [float(path.get("d")[1:].split()[0]) for path in elements(chart, "path")]
    assert left[0] == GUTTER
    assert GUTTER < left[1] < (GUTTER + WIDTH) / 2


def test_names_of_small_classes_are_slanted_and_whole():
    classes, edges = ["a common one", "rare", "rarer", "rarest"], [0, 96, 98, 99, 100]
    chart = heat_map(["p"], classes, edges, np.zeros((1, 100)), title="t")
    names = [text for text in elements(chart, "text") if text.text != "p"]
    assert [name.text for name in names] == classes
    places = [float(re.search(r"translate\(([\d.]+)", n.get("transform"))[1]) for n in names]
    assert (np.diff(places) >= 16.9).all()
    assert places[-1] <= WIDTH
