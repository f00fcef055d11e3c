"""``hitmiss stability``: how much a selection depends on the samples at hand."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.cli.data import Source
from hitmiss.cli.fitting import collected_warnings, shows_progress
from hitmiss.cli.show import print_json, print_line, print_table
from hitmiss.metrics import StabilityReport, stability_report

SHOWN = 20  # features printed


def stability(
    source: Source, estimator: Any, n_subsamples: int, *, seed: int, as_json: bool, quiet: bool
) -> None:
    """Fit on subsamples, and print how alike the selections are."""
    table, y = source.labeled()
    report = stability_of(estimator, table.X, y, n_subsamples, seed=seed, quiet=quiet)
    frequency = report.supports.mean(axis=0)
    order = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)]
    often = [(table.feature_names[j], float(frequency[j])) for j in order]
    if as_json:
        features = [{"feature": name, "frequency": share} for name, share in often]
        print_json({**stability_facts(report), "features": features})
    else:
        _print(report, often)


def stability_of(
    estimator: Any, X: NDArray, y: NDArray, n_subsamples: int, *, seed: int, quiet: bool
) -> StabilityReport:
    """Stability over random subsamples of nine tenths of every class."""
    with collected_warnings(quiet):
        return stability_report(
            estimator,
            X,
            y,
            n_subsamples,
            stratify=True,
            random_state=seed,
            verbose=shows_progress(quiet),
        )


def stability_facts(report: StabilityReport) -> dict[str, Any]:
    """The numbers of a stability report, without its arrays."""
    facts = {k: v for k, v in report._asdict().items() if k not in ("weights", "supports")}
    return {**facts, "nogueira": report.nogueira._asdict(), "n_subsamples": len(report.supports)}


def _print(report: StabilityReport, often: list[tuple[str, float]]) -> None:
    nogueira = report.nogueira
    rows = [
        ("selections (Nogueira)", nogueira.stability),
        ("selections (Jaccard)", report.jaccard),
        ("rankings (Spearman)", report.ranking),
        ("accuracy on the samples left out", report.accuracy),
    ]
    print_line(f"{len(report.supports)} subsamples of 90 % of the samples; 1 is perfect.")
    print_table(["stability of", ""], rows)
    print_table(["feature", "selected in"], [(n, f"{share:.0%}") for n, share in often[:SHOWN]])
    if len(often) > SHOWN:
        print_line(f"... and {len(often) - SHOWN:,} more.")
