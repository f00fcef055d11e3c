"""A matrix of numbers with names, as an SVG element."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hitmiss.report.charts import LETTER, RIGHT, ROW, TOP, WIDTH, fitting
from hitmiss.report.heat_map import heat_pixels
from hitmiss.report.markup import Markup, joined, tag

NAMES = 132  # width for the names of the rows
WIDEST = 48  # width of a cell, at most
HEIGHT = 22  # of a cell
PALE = 0.65  # share of the strongest color that is used: black numbers stand out by about 4.5 to 1
MIDDLE = {"text_anchor": "middle"}


def matrix_chart(
    names: Sequence[str], colors: Any, texts: Sequence[Sequence[str]], *, title: str
) -> Markup:
    """A matrix with a number in every cell; its columns are named by the numbers of the rows.

    Parameters
    ----------
    names : sequence of str
        Names of the rows and columns.
    colors : array-like of shape (n, n)
        From -1, blue, to 1, red; None or NaN is grey.
    texts : sequence of n sequences of n str
        What the cells say.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    width = min((WIDTH - RIGHT - NAMES) / len(names), WIDEST)
    shares = np.array(colors, float).reshape(len(names), len(names))
    rows = []
    for i, name in enumerate(names):
        top = TOP + ROW + HEIGHT * i
        rows.append(tag("text", str(i + 1), x=NAMES + width * (i + 0.5), y=TOP + 12, **MIDDLE))
        rows.append(_name(i + 1, name, top))
        for j, (share, text) in enumerate(zip(shares[i], texts[i], strict=True)):
            about = name if i == j else f"{name}, {names[j]}"
            rows.append(_cell(share, text, about, (NAMES + width * j, top, width)))
    height = TOP + ROW + HEIGHT * len(names) + 4
    return tag("svg", rows, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)


def _name(number: int, name: str, top: float) -> Markup:
    shown = fitting(name, NAMES - 8 - LETTER * len(f"{number} "))
    text = f"{shown} {number}"
    return tag("text", text, tag("title", name), x=NAMES - 6, y=top + 15, text_anchor="end")


def _cell(share: float, text: str, about: str, place: tuple[float, float, float]) -> Markup:
    left, top, width = place
    known = not np.isnan(share)
    box = tag(
        "rect",
        tag("title", f"{about}: {text}"),
        x=round(left + 0.5, 2),
        y=top + 0.5,
        width=round(width - 1, 2),
        height=HEIGHT - 1,
        fill=f"rgb{tuple(heat_pixels(np.array(PALE * share)).tolist())}" if known else None,
        class_=None if known else "own",
    )
    ink = "cell on-color" if known else "cell"
    number = tag("text", text, x=round(left + width / 2, 2), y=top + 15, class_=ink, **MIDDLE)
    return joined(box, number)
