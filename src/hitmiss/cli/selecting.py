"""``hitmiss select``: from a file to a short list of features."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from hitmiss.cli import outputs
from hitmiss.cli.data import Source
from hitmiss.cli.fitting import Fitted, fit
from hitmiss.cli.record import versions
from hitmiss.cli.show import note, print_json, print_line, print_table
from hitmiss.cli.steadiness import stability_facts, stability_of
from hitmiss.io import Table
from hitmiss.methods import make
from hitmiss.metrics import StabilityReport

SHOWN = 20  # features printed


@dataclass(frozen=True)
class Question:
    """What is asked of the data."""

    source: Source
    method: str
    settings: tuple[str, ...] = ()
    seed: int = 0
    n_subsamples: int = 0


@dataclass(frozen=True)
class Answer:
    """What was found."""

    table: Table
    y: NDArray
    fitted: Fitted
    stability: StabilityReport | None

    @property
    def selected(self) -> list[str]:
        """Names of the selected features, best first."""
        return outputs.selected_names(self.fitted.estimator)


def select(question: Question, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Select features, write them to the folder `out` if there is one, and print them."""
    estimator = make(question.method, question.settings, seed=question.seed)
    with ExitStack() as stack:
        # Opened first: where nothing can be written, nobody should wait for the result.
        folder = None if out is None else stack.enter_context(outputs.results_folder(out))
        table, y = question.source.labeled()
        note(f"{table.X.shape[0]:,} samples, {table.X.shape[1]:,} features", quiet=quiet)
        fitted = fit(estimator, table, y, quiet=quiet)
        answer = Answer(table, y, fitted, _stability(question, estimator, table.X, y, quiet=quiet))
        record = _record(question, answer)
        if folder is not None:
            _write(folder, question, answer, record)
    if as_json:
        print_json({**record, "out": None if out is None else str(out)})
    else:
        _print(answer, out)


def _stability(
    question: Question, estimator: Any, X: NDArray, y: NDArray, *, quiet: bool
) -> StabilityReport | None:
    """Stability over subsamples; None if it was not asked for or was interrupted."""
    if not question.n_subsamples:
        return None
    try:
        return stability_of(estimator, X, y, question.n_subsamples, seed=question.seed, quiet=quiet)
    except KeyboardInterrupt:
        note("Interrupted: the selection is kept, its stability is not known.", quiet=False)
        return None


def _record(question: Question, answer: Answer) -> dict[str, Any]:
    """What was done and found, enough to do it again."""
    estimator, table = answer.fitted.estimator, answer.table
    weights = dict(zip(table.feature_names, estimator.weights_.tolist(), strict=True))
    facts = ("converged", "optimality_gap", "objective", "loo_error", "n_iter")
    return {
        "command": "select",
        "method": question.method,
        "settings": question.settings,
        "seed": question.seed,
        "parameters": estimator.get_params(deep=False),
        "data": question.source.described(),
        "n_samples": table.X.shape[0],
        "n_features": table.X.shape[1],
        "classes": estimator.classes_,
        "selected": [{"feature": name, "weight": weights[name]} for name in answer.selected],
        **{
            name: getattr(estimator, f"{name}_") for name in facts if hasattr(estimator, f"{name}_")
        },
        "stability": None if answer.stability is None else stability_facts(answer.stability),
        "warnings": answer.fitted.warnings,
        "seconds": answer.fitted.seconds,
        "versions": versions(),
    }


def _write(folder: Path, question: Question, answer: Answer, record: dict[str, Any]) -> None:
    from hitmiss.report import render, summarize

    estimator, table = answer.fitted.estimator, answer.table
    outputs.write_weights(folder, estimator)
    outputs.write_selected(folder, answer.selected)
    outputs.write_model(folder, estimator)
    summary = summarize(
        estimator,
        table.X,
        answer.y,
        feature_names=table.feature_names,
        sample_names=table.sample_names,
        title=f"Features selected from {question.source.file.name}",
        source={key: record["data"][key] for key in ("file", "sha256", "target")},
        method=question.method,
        seconds=answer.fitted.seconds,
        stability=answer.stability,
    )
    outputs.write_report(folder, render(summary))
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
    if hasattr(estimator, "loo_error_"):
        print_line(f"Leave-one-out error: {estimator.loo_error_:.1%}.")
    if hasattr(estimator, "optimality_gap_"):
        print_line(f"Certificate: optimality gap {estimator.optimality_gap_:.0e}.")
    if answer.stability is not None:
        print_line(f"Stability: {answer.stability.nogueira.stability:.2f} (1 is perfect).")
    if out is not None:
        print_line(f"Written to {out}: {', '.join(outputs.NAMES)}.")
