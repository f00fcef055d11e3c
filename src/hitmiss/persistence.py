"""Fitted estimators in files of arrays and JSON, without pickle."""

import json
import warnings
from copy import copy, deepcopy
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.errors import InputError, parsing
from hitmiss._util.files import new_file, write_arrays
from hitmiss._util.versions import __version__
from hitmiss.estimators.selector import categories_at
from hitmiss.online.lofe import DualAveraging, Learner, PaperRule
from hitmiss.online.reservoir import Reservoir
from hitmiss.registry import methods

FORMAT = "hitmiss model"
VERSION = 2  # of the layout; 1 was that of hitmiss 0.1
HEADER = "hitmiss.json"

# Attributes of estimators that are objects of these classes.
_PARTS: dict[str, type] = {
    part.__name__: part for part in (Reservoir, Learner, DualAveraging, PaperRule)
}

# Attributes of some estimators, with a value per feature.
_RANK_BY = {"scores_", "mean_margins_", "_order"}


def save(estimator: Any, path: str | PathLike[str]) -> None:
    """Write a fitted estimator to a file.

    The file is an NPZ archive of the arrays of the estimator, and of everything else as JSON. It is
    written completely or not at all.

    Parameters
    ----------
    estimator : estimator
        A fitted estimator of this library.
    path : str or path
        The file; an existing one is replaced.

    Examples
    --------
    >>> import os, tempfile
    >>> from hitmiss import ReliefF, persistence
    >>> fitted = ReliefF(n_neighbors=1).fit([[0, 0], [1, 4], [8, 1], [9, 3]], [0, 0, 1, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     persistence.save(fitted, os.path.join(folder, "model.npz"))
    ...     again = persistence.load(os.path.join(folder, "model.npz"))
    >>> again, (again.weights_ == fitted.weights_).all()
    (ReliefF(n_neighbors=1), np.True_)
    """
    check_is_fitted(estimator)
    arrays: dict[str, np.ndarray] = {}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "hitmiss": __version__,
        "model": _encoded(estimator, arrays),
    }
    text = json.dumps(head, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    with new_file(Path(path)) as part, part.open("xb") as f:
        write_arrays(f, {HEADER: np.frombuffer(text, np.uint8), **arrays}, compressed=True)


def load(path: str | PathLike[str]) -> Any:
    """A fitted estimator from a file that `save` wrote.

    Nothing in the file is executed: only estimators of this library are created, and their parts
    are checked for consistency.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    estimator
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no model at {path}.")
    with parsing(path, "a model of hitmiss"), path.open("rb") as f:
        # For a file that is not an archive, NumPy advises to trust it as a pickle.
        stored = np.load(f, allow_pickle=False) if is_zipfile(path) else None
        if not isinstance(stored, np.lib.npyio.NpzFile) or HEADER not in stored.files:
            raise InputError(f"{path} is not a model that hitmiss has saved.")
        head = json.loads(stored[HEADER].tobytes().decode("utf-8", "surrogatepass"))
        if head["format"] != FORMAT:
            raise InputError(f"{path} is not a model that hitmiss has saved.")
        if head["version"] != VERSION:
            raise InputError(
                f"{path} was saved by hitmiss {head['hitmiss']}, whose models this {__version__} "
                "does not read; load it with that version, or fit and save it again."
            )
        estimator = _decoded(head["model"], stored)
        _check_parts(estimator)
    return estimator


def on_used_features(estimator: Any) -> Any:
    """A copy of a classifier that predicts the same from the features of nonzero weight alone.

    Features of weight zero do not change a prediction. The copy is for prediction, not for further
    fits.

    Parameters
    ----------
    estimator : estimator
        A fitted classifier of this library; not changed.

    Returns
    -------
    estimator
        Expects the features of nonzero `weights_`, in their order.

    Examples
    --------
    >>> from hitmiss import LOFE, datasets, persistence
    >>> X, y = datasets.make_xor(60, n_irrelevant=8, random_state=0, return_X_y=True)
    >>> lofe = persistence.on_used_features(LOFE().fit(X, y))
    >>> lofe.n_features_in_, lofe.score(X[:, :2], y)
    (2, 1.0)
    """
    used = estimator._support
    reduced = copy(estimator)
    for name in (
        "weights_",
        "feature_importances_",
        "scores_",
        "mean_margins_",
        "n_missing_",
        "feature_names_in_",
    ):
        if hasattr(estimator, name):
            setattr(reduced, name, getattr(estimator, name)[used])
    reduced.n_features_in_ = len(used)
    reduced._support = np.arange(len(used))
    if hasattr(estimator, "categories_"):
        reduced.categories_ = categories_at(estimator, used)
    return reduced


def _encoded(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A value as JSON; arrays are collected under numbered names."""

    def encode(value: Any) -> Any:
        return _encoded(value, arrays)

    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, PathLike):
        return fspath(value)
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else {"float": repr(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        name = f"array{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if isinstance(value, np.ndarray):
        return {"objects": [encode(item) for item in value.tolist()]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, np.random.Generator):
        return {"generator": encode(value.bit_generator.state)}
    kind = type(value).__name__
    if type(value) is not _known().get(kind):
        raise InputError(f"A {kind} cannot be saved; only estimators of hitmiss can.")
    return {"object": kind, "state": {k: encode(v) for k, v in vars(value).items()}}


def _decoded(value: Any, arrays: Any) -> Any:
    """The inverse of `_encoded`."""

    def decode(value: Any) -> Any:
        return _decoded(value, arrays)

    match value:
        case {"object": kind, "state": state}:
            if kind not in _known():
                raise InputError(f"The file holds a {kind}, which this version of hitmiss lacks.")
            made: Any = object.__new__(_known()[kind])
            vars(made).update({name: decode(item) for name, item in state.items()})
            return made
        case {"float": text}:
            return float(text)
        case {"array": name}:
            return arrays[name]
        case {"objects": items}:
            array = np.empty(len(items), object)
            array[:] = [decode(item) for item in items]
            return array
        case {"list": items}:
            return [decode(item) for item in items]
        case {"tuple": items}:
            return tuple(decode(item) for item in items)
        case {"dict": items}:
            return {decode(k): decode(v) for k, v in items}
        case {"generator": state}:
            generator = np.random.default_rng()
            generator.bit_generator.state = decode(state)
            return generator
        case dict():
            raise ValueError(f"it holds a value of the unknown kind {', '.join(value)}")
    return value


def _known() -> dict[str, type]:
    return {m.estimator.__name__: m.estimator for m in methods().values()} | _PARTS


def _check_parts(estimator: Any) -> None:
    """Raise an error unless the parts are consistent, on which compiled code relies."""
    state = vars(estimator)
    complete = isinstance(estimator, BaseEstimator) and not (
        set(estimator.get_params(deep=False)) - set(state)
    )
    fits = complete and all(
        state[name].shape == (estimator.n_features_in_,)
        for name in ("weights_", "feature_importances_", *_RANK_BY.intersection(state))
    )
    if fits and "_samples" in state:
        fits = _neighbors_fit(state, estimator)
    if fits and "_memory" in state:
        fits = _stream_fits(state, estimator.n_features_in_)
    if not fits or not _is_usable(estimator):
        raise InputError("Its parts do not fit together; the file has been changed or damaged.")


def _is_usable(estimator: Any) -> bool:
    """Whether a model selects, predicts and, for a stream, learns; tried on a copy."""
    X = np.zeros((2, estimator.n_features_in_))
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            estimator._check_parameters()
            tried = deepcopy(estimator)
            found = [tried.weights_, tried.get_support()]
            for predict in ("predict_proba", "predict"):
                if hasattr(tried, predict):
                    found.append(getattr(tried, predict)(X))
                    break
            if "_memory" in vars(tried):
                y = estimator.classes_[[0, 0]]
                found.append(tried.set_params(verbose=False).partial_fit(X, y).weights_)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return all(np.isfinite(numbers).all() for numbers in found)


def _neighbors_fit(state: dict[str, Any], estimator: Any) -> bool:
    """Whether the arrays that `predict` uses are consistent."""
    samples, support = state["_samples"], state["_support"]
    answers = state["_labels" if "_labels" in state else "_values"]  # of each sample
    return bool(
        samples.dtype.kind == "f"
        and support.dtype.kind == "i"
        and samples.shape == (*answers.shape, *support.shape)
        and state["_factor"].shape == support.shape
        and all(_fits_support(state.get(name), support) for name in ("_gap", "_cap"))
        and np.all((support >= 0) & (support < estimator.n_features_in_))
        and ("_labels" not in state or _codes_fit(state, len(estimator.classes_)))
    )


def _codes_fit(state: dict[str, Any], n_classes: int) -> bool:
    codes = state["_labels"]
    return bool(
        codes.dtype.kind == "i"
        and state["_prior"].ndim == 1
        and state["_prior"].size <= n_classes
        and np.all((codes >= 0) & (codes < n_classes))
    )


def _fits_support(value: Any, support: np.ndarray) -> bool:
    return value is None or (value.dtype.kind == "f" and value.shape == support.shape)


def _stream_fits(state: dict[str, Any], n_features: int) -> bool:
    """Whether the state that `partial_fit` continues from is consistent."""
    memory = state["_memory"]
    learned = vars(state["_learner"].rule) if "_learner" in state else {"w": state["_nu"]}
    shapes = {
        name: value.shape
        for name, value in {**learned, "unit": state["_unit"]}.items()
        if isinstance(value, np.ndarray)
    }
    if shapes.pop("sums", (4, n_features)) != (4, n_features):
        return False
    if any(shape != (n_features,) for shape in shapes.values()):
        return False
    if any(not np.isfinite(value).all() for value in learned.values() if _is_numbers(value)):
        return False
    return memory.n_stored == 0 or bool(
        memory.X.shape == (memory.n_stored, n_features)
        and memory.y.shape == memory.ids.shape == (memory.n_stored,)
        and np.all((memory.y >= 0) & (memory.y < len(state["_codes"])))
        and np.all((state["_lowest"] <= memory.X) & (state["_highest"] >= memory.X))
        and np.isfinite([state["_lowest"], state["_highest"]]).all()
    )


def _is_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"
