"""``hitmiss select``: from a file to a short list of features."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from hitmiss._util.files import new_folder
from hitmiss.cli import outputs
from hitmiss.cli.asking import Answer, Question
from hitmiss.cli.cluster import cluster
from hitmiss.cli.destinations import check_folder
from hitmiss.cli.errors import interrupted
from hitmiss.cli.fitting import fit
from hitmiss.cli.ranking import note_ranking
from hitmiss.cli.show import note, print_json, print_line, print_table
from hitmiss.cli.steadiness import stability_of
from hitmiss.cli.trust import check_folds, cv_error, trust_lines
from hitmiss.cli.waiting import waiting
from hitmiss.metrics import StabilityReport

SHOWN = 20  # features printed


def select(question: Question, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Select features, write them to the folder `out` if there is one, and print them.

    On Ctrl-C during the folds or the subsamples the selection is kept.
    """
    estimator = question.estimator()
    if out is not None:  # where nothing can be written, nobody should wait for the result
        check_folder(out, outputs.NAMES, question.source.file)
    with cluster(question.dask) as client:
        table, y = question.source.labeled(quiet=quiet)
        check_folds(question.n_folds, y)
        note(f"{table.X.shape[0]:,} samples, {table.X.shape[1]:,} features", quiet=quiet)
        note_ranking({question.method: estimator}, question.settings, quiet=quiet)
        fitted = fit(estimator, table, y, client=client, quiet=quiet)
        answer = Answer(question, table, y, fitted, *_measured(question, table.X, y, quiet=quiet))
    record = answer.record("select")
    if out is not None:
        with waiting("writing the results", quiet=quiet):
            _write(out, answer, record)
    if as_json:
        print_json({**record, "out": None if out is None else str(out)})
    else:
        _print(answer, out)
    if answer.remark:
        interrupted(answer.remark)


def _measured(
    question: Question, X: NDArray, y: NDArray, *, quiet: bool
) -> tuple[StabilityReport | None, float | None]:
    """Stability and cross-validated error, as far as they were asked for and not interrupted."""
    stability, error = None, None
    with suppress(KeyboardInterrupt):
        if question.n_folds:
            error = cv_error(question, X, y, quiet=quiet)
        if question.n_subsamples:
            stability = stability_of(question, X, y, quiet=quiet)
    return stability, error


def _write(out: Path, answer: Answer, record: dict[str, Any]) -> None:
    estimator = answer.fitted.estimator
    title = f"Features selected from {answer.question.source.file.name}"
    with new_folder(out, outputs.NAMES) as folder:
        outputs.write_weights(folder, estimator)
        outputs.write_selected(folder, answer.selected)
        outputs.write_model(folder, estimator)
        outputs.write_report(folder, answer.report(title, record["data"]))
        outputs.write_run(folder, record)


def _print(answer: Answer, out: Path | None) -> None:
    estimator, names = answer.fitted.estimator, answer.selected
    weights = dict(zip(answer.table.feature_names, estimator.weights_.tolist(), strict=True))
    n_features = len(answer.table.feature_names)
    print_line(f"{len(names):,} of {n_features:,} features in {answer.fitted.seconds:.2f} s.")
    if names:
        print_table(["feature", "weight"], [(name, weights[name]) for name in names[:SHOWN]])
    if len(names) > SHOWN:
        print_line(f"... and {len(names) - SHOWN:,} more.")
    for line in trust_lines(answer):
        print_line(line)
    if out is not None:
        print_line(f"Written to {out}: {', '.join(outputs.NAMES)}.")
