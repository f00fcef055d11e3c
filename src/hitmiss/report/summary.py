"""Summary of a fit: all contents of a report as one dictionary of JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import as_matrix
from hitmiss._util.text import clean
from hitmiss._util.versions import versions
from hitmiss.data.categories import as_known_numbers
from hitmiss.report.explained import Explained, explained_by
from hitmiss.report.feature_columns import measured_of
from hitmiss.report.feature_table import feature_table
from hitmiss.report.figure_data import (
    error_data,
    explanation_data,
    figure_data,
    frequency_data,
)
from hitmiss.report.fitted import Fitted, Names, column_names, read_fitted, row_names
from hitmiss.report.json_values import fields_of, plain
from hitmiss.report.quality import REPORTED, facts, own_score

FORMAT = 1  # version of the dictionary
MAX_ON_CARD = 10  # features named on a card
MAX_NAMED = 100  # selected features named outside the table: about a page
# Values that a fit may choose itself, as attributes without their trailing underscore.
CHOSEN = ("sigma", "alpha", "init", "best_score")
NOGUEIRA = ("stability", "variance", "lower", "upper")  # fields of a SelectionStability


def summarize(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    feature_names: ArrayLike | None = None,
    sample_names: ArrayLike | None = None,
    title: str | None = None,
    remark: str | None = None,
    source: Mapping[str, Any] | None = None,
    method: str | None = None,
    seconds: float | None = None,
    stability: Any = None,
    cross_validation: Mapping[str, Any] | None = None,
    test: Any = None,
    attribution: Any = None,
    verdict: Any = None,
    comparison: Iterable[Mapping[str, Any]] | None = None,
    explanation: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All contents of the report of one fit.

    Parameters
    ----------
    estimator : object
        A fitted selector.
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,) or (n_samples, 2)
        Their class labels, or what else the estimator explains: numbers, or events and times.
    feature_names, sample_names : array-like of str, default=None
        None takes the names seen in fit, else numbers.
    title : str, default=None
        Heading of the report.
    remark : str, default=None
        Shown below the heading, such as that the run was interrupted.
    source : dict, default=None
        Origin of the data, such as ``{"file": ..., "target": ...}``.
    method : str, default=None
        Name of the method; None is the class of the estimator.
    seconds : float, default=None
        Duration of the fit.
    stability : StabilityReport or dict, default=None
        Result of `hitmiss.metrics.stability_report`, or a dict with some of its fields.
    cross_validation : dict, default=None
        "error", as by `hitmiss.metrics.cross_validated_error`, and "n_folds". Of numbers and times,
        the fields of a `hitmiss.metrics.Score` and "n_folds".
    test : PermutationTest, default=None
        Result of `hitmiss.inference.permutation_test`; None takes the q-values of the estimator,
        if it has them.
    attribution : object, default=None
        Which discoveries of the test can be told from their correlates: `shares`, as from
        `hitmiss.inference.attribution`, the `q_values` that follow, and the largest one `fdr`.
    verdict : Verdict, default=None
        Result of `hitmiss.inference.verdict_on`, shown above everything else.
    comparison : iterable of dict, default=None
        A row per method: "method", and other columns such as "n_selected", "error", "stability" and
        "seconds". A "curve" with "n_features" and "errors" is drawn.
    explanation : dict, default=None
        "synergy" and "substitutes", or one of them: results of the functions of these names in
        `hitmiss.metrics`.

    Returns
    -------
    dict
        Of lists, dicts, strings and finite numbers only, so that it can be written as JSON.

    Examples
    --------
    >>> from hitmiss import LOFE, datasets
    >>> from hitmiss.report import summarize
    >>> X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
    >>> summary = summarize(LOFE().fit(X, y), X, y)
    >>> sorted(summary["found"]["selected"])
    ['x0', 'x1']
    """
    X = as_matrix(as_known_numbers(X, getattr(estimator, "categories_", {})))
    fitted = read_fitted(estimator)
    explained = explained_by(estimator, X, y)
    _check_shape(X, explained.codes, fitted)
    names = Names(
        column_names(feature_names, estimator, X.shape[1]),
        row_names(sample_names, X.shape[0]),
        explained.groups,
        explained.by,
    )
    rows = [dict(row) for row in comparison or []]
    measured = measured_of(estimator, test, stability, attribution)
    named = clean(method or type(estimator).__name__)
    return {
        "format": FORMAT,
        "title": clean(title or f"Features selected by {named}"),
        "remark": None if remark is None else clean(remark),
        "verdict": plain(verdict),
        "asked": {
            "method": named,
            "estimator": type(estimator).__name__,
            "source": plain(source or {}),
            "n_samples": X.shape[0],
            "n_features": len(fitted.support),
            "explains": getattr(estimator, "explains", "classes"),
            **explained.facts(),
            "columns": _columns(estimator),
            "parameters": _parameters(estimator),
        },
        "found": {
            "chosen": _chosen(estimator),
            "n_selected": int(fitted.support.sum()),
            "selected": [clean(names.features[j]) for j in fitted.selected[:MAX_NAMED]],
            "seconds": plain(seconds),
        },
        "certainty": {
            **_certificate(estimator, explained.codes),
            "measure": explained.measure,
            "cross_validation": _cross_validation(cross_validation, explained),
            "stability": _stability(stability),
            "test": _test(test),
            "attribution": _attribution(test, attribution, names.features),
        },
        "figures": {
            **figure_data(estimator, fitted, (X, explained.codes), names),
            **explained.figures(estimator, fitted, names),
            "frequency": frequency_data(measured.frequency, names.features),
            **explanation_data(explanation, names.features),
            "errors": error_data(rows),
        },
        "comparison": [plain({k: v for k, v in row.items() if k != "curve"}) for row in rows],
        "table": feature_table(fitted, names.features, explained, measured),
        "versions": _versions(),
    }


