"""Values of features by sample as a heat map, as an SVG element."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._style import spread_out
from hitmiss.report.charts import (
    GUTTER,
    LONGEST_CLASS,
    RIGHT,
    ROW,
    SLANT,
    TOP,
    WIDTH,
    drawing,
    fitting,
    row_name,
    text_width,
)
from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.png import png_address

SLANTED_LINE = 17  # distance of names slanted by 45 degrees
# Blue, white, red: the ends and the middle of the heat map.
COLD, MIDDLE, WARM = (np.array(c) for c in ((33, 102, 172), (247, 247, 247), (178, 24, 43)))


def heat_map(
    names: Sequence[str], classes: Sequence[str], edges: Sequence[int], values: Any, *, title: str
) -> Markup:
    """A heat map of features by sample, the samples class by class.

    Parameters
    ----------
    names : sequence of str
        Names of the features.
    classes : sequence of str
        Names of the classes.
    edges : sequence of int
        Positions at which the classes begin, and the number of samples.
    values : array-like of shape (n_features, n_samples)
        Values from -1 to 1.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    grid = np.asarray(values, float)
    places = GUTTER + (WIDTH - RIGHT - GUTTER) * np.asarray(edges) / grid.shape[1]
    head = _class_names(classes, places)
    top = TOP + head.height
    height = top + ROW * len(grid)
    image = tag(
        "image",
        href=png_address(heat_pixels(grid)),
        x=GUTTER,
        y=top,
        width=WIDTH - RIGHT - GUTTER,
        height=ROW * len(grid),
        preserveAspectRatio="none",
        image_rendering="pixelated",
    )
    rows = [row_name(name, top + ROW * k) for k, name in enumerate(names)]
    rules = [tag("path", d=f"M{x:g} {top - 4:g}V{height:g}", class_="rule") for x in places[:-1]]
    return drawing(title, height, image, rows, head.names, rules)


def heat_pixels(values: NDArray) -> NDArray:
    """Colors of values: -1 is blue, 0 is white, 1 is red; shape (..., 3)."""
    share = np.abs(values)[..., None]
    end = np.where(values[..., None] < 0, COLD, WARM)
    return np.rint(MIDDLE + share * (end - MIDDLE)).astype(np.uint8)


class ClassNames(NamedTuple):
    """Names of classes above a heat map, and the height they take."""

    names: list[Markup]
    height: float


def _class_names(classes: Sequence[str], edges: NDArray) -> ClassNames:
    """Names above their blocks; slanted, and led to them, if one is wider than its block."""
    centers = (edges[:-1] + edges[1:]) / 2
    if all(text_width(name) <= room for name, room in zip(classes, np.diff(edges), strict=True)):
        rows = [_class_name(name, x, TOP + 12) for name, x in zip(classes, centers, strict=True)]
        return ClassNames(rows, ROW)
    texts = [fitting(name, LONGEST_CLASS) for name in classes]
    foot = TOP + max(map(text_width, texts)) * SLANT + 8
    places = spread_out(centers, SLANTED_LINE, edges[0], edges[-1])
    names = [
        joined(
            tag("path", d=f"M{center:g} {foot + 10:g}L{x:g} {foot:g}", class_="axis"),
            _class_name(name, x, foot - 3, text, slanted=True),
        )
        for name, text, center, x in zip(classes, texts, centers, places, strict=True)
    ]
    return ClassNames(names, foot + 10 - TOP)


def _class_name(
    name: str, x: float, y: float, text: str | None = None, *, slanted: bool = False
) -> Markup:
    if not slanted:
        return tag("text", name, tag("title", name), x=x, y=y, text_anchor="middle")
    turned = f"translate({x:g} {y:g}) rotate(45)"
    return tag("text", text, tag("title", name), transform=turned, text_anchor="end")
