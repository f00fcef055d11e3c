"""``hitmiss predict``: the classes of new samples by a saved model."""

import csv
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from hitmiss._util.errors import InputError
from hitmiss._util.files import new_file
from hitmiss.cli._shared import options
from hitmiss.cli._shared.nominal_features import known_levels, recoded
from hitmiss.cli._shared.output_files import quoted
from hitmiss.cli._shared.output_paths import check_file
from hitmiss.cli._shared.terminal import note, print_json, printable

if TYPE_CHECKING:
    from hitmiss.io import Table


def predict(
    model: Annotated[
        Path,
        typer.Argument(help="model.npz of `hitmiss select`.", metavar="MODEL", show_default=False),
    ],
    file: options.File,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", help="Column of the true classes, to count the errors."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="CSV file; else standard output.")
    ] = None,
    overwrite: options.Overwrite = False,
    samples: options.Samples = None,
    transpose: options.Transpose = False,
    make_unique: options.MakeUnique = False,
    decimal: options.DecimalOption = None,
    missing: options.MissingSamplesOption = options.MISSING_SAMPLES,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict the classes of new samples by a saved model."""
    from hitmiss import persistence

    if out is not None:
        check_file(out, (model, file), overwrite=overwrite)
    estimator = _classifier(model)
    table_file = options.table_file(file, target, samples, None, transpose, missing)
    table_file = options.notation(table_file, make_unique, decimal)
    # The features that have a weight are found by name; the other columns are not read.
    used = _used_features(estimator, model)
    levels = known_levels(estimator, used)
    table = replace(table_file, features=used, nominal=tuple(levels)).read(quiet=quiet)
    table = replace(table, X=recoded(table, levels))
    if not hasattr(estimator, "classes_"):
        _predict_numbers(persistence.on_used_features(estimator), table, out, as_json=as_json)
        return
    predictions = _predictions(persistence.on_used_features(estimator), table)
    if out is not None:
        with new_file(out) as part, part.open("x", encoding="utf-8", newline="") as f:
            predictions.write(f)
        note(f"Written to {out}: {len(predictions.labels):,} samples.", quiet=quiet)
    if as_json:
        print_json(predictions.as_dicts())
    elif out is None:
        predictions.write(sys.stdout, printable)
    if table.y is not None:
        note(f"Error rate: {predictions.error_rate(table.y.tolist()):.1%}.", quiet=quiet)


def _predict_numbers(estimator: Any, table: "Table", out: Path | None, *, as_json: bool) -> None:
    """Print or write the number, or the risk, of every sample."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        values = estimator.predict(table.X).tolist()
    what = "number" if hasattr(estimator, "loo_r2_") else "risk"
    rows = list(zip(table.sample_names, values, strict=True))
    if out is not None:
        with new_file(out) as part, part.open("x", encoding="utf-8", newline="") as f:
            csv.writer(f, lineterminator="\n").writerows([("sample", what), *rows])
    if as_json:
        print_json([{"sample": sample, what: value} for sample, value in rows])
    elif out is None:
        shown = [(printable(quoted(sample)), value) for sample, value in rows]
        csv.writer(sys.stdout, lineterminator="\n").writerows([("sample", what), *shown])


@dataclass(frozen=True)
class Predictions:
    """The predicted class and the class probabilities of every sample."""

    samples: list[str]
    classes: list[Any]
    labels: list[Any]
    probabilities: list[list[float]]

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per sample."""
        names = [str(label) for label in self.classes]
        return [
            {"sample": sample, "class": label, "probabilities": dict(zip(names, p, strict=True))}
            for sample, label, p in self._rows()
        ]

    def write(self, f: TextIO, shown: Callable[[str], str] = str) -> None:
        """Write one line of CSV per sample, with names as `shown` makes them."""
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["sample", "class", *(shown(f"P({label})") for label in self.classes)])
        for sample, label, p in self._rows():
            name = shown(quoted(label)) if isinstance(label, str) else label
            writer.writerow([shown(quoted(sample)), name, *p])

    def error_rate(self, true_labels: list[Any]) -> float:
        """The share of the samples whose predicted class is not the true one."""
        pairs = zip(true_labels, self.labels, strict=True)
        return sum(str(true) != str(label) for true, label in pairs) / len(self.labels)

    def _rows(self) -> Iterator[tuple[str, Any, list[float]]]:
        return zip(self.samples, self.labels, self.probabilities, strict=True)


def _classifier(model: Path) -> Any:
    """The estimator in the file, or an error if it cannot predict."""
    from sklearn.base import is_classifier

    from hitmiss import persistence

    estimator = persistence.load(model)
    if not is_classifier(estimator) and not hasattr(estimator, "predict"):
        raise InputError(
            f"{model} holds a {type(estimator).__name__}, which selects and does not predict; "
            "select with lofe."
        )
    return estimator


def _used_features(estimator: Any, model: Path) -> tuple[str, ...]:
    """Names of the features that have a weight."""
    used = estimator.weights_.nonzero()[0]
    if not len(used):
        raise InputError(
            f"{model} gives no feature a weight and cannot tell classes apart; select with other "
            "data or a smaller alpha first."
        )
    names = getattr(estimator, "feature_names_in_", None)
    return tuple(f"x{j}" if names is None else names[j] for j in used)


def _predictions(estimator: Any, table: "Table") -> Predictions:
    with warnings.catch_warnings():
        # The features have been put in order by their names already.
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        probabilities = estimator.predict_proba(table.X).tolist()
        labels = estimator.predict(table.X).tolist()
    return Predictions(table.sample_names, estimator.classes_.tolist(), labels, probabilities)
