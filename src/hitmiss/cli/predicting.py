"""``hitmiss predict``: the classes of new samples by a saved model."""

import csv
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from hitmiss import persistence
from hitmiss._util.errors import InputError
from hitmiss._util.files import new_file
from hitmiss.cli.data import Source
from hitmiss.cli.destinations import check_file
from hitmiss.cli.outputs import quoted
from hitmiss.cli.show import note, print_json
from hitmiss.io import Table


def predict(
    model: Path, source: Source, out: Path | None, *, overwrite: bool, as_json: bool, quiet: bool
) -> None:
    """Predict the class of every sample, to the file `out` or to standard output.

    The features that have a weight are found by their names; all other columns are left out.
    """
    if out is not None:
        check_file(out, (model, source.file), overwrite=overwrite)
    estimator = persistence.load(model)
    if not is_classifier(estimator):
        raise InputError(
            f"{model} holds a {type(estimator).__name__}, which selects and does not predict; "
            "select with lofe."
        )
    table = replace(source, features=_used_features(estimator, model)).table(quiet=quiet)
    estimator = persistence.on_used_features(estimator)
    with warnings.catch_warnings():
        # The features have been put in order by their names already.
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        P = estimator.predict_proba(table.X)
        labels = estimator.predict(table.X)
    if out is not None:
        with new_file(out) as part, part.open("x", encoding="utf-8", newline="") as f:
            _write(f, table, estimator.classes_, labels, P)
        note(f"Written to {out}: {len(labels):,} samples.", quiet=quiet)
    if as_json:
        print_json(_as_dicts(table, estimator.classes_, labels, P))
    elif out is None:
        _write(sys.stdout, table, estimator.classes_, labels, P)
    if table.y is not None:
        note(f"Error rate: {np.mean(_texts(table.y) != _texts(labels)):.1%}.", quiet=quiet)


def _used_features(estimator: Any, model: Path) -> tuple[str, ...]:
    """Names of the features that have a weight."""
    used = np.flatnonzero(estimator.weights_)
    if not len(used):
        raise InputError(
            f"{model} gives no feature a weight and cannot tell classes apart; select with other "
            "data or a smaller alpha first."
        )
    names = getattr(estimator, "feature_names_in_", None)
    return tuple(f"x{j}" if names is None else names[j] for j in used)


def _texts(labels: NDArray) -> NDArray:
    return np.array([str(label) for label in labels.tolist()])


def _as_dicts(table: Table, classes: NDArray, labels: NDArray, P: NDArray) -> list[dict[str, Any]]:
    names = [str(label) for label in classes.tolist()]
    return [
        {"sample": sample, "class": label, "probabilities": dict(zip(names, p, strict=True))}
        for sample, label, p in zip(table.sample_names, labels.tolist(), P.tolist(), strict=True)
    ]


def _write(f: TextIO, table: Table, classes: NDArray, labels: NDArray, P: NDArray) -> None:
    writer = csv.writer(f, lineterminator="\n")
    writer.writerow(["sample", "class", *(f"P({label})" for label in classes.tolist())])
    for sample, label, p in zip(table.sample_names, labels.tolist(), P.tolist(), strict=True):
        shown = quoted(label) if isinstance(label, str) else label
        writer.writerow([quoted(sample), shown, *p])
