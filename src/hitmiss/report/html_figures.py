"""The figures of a report, drawn from the summary."""

from collections.abc import Mapping
from typing import Any

from hitmiss._util.text import counted
from hitmiss.plotting.error_curve import LOG_FROM
from hitmiss.plotting.heatmap import CLIP
from hitmiss.report.charts import Axis, bar_chart, histogram, line_chart, scatter_chart
from hitmiss.report.dot_chart import dot_chart
from hitmiss.report.heat_map import heat_map
from hitmiss.report.json_values import number_text
from hitmiss.report.markup import Markup, tag
from hitmiss.report.matrix_chart import matrix_chart
from hitmiss.report.panel_chart import Curve, dot_panels, step_panels

Data = Mapping[str, Any]


def figures(summary: Data) -> list[Markup]:
    """All figures for which the summary has data."""
    found = summary["figures"]
    return [draw(found[name]) for name, draw in DRAW.items() if found.get(name)]


def error_figure(summary: Data) -> Markup | None:
    """The figure of the error curves of a comparison, if there are any."""
    curves = summary["figures"]["errors"]
    return _errors(curves) if curves else None


def _figure(chart: Markup, caption: str) -> Markup:
    return tag("figure", chart, tag("figcaption", caption), _save_buttons())


def _save_buttons() -> Markup:
    """Buttons that the script enables; PDF is what the print dialog makes."""
    return tag(
        "div",
        [
            tag("button", kind, type="button", aria_label=f"Save this figure as {kind}")
            for kind in ("SVG", "PDF")
        ],
        class_="save",
        hidden=True,
    )


def _largest(data: Data) -> Markup:
    chart = bar_chart(
        data["names"], data["values"], data["selected"], title="Largest weights", label="weight"
    )
    hint = "" if all(data["selected"]) else " Grey ones are not selected."
    return _figure(chart, f"The {len(data['names'])} best features and their weights.{hint}")


def _ranked(data: Data) -> Markup:
    chart = line_chart(
        {"": (data["ranks"], data["weights"])},
        Axis("rank", log=True),
        Axis("weight", log=True),
        title="All positive weights from the largest to the smallest",
        rule=data["n_selected"] + 0.5 if data["n_selected"] else None,
    )
    return _figure(
        chart,
        "All positive weights, largest first. Features left of the line are selected; a steep "
        "fall there means a clear choice.",
    )


def _pair(data: Data) -> Markup:
    chart = scatter_chart(
        data["values"],
        data["codes"],
        data["classes"],
        data["names"],
        title="The two best features",
    )
    colored = f"colored by {data.get('by', 'class')}"
    part = _part(data, "codes")
    return _figure(chart, f"The two best features, a dot per sample{part}, {colored}.")


def _part(data: Data, key: str) -> str:
    """Note on the number of samples shown, if not all."""
    shown, n = len(data[key]), data["n_samples"]
    return "" if shown == n else f" ({shown} of {n:,} samples)"


def _heat(data: Data) -> Markup:
    chart = heat_map(
        data["names"],
        data["classes"],
        data["edges"],
        data["values"],
        title=f"Selected features by {data.get('by', 'class')} and sample",
    )
    return _figure(
        chart,
        f"The best selected features, a column per sample{_part(data, 'samples')}, ordered by "
        f"{data.get('by', 'class')}. Red is above the mean of the feature, blue below; the colors "
        f"end at {CLIP:g} standard deviations.",
    )


def _margins(data: Data) -> Markup:
    counts = {row["label"]: row["n"] for row in data["counts"]}
    chart = histogram(data["edges"], counts, title="Margins of the samples", label="margin")
    n = data["n_negative"]
    left = "No sample lies" if n == 0 else f"{n:,} {'sample lies' if n == 1 else 'samples lie'}"
    return _figure(
        chart,
        "How much farther each sample is from the nearest sample of another class than from the "
        f"nearest of its own. {left} closer to another class.",
    )


def _synergy(data: Data) -> Markup:
    names = data["names"]
    chart = matrix_chart(names, data["colors"], data["texts"], title="Which features interact")
    return _figure(
        chart,
        f"Which features interact{_best_of(len(names), data)}. Above 0, red: two features "
        "explain more together than apart; below 0, blue: they are partly redundant; on the "
        f"diagonal, grey: what each explains alone. All there is to explain is {data['total']:,}.",
    )


