"""``hitmiss stability``: how much a selection depends on the samples at hand."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.files import new_folder
from hitmiss.cli.asking import Answer, Question, n_done, stability_facts
from hitmiss.cli.destinations import check_folder
from hitmiss.cli.errors import interrupted
from hitmiss.cli.fitting import collected_warnings, fit
from hitmiss.cli.outputs import quoted, write_csv, write_report, write_run
from hitmiss.cli.ranking import note_ranking
from hitmiss.cli.show import print_json, print_line, print_table
from hitmiss.cli.waiting import shows_progress, waiting
from hitmiss.io import Table
from hitmiss.metrics import StabilityReport, stability_report
from hitmiss.report.certainty import OVERLAP

SHOWN = 20  # features printed
NAMES = ("frequencies.csv", "report.html", "run.json")


def stability(question: Question, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Fit on subsamples, write the results to `out` if that is given, and print them.

    On Ctrl-C what is done is kept.
    """
    estimator = question.estimator()
    if out is not None:
        check_folder(out, NAMES, question.source.file)
    table, y = question.source.labeled(quiet=quiet)
    note_ranking({question.method: estimator}, question.settings, quiet=quiet)
    # The report shows what is selected from all samples, too.
    fitted = None if out is None else fit(estimator, table, y, quiet=quiet)
    report = stability_of(question, table.X, y, quiet=quiet)
    often = _frequencies(report, table)
    if out is not None and fitted is not None:
        with waiting("writing the results", quiet=quiet):
            _write(out, Answer(question, table, y, fitted, report), often)
    if as_json:
        features = [{"feature": name, "frequency": share} for name, share in often]
        complete = n_done(report) == question.n_subsamples
        print_json({**stability_facts(report), "complete": complete, "features": features})
    else:
        _print(report, often, out)
    if n_done(report) < question.n_subsamples:
        interrupted(f"Interrupted after {n_done(report)} of {question.n_subsamples} subsamples.")


def stability_of(question: Question, X: NDArray, y: NDArray, *, quiet: bool) -> StabilityReport:
    """Stability over random subsamples of nine tenths of every class.

    On Ctrl-C that of the subsamples which are done, if there are two.
    """
    with collected_warnings(quiet):
        return stability_report(
            question.estimator(),
            X,
            y,
            question.n_subsamples,
            stratify=True,
            random_state=question.seed,
            verbose=shows_progress(quiet),
            interruptible=True,
        )


def _frequencies(report: StabilityReport, table: Table) -> list[tuple[str, float]]:
    """The features that are selected at all, and in which share of the subsamples."""
    frequency = report.supports.mean(axis=0)
    order = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)]
    return [(table.feature_names[j], float(frequency[j])) for j in order]


def _write(out: Path, answer: Answer, often: list[tuple[str, float]]) -> None:
    record = answer.record("stability")
    title = f"Stability of a selection from {answer.question.source.file.name}"
    with new_folder(out, NAMES) as folder:
        rows = ((quoted(name), share) for name, share in often)
        write_csv(folder / "frequencies.csv", ["feature", "frequency"], rows)
        write_report(folder, answer.report(title, record["data"]))
        write_run(folder, record)


def _print(report: StabilityReport, often: list[tuple[str, float]], out: Path | None) -> None:
    nogueira = report.nogueira
    rows: list[tuple[str, Any]] = [
        ("selections (Nogueira)", nogueira.stability),
        ("selections (Jaccard)", report.jaccard),
        ("rankings (Spearman)", report.ranking),
        ("accuracy on the samples left out (3 nearest neighbors)", report.accuracy),
    ]
    print_line(f"{n_done(report)} subsamples of 90 % of the samples; 1 is perfect, but {OVERLAP}.")
    print_table(["stability of", ""], rows)
    print_table(["feature", "selected in"], [(n, f"{share:.0%}") for n, share in often[:SHOWN]])
    if len(often) > SHOWN:
        print_line(f"... and {len(often) - SHOWN:,} more.")
    if out is not None:
        print_line(f"Written to {out}: {', '.join(NAMES)}.")
