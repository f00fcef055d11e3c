"""How sure an answer is, in cards of one number and one sentence."""

from collections.abc import Mapping
from typing import Any

from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.tables import name_list, pairs

Data = Mapping[str, Any]

CERTIFIED = 1e-3  # the largest optimality gap of an answer that is called optimal
# Field of a stability report -> what it is called here.
MEASURES = {
    "ranking": "Rankings (Spearman)",
    "kuncheva": "Selections (Kuncheva)",
    "jaccard": "Selections (Jaccard)",
    "accuracy": "Accuracy on the samples left out",
    "tradeoff": "Harmonic mean of stability and accuracy",
    "n_subsamples": "Subsamples",
}


def cards(known: Data) -> Markup:
    """A card for everything that is known about how sure the answer is."""
    found = [_certificate(known), _convergence(known), _error(known), _stability(known)]
    return tag("ul", (tag("li", card) for card in found if card), class_="cards")


def stability_measures(known: Data) -> Markup | None:
    """The other measures of stability, if it was measured."""
    report = known["stability"] or {}
    measures = {text: report[name] for name, text in MEASURES.items() if name in report}
    return pairs(measures) if measures else None


def close_samples(margins: Data | None) -> Markup | None:
    """Samples closest to another class, whose labels may deserve a second look."""
    if not margins or not margins["n_negative"]:
        return None
    wrong = [row for row in margins["closest"] if row["margin"] < 0]
    text = "Samples that lie closest to another class; their labels may deserve a second look:"
    return joined(tag("p", text), name_list(f"{row['sample']} ({row['label']})" for row in wrong))


def _card(value: str, name: str, sentence: str) -> list[Markup]:
    return [
        tag("p", name, class_="name"),
        tag("p", value, class_="value"),
        tag("p", sentence, class_="muted"),
    ]


def _certificate(known: Data) -> list[Markup]:
    gap = known["optimality_gap"]
    if gap is None:
        sentence = "This method computes no certificate of optimality."
        return _card("none", "Certificate", sentence)
    if gap <= CERTIFIED:
        sentence = (
            f"No feature violates the optimality condition by more than {gap:.1e} of the penalty."
        )
        return _card("optimal", "Certificate", sentence)
    sentence = f"The optimality condition is violated by up to {gap:.1e} of the penalty."
    return _card("not optimal", "Certificate", sentence)


def _convergence(known: Data) -> list[Markup] | None:
    if known["converged"] is None:
        return None
    n = known["n_iter"]
    after = "" if n is None else f" after {n:,} {'iteration' if n == 1 else 'iterations'}"
    if known["converged"]:
        return _card("yes", "Converged", f"The iteration came to rest{after}.")
    return _card("no", "Converged", f"The iteration had not come to rest{after}; raise max_iter.")


def _error(known: Data) -> list[Markup] | None:
    error = known["loo_error"]
    if error is None:
        return None
    sentence = (
        f"Always guessing the commonest class errs in {known['guessing_error']:.1%}. The features "
        "were chosen with all samples in sight, so new samples may fare worse."
    )
    return _card(f"{error:.1%}", "Leave-one-out error", sentence)


def _stability(known: Data) -> list[Markup]:
    report = known["stability"]
    if report is None:
        sentence = "Whether other samples would lead to the same features was not measured."
        return _card("not measured", "Stability", sentence)
    measure = report.get("nogueira") or {}
    sentence = (
        f"Nogueira's measure{_interval(measure)}: 1 means the same features from every subsample, "
        "0 means chance."
    )
    return _card(_decimals(measure.get("stability")), "Stability", sentence)


def _interval(measure: Data) -> str:
    lower, upper = measure.get("lower"), measure.get("upper")
    return "" if lower is None or upper is None else f", 95 % interval {lower:.2f} to {upper:.2f}"


def _decimals(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
