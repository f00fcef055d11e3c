"""Columns of everything known about the features: the source of all feature tables."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss.plotting._rounding import ROUNDING
from hitmiss.report.fitted import Fitted, class_means, rank_correlations
from hitmiss.report.json_values import fields_of


class Column(NamedTuple):
    """A column of a table of features."""

    key: str  # as in files
    label: str  # as in the report
    kind: str  # "text", "number" or "flag"
    values: NDArray
    digits: int = 6  # of a number in the report


class Measured(NamedTuple):
    """Measurements of every feature besides its weight; None for those not made."""

    q_values: NDArray | None = None
    frequency: NDArray | None = None  # how often each feature was selected from subsamples
    attributable: NDArray | None = None  # 1 for discoveries that only kin could replace, else 0
    attribution: NDArray | None = None  # probability that it or kin explains the target
    attributable_q: NDArray | None = None  # share of false ones and of bystanders


def measured_of(
    estimator: Any, test: Any = None, stability: Any = None, attribution: Any = None
) -> Measured:
    """Collect the measurements of every feature, those of the estimator if no others are given.

    Parameters
    ----------
    estimator : object
        Fitted.
    test : PermutationTest, optional
        With the q-values.
    stability : StabilityReport or dict, optional
        With the selections from subsamples.
    attribution : object, optional
        With `shares` and `q_values` of the features that can be told from their correlates, and
        the largest q-value `fdr` of a discovery.
    """
    q_values = getattr(estimator, "q_values_", None) if test is None else test.q_values
    frequency = getattr(estimator, "selection_frequency_", None)
    supports = None if stability is None else fields_of(stability).get("supports")
    if supports is not None:
        frequency = np.asarray(supports, float).mean(axis=0)
    if attribution is None:
        return Measured(q_values, frequency)
    attributable = (attribution.q_values <= attribution.fdr).astype(int)
    return Measured(q_values, frequency, attributable, attribution.shares, attribution.q_values)


def known_columns(fitted: Fitted, measured: Measured, rows: NDArray) -> list[Column]:
    """Weight, selection, score, q-value, attribution and selection frequency, as far as known.

    Parameters
    ----------
    fitted : Fitted
        Weights, ranking and selection.
    measured : Measured
        What was measured besides.
    rows : ndarray
        Positions of the features, in the order of the table.
    """
    found = [
        ("weight", "Weight", "number", fitted.weights, 6),
        ("selected", "Selected", "flag", np.asarray(fitted.support).astype(int), 1),
        ("marks", "Marks", "text", fitted.marks, 1),
        ("score", "Score", "number", fitted.scores, 4),
        ("q_value", "q-value", "number", measured.q_values, 3),
        ("attributable", "Attributable", "flag", measured.attributable, 1),
        ("attribution", "Attribution", "number", measured.attribution, 3),
        ("attributable_q", "q-value, attributable", "number", measured.attributable_q, 3),
        ("selection_frequency", "Selection frequency", "number", measured.frequency, 3),
    ]
    return [
        Column(key, label, kind, np.asarray(values)[rows], digits)
        for key, label, kind, values, digits in found
        if values is not None
    ]


def marker_columns(estimator: Any, classes: list[str], rows: NDArray) -> list[Column]:
    """The weight of each feature for every class, below 0 where it is low there, if there is any.

    Parameters
    ----------
    estimator : object
        Fitted; only `Markers` has such weights.
    classes : list of str
        Names of the classes.
    rows : ndarray
        Positions of the features, in the order of the table.
    """
    if not hasattr(estimator, "class_weights_"):
        return []
    signs = np.where(estimator.direction_ < 0, -1.0, 1.0)
    found = zip(classes, signs * np.maximum(estimator.class_weights_, 0.0), strict=True)
    return [
        Column(f"weight_{label}", f"Weight, class {label}", "number", values[rows] + 0.0)
        for label, values in found
    ]


def class_columns(
    data: tuple[Any, NDArray], classes: list[str], nominal: list[int], rows: NDArray
) -> list[Column]:
    """The class in which each feature is highest on average, and its mean in every class.

    A feature that has no order is nowhere highest, and has no mean.

    Parameters
    ----------
    data : tuple of (X, codes)
        Samples, and the class of each as an integer from 0.
    classes : list of str
        Names of the classes.
    nominal : list of int
        Positions of the features that have no order.
    rows : ndarray
        Positions of the features, in the order of the table.
    """
    means = np.where(np.isin(rows, nominal), np.nan, class_means(*data, rows))
    known = np.where(np.isnan(means), -np.inf, means)  # a class may have no value at all
    highest = np.array(classes, dtype=object)[known.argmax(axis=0)]
    near = known.max(axis=0) - ROUNDING * np.abs(np.nan_to_num(means)).max(axis=0)
    highest[(known >= near).sum(axis=0) > 1] = ""  # several up to rounding, as for a constant
    return [
        Column("highest_in", "Highest in", "text", highest),
        *(
            Column(f"mean_{label}", f"Mean, class {label}", "number", values, 4)
            for label, values in zip(classes, means, strict=True)
        ),
    ]


def correlation_column(X: Any, scale: NDArray, nominal: list[int], rows: NDArray) -> Column:
    """The rank correlation of each feature with the target; NaN of one that has no order.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    scale : ndarray of shape (n_samples,)
        Where the target of each sample is.
    nominal : list of int
        Positions of the features that have no order.
    rows : ndarray
        Positions of the features, in the order of the table.
    """
    found = np.where(np.isin(rows, nominal), np.nan, rank_correlations(X, scale, rows))
    return Column("rank_correlation", "Rank correlation", "number", found, 3)
