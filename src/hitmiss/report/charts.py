"""Charts as SVG elements, colored by the style sheet of the page."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hitmiss._util.text import clean
from hitmiss.plotting._rounding import TINIEST
from hitmiss.plotting._style import cover_levels
from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.scales import Scale, tick_text

WIDTH, HEIGHT = 440, 270
LEFT, RIGHT, TOP, BOTTOM = 66, 18, 12, 40  # margins around the lines
GUTTER = 168  # width for the names of bars and rows
ROW = 18  # height of a bar or a row
LINE_WIDTH = 2  # as in the style sheet
SLANT = 0.7071  # of its width, how high a name slanted by 45 degrees is
LONGEST_CLASS = 110  # width of a slanted name of a class
LETTER = 6.8  # width of a letter
N_COLORS = 7  # of the style sheet, after Okabe and Ito
MOST_DOTS = 30  # points of a line up to which each has a dot; more would touch each other

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]


class Axis(NamedTuple):
    """Label of an axis, whether it is logarithmic, and whether it must show zero."""

    label: str
    log: bool = False
    zero: bool = False


def line_chart(
    series: Series, x: Axis, y: Axis, *, title: str, rule: float | None = None
) -> Markup:
    """A chart of lines.

    Parameters
    ----------
    series : mapping of str to (x, y)
        Points of each line, by its name; points without a position on the axes are left out.
    x, y : Axis
        The axes.
    title : str
        Description for screen readers.
    rule : float, default=None
        Position of a vertical line.

    Returns
    -------
    Markup
    """
    drawn = {name: _drawable(*points, x.log, y.log) for name, points in series.items()}
    drawn = {name: points for name, points in drawn.items() if points}
    if not drawn:
        return tag("p", "There is nothing to draw.", class_="muted")
    xs = [px for points in drawn.values() for px, _ in points] + ([] if rule is None else [rule])
    ys = [py for points in drawn.values() for _, py in points]
    h = Scale(xs, LEFT, WIDTH - RIGHT, log=x.log, zero=x.zero)
    v = Scale(ys, HEIGHT - BOTTOM, TOP, log=y.log, zero=y.zero)
    places = [[(h(a), v(b)) for a, b in points] for points in drawn.values()]
    classes = _line_classes(places)
    marks = [_line(k, line, classes[k]) for k, line in enumerate(places)]
    if rule is not None:
        marks.append(_rule(h(rule)))
    picture = drawing(title, HEIGHT, _horizontal(h, HEIGHT, x.label), _vertical(v, y.label), marks)
    return joined(picture, legend(list(drawn), classes))


def bar_chart(
    names: Sequence[str], values: Sequence[float], strong: Sequence[bool], *, title: str, label: str
) -> Markup:
    """A chart of horizontal bars with names.

    Parameters
    ----------
    names : sequence of str
        Names of the bars.
    values : sequence of float
        Lengths of the bars.
    strong : sequence of bool
        Which bars are colored; the others are grey.
    title : str
        Description for screen readers.
    label : str
        Label of the axis.

    Returns
    -------
    Markup
    """
    height = ROW * len(values) + TOP + BOTTOM
    h = Scale(values, GUTTER, WIDTH - RIGHT, zero=True)
    marks = []
    for k, (name, value, full) in enumerate(zip(names, values, strong, strict=True)):
        left, right = sorted((h(0), h(value)))
        top = TOP + ROW * k
        bar = tag(
            "rect",
            tag("title", f"{name}: {value:.4g}"),
            x=left,
            y=top + 3,
            width=round(right - left, 2),
            height=ROW - 6,
            class_="f0" if full else "weak",
        )
        marks += [row_name(name, top), bar]
    return drawing(title, height, _horizontal(h, height, label, grid=True), marks)


def scatter_chart(
    points: tuple[Sequence[float], Sequence[float]],
    codes: Sequence[int],
    classes: Sequence[str],
    labels: Sequence[str],
    *,
    title: str,
) -> Markup:
    """A chart of points in the colors of their classes.

    Parameters
    ----------
    points : tuple of (x, y)
        Coordinates.
    codes : sequence of int
        Class of each point, from 0.
    classes : sequence of str
        Names of the classes.
    labels : sequence of two str
        Labels of the axes.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    h = Scale(points[0], LEFT, WIDTH - RIGHT)
    v = Scale(points[1], HEIGHT - BOTTOM, TOP)
    marks = [
        tag("circle", cx=h(a), cy=v(b), r=3, class_=f"dot f{k % N_COLORS}")
        for a, b, k in zip(*points, codes, strict=True)
    ]
    across, up = (fitting(label, WIDTH / 2) for label in labels)
    picture = drawing(title, HEIGHT, _horizontal(h, HEIGHT, across), _vertical(v, up), marks)
    return joined(picture, legend(list(classes)))


