"""A small chart for each of a few features, two side by side, as one SVG element."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from hitmiss.report.charts import WIDTH, drawing, fitting, legend, text_width
from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.scales import Scale, tick_text

COLUMNS = 2
PANEL, HEIGHT = WIDTH / COLUMNS, 150  # of a panel with its name and its axes
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 24, 26  # margins around the lines of a panel
AXIS = 9  # between the edge of the picture and the vertical axis, beside the widest text there
GAP = 12  # between the texts of two ticks
LINE = 16  # height of a text

Points = tuple[Sequence[float], Sequence[float]]


class Curve(NamedTuple):
    """Step positions of a curve, its height after each, and its name."""

    xs: Sequence[float]
    ys: Sequence[float]
    about: str


def dot_panels(names: Sequence[str], points: Sequence[Points], *, title: str) -> Markup:
    """Dots at x and y, with the same vertical axis in all panels.

    Parameters
    ----------
    names : sequence of str
        Names of the panels.
    points : sequence of (x, y)
        Coordinates of the dots of each panel.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    every = list(chain.from_iterable(y for _, y in points))
    panels = []
    for k, (name, (xs, ys)) in enumerate(zip(names, points, strict=True)):
        h, v = _scales(k, xs, every)
        dots = (
            tag("circle", cx=h(a), cy=v(b), r=2, class_="dot f0")
            for a, b in zip(xs, ys, strict=True)
        )
        panels.append(joined(_frame(name, h, v), dots))
    return drawing(title, _height(len(names)), panels)


def step_panels(
    names: Sequence[str], curves: Sequence[Sequence[Curve]], groups: Sequence[str], *, title: str
) -> Markup:
    """Two curves in steps between 0 and 1, with the same axes in all panels.

    Parameters
    ----------
    names : sequence of str
        Names of the panels.
    curves : sequence of pairs of Curve
        The curves of each panel.
    groups : sequence of str
        Names of the curves of a panel.
    title : str
        Description for screen readers.

    Returns
    -------
    Markup
    """
    every = [x for panel in curves for curve in panel for x in curve.xs]
    classes = ["line s0", "line s1 dashed"]
    panels = []
    for k, (name, panel) in enumerate(zip(names, curves, strict=True)):
        h, v = _scales(k, every, [0.0, 1.0])
        lines = (
            tag("path", tag("title", curve.about), d=_steps(h, v, curve), class_=class_)
            for curve, class_ in zip(panel, classes, strict=True)
        )
        panels.append(joined(_frame(name, h, v), lines))
    return joined(drawing(title, _height(len(names)), panels), legend(list(groups), classes))


def _height(n_panels: int) -> int:
    return HEIGHT * -(-n_panels // COLUMNS)


def _scales(k: int, xs: Sequence[float], ys: Sequence[float]) -> tuple[Scale, Scale]:
    """The axes of panel k."""
    left, top = PANEL * (k % COLUMNS), HEIGHT * (k // COLUMNS)
    v = Scale(ys, top + HEIGHT - BOTTOM, top + TOP)
    return Scale(xs, left + max(LEFT, _widest(v) + AXIS), left + PANEL - RIGHT), v


def _steps(h: Scale, v: Scale, curve: Curve) -> str:
    (x, y), *steps = zip(curve.xs, curve.ys, strict=True)
    return f"M{h(x):g} {v(y):g}" + "".join(f"H{h(x):g}V{v(y):g}" for x, y in steps)


def _frame(name: str, h: Scale, v: Scale) -> Markup:
    """The name and the axes of a panel."""
    center = (h.start + h.stop) / 2
    heading = tag("title", name)
    text = fitting(name, h.stop - h.start + 2 * RIGHT - 6)
    return joined(
        tag("text", text, heading, x=center, y=v.stop - 9, text_anchor="middle"),
        [_level(t, h, v) for t in _apart(v, LINE)],
        tag("path", d=f"M{h.start:g} {v.start:g}H{h.stop:g}", class_="axis"),
        [_place(t, h, v.start + LINE) for t in _apart(h, _widest(h) + GAP)],
    )


def _level(tick: float, h: Scale, v: Scale) -> Markup:
    line = tag("path", d=f"M{h.start - 4:g} {v(tick):g}H{h.stop:g}", class_="grid")
    text = tag("text", tick_text(tick), x=h.start - 7, y=v(tick) + 4, text_anchor="end")
    return joined(line, text)


def _place(tick: float, h: Scale, y: float) -> Markup:
    """Text of a tick, moved left if it would leave the panel on the right."""
    text = tick_text(tick)
    outside = h(tick) + text_width(text) / 2 > h.stop + RIGHT
    x, anchor = (h.stop + RIGHT - 2, "end") if outside else (h(tick), "middle")
    return tag("text", text, x=x, y=y, text_anchor=anchor)


def _widest(scale: Scale) -> float:
    return max(text_width(tick_text(tick)) for tick in scale.ticks)


def _apart(scale: Scale, room: float) -> list[float]:
    """Every tick, or every second one, and so on, until they have room."""
    length = abs(scale.stop - scale.start)
    n = max(2, int(length // room) + 1)
    step = -(-(len(scale.ticks) - 1) // (n - 1))
    return scale.ticks[::step]
