"""Cards on the reliability of an answer, each of one number and one sentence."""

from collections.abc import Mapping
from typing import Any

from hitmiss.estimators.local_learning import CERTIFIED
from hitmiss.inference.bystanders import KIN
from hitmiss.report.html_tables import name_list, pairs
from hitmiss.report.markup import Markup, joined, tag
from hitmiss.report.quality import TOO_HIGH, TOO_LOW

Data = Mapping[str, Any]

ATTRIBUTABLE = (
    f"Attributable means that no feature but kin (correlated above {KIN:g}) could take its place; "
    "in simulations this left out most bystanders, and about a third of the relevant features"
)
OVERLAP = "the subsamples overlap, so that a stable list can be stably wrong"
# Field of a stability report -> its label.
MEASURES = {
    "ranking": "Rankings (Spearman)",
    "kuncheva": "Selections (Kuncheva)",
    "jaccard": "Selections (Jaccard)",
    "accuracy": "Accuracy on the samples left out (3-nearest-neighbor classifier)",
    "tradeoff": "Harmonic mean of stability and accuracy",
    "n_subsamples": "Subsamples",
}


def cards(known: Data, permuted: str = "labels") -> Markup:
    """A card for each kind of evidence on the reliability of the answer.

    Parameters
    ----------
    known : mapping
        The evidence.
    permuted : str, default="labels"
        What was permuted in the test.
    """
    found = [
        _test(known, permuted),
        _attribution(known),
        _cross_validation(known),
        _stability(known),
        _error(known),
        _score(known),
        _certificate(known),
        _convergence(known),
    ]
    return tag("ul", (tag("li", card) for card in found if card), class_="cards")


def stability_measures(known: Data) -> Markup | None:
    """A table of the other measures of stability, if it was measured."""
    report = known["stability"] or {}
    measures = {text: report[name] for name, text in MEASURES.items() if name in report}
    if report.get("kuncheva") is None:  # defined for selections of one size only
        measures.pop(MEASURES["kuncheva"], None)
    return pairs(measures) if measures else None


def close_samples(margins: Data | None) -> Markup | None:
    """A list of the samples with a negative margin, whose labels may be wrong."""
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


def _test(known: Data, permuted: str) -> list[Markup] | None:
    found = known.get("test")
    if found is None:
        return None
    n, least = found["n_permutations"], 1 / (1 + found["n_permutations"])
    sentence = (
        f"Probability that the method explains permuted {permuted} as well as the true ones; with "
        f"{n} permutations the smallest possible p-value is {least:.2g}."
    )
    return _card(f"p = {found['p_value']:.2g}", "Permutation test", sentence)


def _attribution(known: Data) -> list[Markup] | None:
    found = known.get("attribution")
    if found is None or not found["n_discoveries"]:
        return None
    n, names = found["n_attributable"], found["attributable"]
    value = f"{n or 'none'} of {found['n_discoveries']}"
    what = f"Of the discoveries with q ≤ {found['fdr']:g}"
    more = f" and {n - len(names):,} more" if n > len(names) else ""
    sentence = f"{what}, no feature but kin could replace {', '.join(names)}{more}."
    if not n:
        sentence = f"{what}, each could be replaced by a feature that is not its kin."
    return _card(value, "Attributable", sentence)


def _certificate(known: Data) -> list[Markup]:
    gap = known["optimality_gap"]
    if gap is None:
        sentence = "This method computes no certificate of optimality."
        return _card("none", "Certificate", sentence)
    if gap <= CERTIFIED:
        sentence = (
            f"The weights are exact over all features (optimality gap {gap:.1e}). That does not "
            "say that the features are the true ones."
        )
        return _card("exact", "Certificate", sentence)
    sentence = f"The weights are not exact (optimality gap {gap:.1e})."
    return _card("not exact", "Certificate", sentence)


def _convergence(known: Data) -> list[Markup] | None:
    if known["converged"] is None:
        return None
    n = known["n_iter"]
    after = "" if n is None else f" after {n:,} {'iteration' if n == 1 else 'iterations'}"
    if known["converged"]:
        return _card("yes", "Converged", f"The iteration converged{after}.")
    return _card("no", "Converged", f"The iteration did not converge{after}; increase max_iter.")


def _error(known: Data) -> list[Markup] | None:
    error = known["loo_error"]
    if error is None:
        return None
    sentence = (
        f"This is {TOO_LOW}. Always guessing the largest class errs in "
        f"{known['guessing_error']:.1%}."
    )
    return _card(f"{error:.1%}", "Leave-one-out error", sentence)


def _score(known: Data) -> list[Markup] | None:
    found = known.get("loo_score")
    if found is None:
        return None
    sentence = f"This is {TOO_HIGH}. 1 is perfect, guessing has {found['guessing']:g}."
    return _card(_decimals(found["score"]), f"Leave-one-out {found['measure']}", sentence)


def _cross_validation(known: Data) -> list[Markup]:
    found, name = known["cross_validation"], f"Cross-validated {known.get('measure', 'error')}"
    if found is None:
        sentence = "The error on new samples was not measured."
        return _card("not measured", name, sentence)
    if "score" in found:
        value = f"{found['score']:.2f} ± {found['standard_error']:.2f}"
        guessing, perfect = f"{found['guessing']:g}", "1 is perfect, guessing has"
        worse = "Not clearly better than guessing:"
    else:
        value, guessing = f"{found['error']:.1%}", f"{known['guessing_error']:.1%}"
        perfect = "Always guessing the largest class errs in"
        worse = "Not clearly better than always guessing the largest class:"
    judged = perfect if found["better_than_guessing"] else worse
    again = f"The features were selected anew in each of {found['n_folds']} folds."
    return _card(value, name, f"{judged} {guessing}. {again}")


def _stability(known: Data) -> list[Markup]:
    report = known["stability"]
    if report is None:
        sentence = "Whether other samples would lead to the same features was not measured."
        return _card("not measured", "Stability", sentence)
    measure = report.get("nogueira") or {}
    sentence = (
        f"Nogueira's measure{_interval(measure)}: 1 means the same features from every subsample, "
        f"0 means unrelated ones. But {OVERLAP}: noise alone may give more than 0.5."
    )
    return _card(_decimals(measure.get("stability")), "Stability", sentence)


def _interval(measure: Data) -> str:
    lower, upper = measure.get("lower"), measure.get("upper")
    return "" if lower is None or upper is None else f", 95 % interval {lower:.2f} to {upper:.2f}"


def _decimals(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
