"""Tables of a report as HTML."""

from collections.abc import Iterable, Mapping
from typing import Any

from hitmiss.report.json_values import number_text
from hitmiss.report.markup import Markup, joined, tag

FIRST_ROWS = 25  # shown before the script runs; the number of rows of a page in report.js


def shown(value: Any) -> str:
    """A value as text: numbers of four digits, None as a dash.

    Examples
    --------
    >>> shown(12345), shown(0.000123456), shown(None), shown(True)
    ('12,345', '0.0001235', '–', 'yes')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else value


def pairs(values: Mapping[str, Any], exact: Mapping[str, float] | None = None) -> Markup:
    """A table of names and values in two columns; exact ones are shown with all of their digits."""
    cells = {key: _cell(value, _kind(value)) for key, value in values.items()}
    for key, value in (exact or {}).items():
        cells[key] = _cell(number_text(value), "number")
    rows = (tag("tr", tag("th", tag("bdi", key), scope="row"), cell) for key, cell in cells.items())
    return tag("table", tag("tbody", rows), class_="pairs")


def name_list(names: Iterable[str]) -> Markup:
    """A list of names; the style sheet truncates long ones, and their title is complete."""
    return tag("ul", (tag("li", tag("bdi", name), title=name) for name in names), class_="names")


def side_by_side(rows: list[Mapping[str, Any]], name: str) -> Markup:
    """A table of dictionaries, with a row for each and a column for every key."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    kinds = [_kind(next((row[key] for row in rows if row.get(key) is not None), 0)) for key in keys]
    columns = list(zip(keys, kinds, strict=True))
    head = tag("tr", (tag("th", k.replace("_", " "), scope="col", class_=c) for k, c in columns))
    body = (tag("tr", (_cell(row.get(k), c) for k, c in columns)) for row in rows)
    return _scrolling(tag("table", tag("thead", head), tag("tbody", body)), name)


def feature_rows(table: Mapping[str, Any]) -> Markup:
    """The table of features with its first rows, and the controls that the script enables."""
    columns = table["columns"]
    n_rows = len(columns[0]["values"])
    labels = ["Rank", *(column["label"] for column in columns)]
    kinds = ["number", *(column["kind"] for column in columns)]
    head = tag("tr", (_heading(k, *both) for k, both in enumerate(zip(labels, kinds, strict=True))))
    body = (
        tag("tr", (_cell(value, kind) for value, kind in zip(row, kinds, strict=True)))
        for row in (_row(columns, i) for i in range(min(n_rows, FIRST_ROWS)))
    )
    about = " ".join([_extent(n_rows, table["n_features"]), *table["notes"]])
    filled = tag(
        "table", tag("thead", head), tag("tbody", body), id="rows", aria_describedby="about"
    )
    return joined(
        tag("p", about, id="about", class_="muted"),
        _controls(),
        _scrolling(filled, "Table of features"),
        _pager(),
    )


def _extent(n_rows: int, n_features: int) -> str:
    if n_rows == n_features:
        return f"All {n_features:,} features, best first."
    return f"The best {n_rows:,} of {n_features:,} features, best first."


def _scrolling(table: Markup, name: str) -> Markup:
    return tag("div", table, class_="scroll", role="region", tabindex="0", aria_label=name)


def _row(columns: list[Mapping[str, Any]], i: int) -> list[Any]:
    values = (column["values"] for column in columns)
    return [i + 1, *(v[i] if i < len(v) else None for v in values)]


def _heading(k: int, label: str, kind: str) -> Markup:
    button = tag("button", tag("bdi", label), type="button")
    return tag("th", button, scope="col", class_=kind, aria_sort="none" if k else "ascending")


def _kind(value: Any) -> str:
    return "text" if isinstance(value, str) else "number"


def _cell(value: Any, kind: str) -> Markup:
    text = ("yes" if value else "") if kind == "flag" else value
    title = text if kind == "text" else None
    return tag("td", tag("bdi", shown(text)), class_=kind, title=title)


def _controls() -> Markup:
    return tag(
        "div",
        tag("label", "Search ", tag("input", type="search", id="search", autocomplete="off")),
        tag("label", tag("input", type="checkbox", id="only"), " selected only"),
        tag("button", "Download CSV", type="button", id="download"),
        class_="controls",
        hidden=True,
    )


def _pager() -> Markup:
    return tag(
        "div",
        tag("button", "Previous", type="button", id="previous"),
        tag("p", id="status", role="status"),
        tag("button", "Next", type="button", id="next"),
        class_="controls pager",
        hidden=True,
    )
