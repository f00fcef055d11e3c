"""``hitmiss predict``: classes, numbers or risks of new samples by a saved model."""

import csv
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from hitmiss._util.errors import InputError
from hitmiss._util.files import new_file
from hitmiss._util.text import counted
from hitmiss.cli._shared import options
from hitmiss.cli._shared.nominal_features import known_levels, recoded
from hitmiss.cli._shared.output_files import quoted
from hitmiss.cli._shared.output_paths import check_file
from hitmiss.cli._shared.terminal import note, print_json, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table


def predict(
    model: Annotated[
        Path,
        typer.Argument(help="model.npz of `hitmiss select`.", metavar="MODEL", show_default=False),
    ],
    file: options.File,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", help="Column of true classes or numbers to compare with."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="CSV file to write instead of standard output."),
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
    """Predict classes, numbers or risks of new samples by a saved model."""
    from hitmiss import persistence

    if out is not None:
        check_file(out, (model, file), overwrite=overwrite)
    estimator = _predictor(model)
    if target is not None and estimator.explains == "survival":
        raise InputError(
            f"{model} predicts risks, which cannot be compared with a --target; leave it out."
        )
    table_file = options.table_file(file, target, samples, None, transpose, missing)
    table_file = options.notation(table_file, make_unique, decimal)
    # The features that have a weight are found by name; the other columns are not read.
    used = _used_features(estimator, model)
    levels = known_levels(estimator, used)
    table = replace(table_file, features=used, nominal=tuple(levels)).read(quiet=quiet)
    table = replace(table, X=recoded(table, levels))
    predictions = _predictions(persistence.on_used_features(estimator), table)
    compared = target is not None or predictions.kind == "class"
    quality = predictions.quality(table.y) if compared and table.y is not None else None
    if out is not None:
        with new_file(out) as part, part.open("x", encoding="utf-8", newline="") as f:
            predictions.write(f)
        note(f"Written to {out}: {counted(len(predictions.samples))}.", quiet=quiet)
    if as_json:
        print_json(predictions.as_dicts())
    elif out is None:
        predictions.write(sys.stdout, printable)
    if quality is not None:
        note(quality, quiet=quiet)


@dataclass(frozen=True)
class Predictions:
    """Predictions of every sample: a class with probabilities, a number or a risk."""

    samples: list[str]
    kind: str  # "class", "number" or "risk"
    values: list[Any]
    classes: list[Any] = field(default_factory=list)
    probabilities: list[list[float]] = field(default_factory=list)

    def as_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per sample."""
        names = [str(label) for label in self.classes]
        return [
            {"sample": sample, self.kind: value}
            | ({"probabilities": dict(zip(names, p, strict=True))} if names else {})
            for sample, value, p in self._rows()
        ]

    def write(self, f: TextIO, shown: Callable[[str], str] = str) -> None:
        """Write one line of CSV per sample, with names as `shown` makes them."""
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(["sample", self.kind, *(shown(f"P({label})") for label in self.classes)])
        for sample, value, p in self._rows():
            name = shown(quoted(value)) if isinstance(value, str) else value
            writer.writerow([shown(quoted(sample)), name, *p])

    def quality(self, true: "NDArray") -> str:
        """The share of wrong classes, or the R² of numbers, in a sentence."""
        if self.kind == "class":
            pairs = zip(true.tolist(), self.values, strict=True)
            wrong = sum(str(one) != str(other) for one, other in pairs)
            return f"Error rate: {wrong / len(self.values):.1%}."
        numbers = _as_numbers(true)
        spread = ((numbers - numbers.mean()) ** 2).sum()
        if not spread:
            return "R²: undefined, because all values of the target are equal."
        return f"R²: {1 - ((numbers - self.values) ** 2).sum() / spread:.2f}."

    def _rows(self) -> Iterator[tuple[str, Any, list[float]]]:
        probabilities = self.probabilities or [[]] * len(self.samples)
        return zip(self.samples, self.values, probabilities, strict=True)


def _as_numbers(true: "NDArray") -> "NDArray":
    try:
        return true.astype(float)
    except ValueError:
        raise InputError(
            "The column of --target holds words, but the model predicts numbers; name a column of "
            "numbers, or leave --target out."
        ) from None


def _predictor(model: Path) -> Any:
    """The estimator in the file, or an error if it cannot predict."""
    from sklearn.base import is_classifier

    from hitmiss import persistence

    estimator = persistence.load(model)
    if not is_classifier(estimator) and not hasattr(estimator, "predict"):
        raise InputError(
            f"{model} holds a {type(estimator).__name__}, which cannot predict; use a model "
            "selected with lofe."
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
        values = estimator.predict(table.X).tolist()
        if estimator.explains != "classes":
            kind = "number" if estimator.explains == "numbers" else "risk"
            return Predictions(table.sample_names, kind, values)
        probabilities = estimator.predict_proba(table.X).tolist()
    classes = estimator.classes_.tolist()
    return Predictions(table.sample_names, "class", values, classes, probabilities)