def _substitutes(data: Data) -> Markup:
    others = [name is not None for name in data["substitutes"]]
    rows = zip(data["features"], data["substitutes"], strict=True)
    labels = [f"with {b}" if b is not None else f"without {a}" for a, b in rows]
    chart = bar_chart(
        labels,
        data["rises"],
        others,
        title="What could replace what",
        label="rise of the objective",
    )
    return _figure(
        chart,
        f"What could replace what{_best_of(others.count(False), data)}. How much worse the fit is "
        "without a feature (grey) and, below that, with another in its place (colored). At 0 it is "
        "as good; a feature with no colored bar below it has no substitute.",
    )


def _best_of(shown: int, data: Data) -> str:
    """Note on the number of selected features shown, if not all."""
    n = data["n_features"]
    return "" if shown == n else f" (the {shown} best of {n:,} features)"


def _convergence(data: Data) -> Markup:
    lines = {name: (list(range(1, len(line) + 1)), line) for name, line in data["lines"].items()}
    chart = line_chart(
        lines,
        Axis("iteration"),
        Axis(data["value"], log=data["log"]),
        title="Convergence",
    )
    return _figure(chart, "Progress of the iteration, from every start if there are several.")


def _alpha(data: Data) -> Markup:
    chart = line_chart(
        {"": (data["steps"], data["alphas"])},
        Axis("step"),
        Axis("alpha", log=True),
        title="Path of alpha",
    )
    return _figure(chart, "The strength of the penalty while it was learned.")


def _frequency(data: Data) -> Markup:
    strong = [True] * len(data["names"])
    chart = bar_chart(
        data["names"], data["values"], strong, title="Selection frequency", label="share"
    )
    return _figure(chart, "Share of the subsamples from which each feature is selected.")


def _errors(data: Data) -> Markup:
    lines = {method: (curve["n_features"], curve["errors"]) for method, curve in data.items()}
    largest = max(max(sizes) for sizes, _ in lines.values())
    chart = line_chart(
        lines,
        Axis("number of features", log=largest > LOG_FROM),
        Axis("error", zero=True),
        title="Error against the number of features",
    )
    return _figure(chart, "Error on samples left out, against the number of features used.")


def _markers(data: Data) -> Markup:
    chart = dot_chart(
        data["names"],
        data["marked"],
        data["classes"],
        data["shares"],
        data["means"],
        title="Markers of each class",
    )
    shown, n = len(data["names"]), data["n_features"]
    part = "" if shown == n else f" (the best {shown} of {n:,})"
    return _figure(
        chart,
        f"The markers of each class{part}, class by class from the top. A dot is the larger the "
        "more samples of the class are above the median of all samples, and the darker the higher "
        "its mean is there, from the lowest class to the highest.",
    )


def _strips(data: Data) -> Markup:
    points = list(zip(data["values"], data["numbers"], strict=True))
    chart = dot_panels(data["names"], points, title="Selected features against y")
    return _figure(
        chart,
        f"y, upwards, against each {_in_panels(data)}. A feature that matters only together with "
        "others shows nothing here.",
    )


def _halves(data: Data) -> Markup:
    rows = zip(data["names"], data["medians"], data["curves"], strict=True)
    curves = [
        [
            Curve(half["times"], half["shares"], f"{name}, {counted(half['n_samples'])} {side}")
            for half, side in zip(halves, _sides(median), strict=True)
        ]
        for name, median, halves in rows
    ]
    chart = step_panels(
        data["names"],
        curves,
        ["low values of the feature", "high values"],
        title="Survival by the halves of selected features",
    )
    return _figure(
        chart,
        f"Share of the samples without an event, over time (Kaplan–Meier). Each {_in_panels(data)} "
        "is divided at its median; one that matters only together with others shows nothing here.",
    )


def _in_panels(data: Data) -> str:
    """Note on the selected features that have a panel, if not all."""
    shown, n = len(data["names"]), data["n_features"]
    ordered = " that has an order" if data.get("n_nominal") else ""
    part = "" if shown == n else f" ({shown} of {n:,}, the best that can be drawn)"
    return f"selected feature{ordered}{part}"


def _sides(median: float) -> tuple[str, str]:
    text = number_text(median)
    return f"on the low side of {text}", f"on the high side of {text}"


DRAW = {
    "markers": _markers,
    "largest": _largest,
    "ranked": _ranked,
    "strips": _strips,
    "halves": _halves,
    "pair": _pair,
    "heat": _heat,
    "margins": _margins,
    "frequency": _frequency,
    "synergy": _synergy,
    "substitutes": _substitutes,
    "convergence": _convergence,
    "alpha": _alpha,
}