def histogram(
    edges: Sequence[float], counts: Mapping[str, Sequence[int]], *, title: str, label: str
) -> Markup:
    """A chart of histograms over the same bins.

    Parameters
    ----------
    edges : sequence of float
        Edges of the bins.
    counts : mapping of str to sequence of int
        Counts of each histogram, by its name.
    title : str
        Description for screen readers.
    label : str
        Label of the horizontal axis.

    Returns
    -------
    Markup
    """
    h = Scale(edges, LEFT, WIDTH - RIGHT, zero=True)
    v = Scale([n for own in counts.values() for n in own], HEIGHT - BOTTOM, TOP, zero=True)
    marks = [_steps(k, h, v, edges, own) for k, own in enumerate(counts.values())]
    picture = drawing(
        title, HEIGHT, _horizontal(h, HEIGHT, label), _vertical(v, "samples"), marks, _rule(h(0))
    )
    return joined(picture, legend(list(counts)))


def fitting(text: str, width: float) -> str:
    """`text`, without its middle if it is wider than `width` units of the picture."""
    longest = len(text)
    while longest > 1 and text_width(clean(text, longest)) > width:
        longest -= 1
    return clean(text, longest)


def text_width(text: str) -> float:
    """Width of a text in units of the picture."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return LETTER * (len(text) + wide)


def _drawable(
    xs: Sequence[Any], ys: Sequence[Any], x_log: bool, y_log: bool
) -> list[tuple[float, float]]:
    """Points that have a position on the axes."""
    known = ((a, b) for a, b in zip(xs, ys, strict=True) if a is not None and b is not None)
    return [(a, b) for a, b in known if (a >= TINIEST or not x_log) and (b >= TINIEST or not y_log)]


def drawing(title: str, height: float, *parts: Any) -> Markup:
    """The parts as one SVG element, described by its title."""
    return tag("svg", *parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)


def _line_classes(lines: list[list[tuple[float, float]]]) -> list[str]:
    """Classes of the lines; one that runs over others is dashed so that all are seen."""
    levels = cover_levels(lines, LINE_WIDTH)
    return [_line_class(k) + (f" over{n}" if n else "") for k, n in enumerate(levels)]


def _line(k: int, points: list[tuple[float, float]], class_: str) -> Markup:
    path = "M" + "L".join(f"{a:g} {b:g}" for a, b in points)
    line = tag("path", d=path, class_=class_)
    if len(points) > MOST_DOTS:
        return line
    dots = (tag("circle", cx=a, cy=b, r=2, class_=f"f{k % N_COLORS}") for a, b in points)
    return joined(line, dots)


def _line_class(k: int) -> str:
    return f"line s{k % N_COLORS}" + (" dashed" if k // N_COLORS % 2 else "")


def _rule(x: float) -> Markup:
    return tag("path", d=f"M{x:g} {TOP}V{HEIGHT - BOTTOM}", class_="rule")


def _steps(k: int, h: Scale, v: Scale, edges: Sequence[float], counts: Sequence[int]) -> Markup:
    path = f"M{h(edges[0]):g} {v(0):g}"
    for right, n in zip(edges[1:], counts, strict=True):
        path += f"V{v(n):g}H{h(right):g}"
    return tag("path", d=f"{path}V{v(0):g}", class_=f"{_line_class(k)} area f{k % N_COLORS}")


def _horizontal(h: Scale, height: float, label: str, *, grid: bool = False) -> Markup:
    base = height - BOTTOM
    top = TOP if grid else base
    ticks = (
        joined(
            tag("path", d=f"M{h(t):g} {base + 4}V{top:g}", class_="grid"),
            tag("text", tick_text(t), x=h(t), y=base + 16, text_anchor="middle"),
        )
        for t in h.ticks
    )
    line = tag("path", d=f"M{h.start:g} {base:g}H{h.stop:g}", class_="axis")
    middle = (h.start + h.stop) / 2
    return joined(ticks, line, tag("text", label, x=middle, y=height - 6, text_anchor="middle"))


def _vertical(v: Scale, label: str) -> Markup:
    ticks = (
        joined(
            tag("path", d=f"M{LEFT - 4} {v(t):g}H{WIDTH - RIGHT}", class_="grid"),
            tag("text", tick_text(t), x=LEFT - 8, y=v(t) + 4, text_anchor="end"),
        )
        for t in v.ticks
    )
    name = tag(
        "text",
        label,
        transform=f"translate(11 {(v.start + v.stop) / 2:g}) rotate(-90)",
        text_anchor="middle",
    )
    return joined(ticks, name)


def row_name(name: str, top: float) -> Markup:
    """The name of a bar or a row, left of it."""
    text = fitting(name, GUTTER - 8)
    return tag("text", text, tag("title", name), x=GUTTER - 6, y=top + 13, text_anchor="end")


def legend(names: list[str], lines: list[str] | None = None) -> Markup | None:
    """Names beside their lines, of the given classes; a single line needs none."""
    if lines is not None and len(names) < 2:
        return None
    keys = lines or [_line_class(k) for k in range(len(names))]
    entries = (
        tag("li", _key(key), " ", tag("bdi", name or "–"))
        for key, name in zip(keys, names, strict=True)
    )
    return tag("ul", entries, class_="legend")


def _key(class_: str) -> Markup:
    line = tag("path", d="M0 5H22", class_=class_)
    return tag("svg", line, viewBox="0 0 22 10", class_="key", aria_hidden="true")
