"""The sections of a report, in the order of the page."""

from collections.abc import Mapping
from typing import Any

from hitmiss.report.banner import says_nothing
from hitmiss.report.certainty import cards, close_samples, stability_measures
from hitmiss.report.html_figures import error_figure, figures
from hitmiss.report.html_tables import feature_rows, name_list, pairs, side_by_side
from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.wording import wording

Summary = Mapping[str, Any]

# Column of a comparison -> its explanation.
MEANINGS = {
    "recovered": "how many of the features known to be relevant are selected",
    "error": "on samples left out, using the selected features",
    "best error": "the same using the best features, as many as the next column says",
    "stability": "how alike the selections from different samples are; 1 is perfect",
}


def sections(summary: Summary) -> list[Markup]:
    """All sections, in the order of the page."""
    hidden = says_nothing(summary.get("verdict"))
    drawn = tag("div", figures(summary), class_="figures")
    table = feature_rows(summary["table"])
    return [
        _section("What was asked", _question(summary)),
        *_comparison(summary),
        _section("What was found", _answer(summary, hidden=hidden)),
        _section("How far to trust it", _certainty(summary, hidden=hidden)),
        _section("Figures", _folded("Show the figures", drawn, hidden=hidden)),
        _section(
            "Features",
            _folded("Show the table of features", table, hidden=hidden),
            id="features",
            tabindex="-1",
        ),
        _section("Parameters and versions", _record(summary)),
    ]


def _section(heading: str, *children: Any, **attributes: Any) -> Markup:
    return tag("section", tag("h2", heading), *children, **attributes)


def _question(summary: Summary) -> Markup:
    asked = summary["asked"]
    n_methods = len(summary["comparison"])
    by = f"{n_methods} methods" if n_methods else f"the method {asked['method']}"
    samples = f"{asked['n_samples']:,} samples"
    target = asked["source"].get("target")
    column = "" if target is None else f" (column {target!r})"
    n = len(asked["classes"])
    question = wording(summary).question.format(n=n, of=samples, column=column)
    sentence = f"Which of {asked['n_features']:,} features {question}, by {by}?"
    sizes = {f"Class {row['label']}": row["n_samples"] for row in asked["classes"]}
    source = {key.replace("_", " ").capitalize(): value for key, value in asked["source"].items()}
    columns = _columns(asked.get("columns", {}))
    return joined(
        tag("p", sentence),
        tag("p", columns) if columns else None,
        pairs({**source, **sizes}, asked.get("about")),
    )


def _columns(done: Summary) -> str:
    """Line on missing and nominal columns; nothing if there are none."""
    parts = []
    if n := done.get("n_missing"):
        k = done["n_features_with_missing"]
        values = "1 value is" if n == 1 else f"{n:,} values are"
        parts.append(f"{values} missing, in {k:,} feature{'s' if k > 1 else ''}")
    if n := done.get("n_nominal"):
        parts.append(f"{n:,} features are nominal" if n > 1 else "1 feature is nominal")
    return f"{'; '.join(parts)}." if parts else ""


def _folded(text: str, content: Markup, *, hidden: bool) -> Markup:
    """The content, to be opened by a click on the text if it is hidden."""
    return tag("details", tag("summary", text), content) if hidden else content


def _answer(summary: Summary, *, hidden: bool) -> Markup:
    found, n_features = summary["found"], summary["asked"]["n_features"]
    n, named = found["n_selected"], found["selected"]
    time = "" if found["seconds"] is None else f", in {found['seconds']:.3g} seconds"
    what = tag("strong", f"{n:,} of {n_features:,} features")
    more = f"and {n - len(named):,} more, listed below." if n > len(named) else None
    by_class = _by_class(summary["figures"].get("markers"))
    listed = by_class or joined(name_list(named), tag("p", more) if more else None)
    return joined(
        tag("p", what, f" selected{time}.", class_="lead"),
        _folded("Show the list anyway", listed, hidden=hidden),
    )


def _by_class(markers: Summary | None) -> Markup | None:
    """The selected features of each class, if they were selected so."""
    if markers is None:
        return None
    rows = zip(markers["classes"], markers["lists"], markers["n_listed"], strict=True)
    return joined(
        *(
            joined(
                tag("h3", tag("bdi", name), f": {n:,} {'marker' if n == 1 else 'markers'}"),
                name_list(names),
                tag("p", f"and {n - len(names):,} more.") if n > len(names) else None,
            )
            for name, names, n in rows
        )
    )


def _certainty(summary: Summary, *, hidden: bool) -> Markup:
    known = summary["certainty"]
    # Without a signal, a negative margin says nothing about the label.
    close = None if hidden else close_samples(summary["figures"].get("margins"))
    return joined(cards(known, wording(summary).permuted), stability_measures(known), close)


def _comparison(summary: Summary) -> list[Markup]:
    """The comparison of the methods, if there are several."""
    rows = summary["comparison"]
    if not rows:
        return []
    columns = {key.replace("_", " ") for row in rows for key in row}
    known = {column: text for column, text in MEANINGS.items() if column in columns}
    return [
        _section(
            "Methods compared",
            side_by_side(rows, "Methods compared"),
            [tag("p", tag("b", key), f": {text}.", class_="muted") for key, text in known.items()],
            tag("div", error_figure(summary), class_="figures"),
            tag("p", f"The rest of this page is about {_named_with_reason(summary)}."),
        )
    ]


def _named_with_reason(summary: Summary) -> str:
    """The method that the page is about, and that its error is the smallest if it is."""
    method, rows = summary["asked"]["method"], summary["comparison"]
    errors = {row.get("method"): row["error"] for row in rows if row.get("error") is not None}
    best = bool(errors) and errors.get(method) == min(errors.values())
    return f"{method}, which has the smallest error" if best else method


def _chosen(values: Summary) -> list[Markup]:
    if not values:
        return []
    named = {key.replace("_", " "): value for key, value in values.items()}
    return [tag("h3", "Used in the fit"), pairs(named)]


def _record(summary: Summary) -> Markup:
    asked = summary["asked"]
    values = {
        row["name"]: f"{row['value']} (default)" if row["default"] else row["value"]
        for row in asked["parameters"]
    }
    return joined(
        tag("h3", f"Parameters of {asked['estimator']}"),
        pairs(values),
        *_chosen(summary["found"]["chosen"]),
        tag("h3", "Versions"),
        pairs(summary["versions"]),
    )