def _check_shape(X: Any, codes: NDArray, fitted: Fitted) -> None:
    expected = (len(codes), len(fitted.support))
    if tuple(X.shape) != expected:
        raise ValueError(
            f"X must be what the estimator was fitted on, of shape {expected}; got {X.shape}."
        )


def _columns(estimator: Any) -> dict[str, int]:
    """Treatment of the columns: missing values, and nominal features."""
    n_missing = np.asarray(getattr(estimator, "n_missing_", []))
    return {
        "n_missing": int(n_missing.sum()),
        "n_features_with_missing": int(np.count_nonzero(n_missing)),
        "n_nominal": len(getattr(estimator, "categories_", {})),
    }


def _parameters(estimator: Any) -> list[dict[str, Any]]:
    """Name and value of every parameter, and whether it is the default."""
    usual = {name: repr(p.default) for name, p in signature(type(estimator)).parameters.items()}
    values = {name: repr(value) for name, value in estimator.get_params(deep=False).items()}
    return [
        {"name": name, "value": clean(value), "default": usual.get(name) == value}
        for name, value in values.items()
    ]


def _chosen(estimator: Any) -> dict[str, Any]:
    """Values that the fit used for parameters it may choose itself."""
    found = {name: plain(getattr(estimator, f"{name}_", None)) for name in CHOSEN}
    return {name: value for name, value in found.items() if value is not None}


def _certificate(estimator: Any, codes: NDArray) -> dict[str, Any]:
    """Quality that the estimator reports on its own answer; None if it does not."""
    known = facts(estimator, codes)
    certificate = {name: plain(known.get(name)) for name in (*REPORTED, "guessing_error")}
    return {**certificate, "loo_score": plain(own_score(estimator))}


def _cross_validation(
    found: Mapping[str, Any] | None, explained: Explained
) -> dict[str, Any] | None:
    return None if found is None else plain(explained.judged(found))


def _stability(report: Any) -> dict[str, Any] | None:
    """Measures of stability, without the weights and selections they come from."""
    if report is None:
        return None
    fields = fields_of(report)
    found = {k: plain(v) for k, v in fields.items() if k not in ("weights", "supports")}
    if isinstance(found.get("nogueira"), list):  # a SelectionStability read from JSON
        found["nogueira"] = dict(zip(NOGUEIRA, found["nogueira"], strict=False))
    elif isinstance(found.get("nogueira"), float):
        found["nogueira"] = {"stability": found["nogueira"]}
    if fields.get("supports") is not None:
        found["n_subsamples"] = len(fields["supports"])
    return found


def _test(test: Any) -> dict[str, Any] | None:
    """The test as a whole, without its values of features."""
    if test is None:
        return None
    return {"p_value": plain(test.p_value), "n_permutations": plain(test.n_permutations)}


def _attribution(test: Any, found: Any, names: list[str]) -> dict[str, Any] | None:
    """Number of discoveries, and those that no correlated feature could replace."""
    if test is None or found is None:
        return None
    discoveries = test.selected(found.fdr)
    attributable = discoveries[found.q_values[discoveries] <= found.fdr]
    return {
        "fdr": found.fdr,
        "n_discoveries": len(discoveries),
        "n_attributable": len(attributable),
        "attributable": [clean(names[j]) for j in attributable[:MAX_ON_CARD]],
    }


def _versions() -> dict[str, str]:
    """Versions, without the operating system of the machine."""
    return {name: value for name, value in versions().items() if name != "platform"}
