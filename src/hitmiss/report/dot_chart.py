"""Markers of each class as dots: features in rows, classes in columns, as an SVG element."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hitmiss.report.charts import LETTER, LONGEST_CLASS, RIGHT, SLANT, WIDTH, fitting
from hitmiss.report.markup import Markup, tag

NAMES = 132  # width for the names of the features
WIDEST = 34  # width of a column, at most
HEIGHT = 18  # of a row
LARGEST = 8.0  # radius of a dot, at most: that of a share of 1
PALE, DARK = np.array([253, 240, 234]), np.array([165, 15, 21])  # the lowest and the highest mean


def dot_chart(
    names: Sequence[str],
    marked: Sequence[int],
    classes: Sequence[str],
    shares: Any,
    means: Any,
    *,
    title: str,
) -> Markup:
    """Dots whose area is a share and whose color is a mean, with a line between the classes.

    Parameters
    ----------
    names : sequence of str
        Names of the features.
    marked : sequence of int
        The class that each marks, ascending.
    classes : sequence of str
        Names of the classes.
    shares, means : array-like of shape (n_features, n_classes)
        From 0 to 1.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    width = min((WIDTH - RIGHT - NAMES) / max(len(classes), 1), WIDEST)
    radius = min(LARGEST, width / 2)
    shown = [fitting(name, LONGEST_CLASS) for name in classes]
    top = 14 + SLANT * LETTER * max(map(len, shown), default=0)
    marks = [
        _class_name(name, full, NAMES + width * (k + 0.5), top - 4)
        for k, (name, full) in enumerate(zip(shown, classes, strict=True))
    ]
    for i, name in enumerate(names):
        y = round(top + HEIGHT * (i + 0.5), 2)
        if i and marked[i] != marked[i - 1]:
            edge = round(y - HEIGHT / 2, 2)
            marks.append(tag("line", x1=4, x2=WIDTH - RIGHT, y1=edge, y2=edge, class_="grid"))
        marks.append(_name(name, y))
        for k, full in enumerate(classes):
            share, mean = float(shares[i][k]), float(means[i][k])
            about = f"{name} in {full}: {share:.0%} above the median"
            place = (round(NAMES + width * (k + 0.5), 2), y, round(radius * share**0.5, 2))
            marks.append(_dot(place, mean, about))
    height = round(top + HEIGHT * len(names) + 6, 2)
    return tag("svg", marks, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)


def _class_name(name: str, full: str, x: float, y: float) -> Markup:
    place = f"rotate(-45 {x:.2f} {y:.2f})"
    return tag("text", name, tag("title", full), x=round(x, 2), y=round(y, 2), transform=place)


def _name(name: str, y: float) -> Markup:
    shown = fitting(name, NAMES - 10)
    return tag("text", shown, tag("title", name), x=NAMES - 8, y=y + 4, text_anchor="end")


def _dot(place: tuple[float, float, float], mean: float, about: str) -> Markup:
    x, y, radius = place
    color = tuple(np.rint(PALE + mean * (DARK - PALE)).astype(int).tolist())
    return tag("circle", tag("title", about), cx=x, cy=y, r=radius, fill=f"rgb{color}")
