"""The markers of each class as rows of a table."""

from typing import Any

from hitmiss.cli._shared.result import Result

SHOWN_OF_CLASS = 10  # features printed


def marker_rows(result: Result) -> tuple[list[str], list[tuple[Any, ...]], list[str]]:
    """Header and rows of the table, class by class, and a line for each class with more markers.

    Parameters
    ----------
    result : Result
        Of a fit by class.
    """
    from hitmiss.report.fitted import class_names

    estimator, test = result.fitted.estimator, result.measured.test
    header = ["class", "feature", "importance", *(["q-value"] if test is not None else []), "there"]
    if result.withheld:
        return header, [], []
    rows: list[tuple[Any, ...]] = []
    more = []
    names = class_names(estimator.classes_)
    for c, (name, found) in enumerate(zip(names, estimator.markers().values(), strict=True)):
        shown = found[:SHOWN_OF_CLASS]
        q_values = [] if test is None else [test.q_values[shown].tolist()]
        where = [("low", "", "high")[d + 1] for d in estimator.direction_[c, shown].tolist()]
        importances = estimator.class_importances_[c, shown].tolist()
        cells = (result.names(shown), importances, *q_values, where)
        rows += [(name, *row) for row in zip(*cells, strict=True)]
        if len(found) > len(shown):
            more.append(f"... and {len(found) - len(shown):,} more of class {name}.")
        if not len(found):
            more.append(f"Class {name} has no markers.")
    return header, rows, more
