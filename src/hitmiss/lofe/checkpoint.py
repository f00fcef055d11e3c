"""Checkpoints: the answers of an evaluator, stored in a folder.

A fit depends on nothing but its data and parameters. Repeated, it asks the same questions in the
same order, and an answer that is in the folder is read instead of computed. Every answer is a file
of its own that appears complete or not at all. The mathematics does not know of it.
"""

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss._util.files import locked, new_file, write_arrays
from hitmiss._util.versions import __version__
from hitmiss.data.features import Features, Neighbors
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.fixed_point import Exact, Step
from hitmiss.lofe.newton import Root
from hitmiss.lofe.problem import Point, Problem
from hitmiss.targets.target import Target

HEADER = "checkpoint.json"
FORMAT = 5
State = dict[str, NDArray]  # an answer as named arrays
# Answers that are not an array, or None.
ANSWERS: dict[str, type[Any]] = {"step": Step, "root": Root}
# Part of the header -> how the error names a fit in which it differs.
EXPECTED = {
    "format": "another version",
    "version": "another version",
    "key": "other data or parameters",
}


def fingerprint(features: Features, target: Target, parameters: Mapping[str, Any]) -> str:
    """A hash that differs for other data, labels or parameters.

    Parameters
    ----------
    features : Features
        The data.
    target : Target
        What is to be explained.
    parameters : mapping
        Names and values: text, numbers, None, arrays of either, or dictionaries.

    Returns
    -------
    str
    """
    found = hashlib.sha256(features.digest())
    found.update(repr((features.n_samples, features.n_features, str(features.dtype))).encode())
    found.update(target.digest())
    for name in sorted(parameters):
        found.update(f"{name}=".encode())
        found.update(_as_bytes(parameters[name]))
    return found.hexdigest()


def _as_bytes(value: Any) -> bytes:
    """Numbers as floats, and everything else, such as names and weights by class, as text."""
    array = np.asarray(value)
    if array.dtype.kind in "biuf":
        return array.astype(float).tobytes()
    return repr(array.tolist()).encode()


class Checkpoint:
    """Answers in a folder, in the order in which a fit asks for them.

    Parameters
    ----------
    folder : str or path
        Made if it does not exist. One that exists must hold the checkpoint of the same fit.
    key : str
        A hash of data and parameters, which identifies the fit.

    As a context it is open: no other fit, of this process or another, can open the folder then.
    """

    def __init__(self, folder: str | os.PathLike, key: str):
        self.folder, self._n_steps = Path(folder), 0
        self._header = {"format": FORMAT, "version": __version__, "key": key}
        self._open = ExitStack()

    def __enter__(self) -> "Checkpoint":
        with ExitStack() as stack:
            _make(self.folder)
            if not stack.enter_context(locked(self.folder)):
                raise InputError(
                    f"Another fit uses the checkpoint in {self.folder}; wait for its end, or name "
                    "another folder."
                )
            self._begin()
            self._open = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def answer(self, name: str, find: Callable[..., Any], *arguments: Any) -> Any:
        """The next answer of the fit: from the folder if it is there, else found and stored."""
        path = self.folder / f"{self._n_steps:06d}.step"
        self._n_steps += 1
        if path.exists():
            return _from_arrays(name, path)
        result = find(*arguments)
        _write(path, _packed({"name": np.array(name), **_to_arrays(name, result)}))
        return result

    def _begin(self) -> None:
        """Check what the folder holds, or write the header to it."""
        path = self.folder / HEADER
        for name in os.listdir(self.folder):
            if re.fullmatch(r"\.\d{6}\.step\.\w+\.part|\.checkpoint\.json\.\w+\.part", name):
                with suppress(OSError):  # half a step of a fit that was killed
                    (self.folder / name).unlink()
            elif not path.exists():
                raise InputError(
                    f"{self.folder} holds other files ({name}) and no checkpoint; "
                    "name a new folder."
                )
        if path.exists():
            _check_header(path, self._header)
        else:
            _write(path, json.dumps(self._header).encode())


