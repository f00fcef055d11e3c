"""Kinds of target: classes, numbers, or times until an event."""

from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Whole numbers count as classes if there are few different ones: up to ten, like the digits, or up
# to twenty with ten samples each. One different value per three samples, or more, means
# measurements: a classifier warns of so many, too. In between, such as 43 ages of 200
# samples, it is ambiguous. Up to three values are always classes, however few the samples.
CERTAIN, FEW, SOME, SAMPLES_EACH, MEASURED_EACH = 3, 10, 20, 10, 3


class Task(StrEnum):
    """Kind of target."""

    classes = "classes"
    numbers = "numbers"
    survival = "survival"


# Task -> method for classes -> its counterpart for the task.
METHODS = {
    Task.numbers: {
        "lofe": "loferegressor",
        "relieff": "rrelieff",
        "surf": "rsurf",
        "multisurf": "rmultisurf",
        "irelief": "rirelief",
    },
    Task.survival: {"lofe": "lofesurvival"},
}


def task_of(y: "NDArray", given: Task | None, target: str) -> Task:
    """The task that the target is for, or an error that asks for one.

    Parameters
    ----------
    y : array of shape (n_samples,)
        The target.
    given : Task or None
        What the caller said.
    target : str
        What to call the target in the error.
    """
    if given is not None:
        if given is Task.numbers and not _are_numbers(y):
            raise InputError(f"The target {target} holds words, and --task numbers needs numbers.")
        return given
    if y.dtype.kind not in "iuf":
        _check_words(y, target)
        return Task.classes
    n_values, few, whole = _count(y), _are_few(y), y.dtype.kind != "f"
    if few and whole:
        return Task.classes
    if n_values == 1:
        raise InputError(
            f"The target {target} is {y[0]:g} for all samples, so there is nothing to explain; "
            "name another column with --target."
        )
    if not few and (not whole or MEASURED_EACH * n_values > len(y)):
        return Task.numbers
    raise InputError(
        f"The target {target} holds {n_values:,} different{' whole' if whole else ''} numbers for "
        f"{len(y):,} samples, which may be measurements or classes; use --task numbers or --task "
        "classes."
    )


def check_classes(y: "NDArray", given: Task | None, target: str) -> None:
    """Raise an error unless the target holds classes, for commands that need classes.

    Parameters
    ----------
    y : array of shape (n_samples,)
        The target.
    given : Task or None
        What the caller said.
    target : str
        What to call the target in the error.
    """
    if given in (Task.numbers, Task.survival):
        raise InputError(
            f"Only hitmiss select supports --task {given.value}; use that command, or --task "
            "classes if every number stands for a class."
        )
    if given is Task.classes or y.dtype.kind not in "iuf":
        return
    if _are_few(y) and y.dtype.kind != "f":
        return
    raise InputError(
        f"The target {target} holds measurements, {_count(y):,} different numbers for {len(y):,} "
        "samples, and this command needs classes; use --task classes if every number stands for a "
        "class, or use hitmiss select."
    )


def method_for(method: str, task: Task) -> str:
    """The method of this name for a task; an error if there is none.

    Parameters
    ----------
    method : str
        As given.
    task : Task
        What the target is.
    """
    if task is Task.classes:
        return method
    known = METHODS[task]
    plain = method.replace("-", "").replace("_", "").lower()
    if plain in known or plain in known.values():
        return known.get(plain, plain)
    *others, last = known
    named = f"{', '.join(others)} or {last}" if others else last
    raise InputError(f"{method} needs classes; for {task.value} use --method {named}.")


def check_explains(estimator: Any, task: Task, method: str) -> None:
    """Raise an error if the method is for another kind of target.

    Parameters
    ----------
    estimator : object
        Any; what does not say what it explains is taken to explain classes.
    task : Task
        What the target is.
    method : str
        What to call the method in the error.
    """
    explained = getattr(estimator, "explains", "classes")
    if explained == task.value:
        return
    how = "--time and --event" if explained == Task.survival else f"--task {explained}"
    raise InputError(
        f"{method} needs {explained}, but the target is read as {task.value}; use another method, "
        f"or hitmiss select with {how}."
    )


def are_classes(y: "NDArray") -> bool:
    """Whether a target, as read by a command, holds classes."""
    return y.dtype.kind not in "fV"


def as_classes(y: "NDArray") -> "NDArray":
    """Numbers with decimals as text, since they stand for classes."""
    import numpy as np

    if y.dtype.kind != "f":
        return y
    # Through text, the 32-bit number 0.1 stays 0.1 and does not become 0.10000000149011612.
    exact = [float(value if value.is_integer() else str(value)) for value in y]
    return np.array([repr(value).removesuffix(".0") for value in exact])


def _are_numbers(y: "NDArray") -> bool:
    """Whether all are numbers; infinite ones count, and are refused later by name."""
    try:
        y.astype(float)
    except ValueError:
        return False
    return True


def _check_words(y: "NDArray", target: str) -> None:
    """Raise an error if most words are distinct numbers: the others are probably mistakes."""
    import numpy as np

    strange = [word for word in y.tolist() if not _is_finite(word)]
    if strange and 2 * len(strange) < len(y) and MEASURED_EACH * len(np.unique(y)) > len(y):
        raise InputError(
            f"The target {target} holds numbers, except in {len(strange):,} of {len(y):,} samples, "
            f"the first being {strange[0]!r}; correct or clear these cells, or use --task classes."
        )


def _is_finite(word: Any) -> bool:
    try:
        return isfinite(float(word))
    except ValueError:
        return False


def _are_few(y: "NDArray") -> bool:
    n_values = _count(y)
    each = len(y) / n_values
    if n_values <= FEW:
        return n_values <= CERTAIN or each >= 2
    return n_values <= SOME and each >= SAMPLES_EACH


def _count(y: "NDArray") -> int:
    import numpy as np

    return len(np.unique(y))