class Checkpointed(Exact):
    """Another evaluator, each of whose answers is stored.

    Parameters
    ----------
    evaluator : Exact
        The other one.
    checkpoint : Checkpoint
        Open.
    """

    def __init__(self, evaluator: Exact, checkpoint: Checkpoint):
        self.evaluator, self.checkpoint = evaluator, checkpoint
        self.few, self.anderson = evaluator.few, evaluator.anderson

    def replaced_by(self, other: Exact) -> Exact:
        """Another evaluator, in the place of this one."""
        return Checkpointed(other, self.checkpoint)

    def step(self, features: Features, problem: Problem, w: NDArray, u: NDArray) -> Step:
        """T(w), its minimization begun at u; the point at w is not stored."""
        return self.checkpoint.answer("step", self.evaluator.step, features, problem, w, u)

    def root(self, few: InMemory, problem: Problem, w: NDArray, tol: float) -> Root | None:
        """The fixed point near w on the features with a weight, by Newton's method, or None."""
        return self.checkpoint.answer("root", self.evaluator.root, few, problem, w, tol)

    def weighted_margins(self, features: Features, Q: Neighbors, *weights: NDArray) -> NDArray:
        """``sum_n a_n z_n(j)`` of every feature j and each a: gradient, mean margins."""
        find = self.evaluator.weighted_margins
        return self.checkpoint.answer("weighted_margins", find, features, Q, *weights)

    def first_gradients(
        self, features: Features, problem: Problem, starts: Sequence[float | NDArray]
    ) -> NDArray:
        """Gradient of every feature at w = 0, with the neighbors that each start defines."""
        find = self.evaluator.first_gradients
        return self.checkpoint.answer("first_gradients", find, features, problem, starts)


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"checkpoint={str(folder)!r} is a file; name a folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"checkpoint={str(folder)!r} cannot be made ({error.strerror}); name another folder."
        ) from error


def _to_arrays(name: str, result: Any) -> State:
    """An answer as named arrays; a point is left out, being large and computable at w."""
    if result is None:
        return {}
    if name not in ANSWERS:
        return {"value": result}
    kept = {k: v for k, v in result._asdict().items() if not isinstance(v, Point | None)}
    return {k: np.asarray(v) for k, v in kept.items()}


def _from_arrays(name: str, path: Path) -> Any:
    """The inverse of `_to_arrays`."""
    arrays = _read(path, name)
    if name not in ANSWERS or not arrays:
        return arrays.get("value")
    try:
        return ANSWERS[name](**{k: v if v.ndim else v.item() for k, v in arrays.items()})
    except TypeError as error:  # other fields than these
        raise _damaged(path) from error


def _check_header(path: Path, expected: dict[str, Any]) -> None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise _damaged(path) from error
    if not isinstance(found, dict) or found.keys() != expected.keys():
        raise _damaged(path)
    for part, what in EXPECTED.items():
        if found[part] != expected[part]:
            raise InputError(
                f"The checkpoint in {path.parent} belongs to a fit with {what}; "
                "name another folder, or delete this one to begin anew."
            )


def _packed(state: State) -> bytes:
    """Arrays as bytes, after a hash of these."""
    buffer = io.BytesIO()
    write_arrays(buffer, state)
    return hashlib.sha256(buffer.getvalue()).digest() + buffer.getvalue()


def _read(path: Path, name: str) -> State:
    content = path.read_bytes()
    digest, data = content[:32], content[32:]
    if hashlib.sha256(data).digest() != digest:
        raise _damaged(path)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            state = dict(arrays)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise _damaged(path) from error
    if str(state.pop("name", "")) != name:
        raise _damaged(path)
    return state


def _write(path: Path, content: bytes) -> None:
    with new_file(path) as part, part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is damaged, or no checkpoint of hitmiss; delete the folder {path.parent} and fit "
        "from the beginning."
    )
