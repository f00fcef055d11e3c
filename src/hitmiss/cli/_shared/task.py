"""What a target is: classes so far; numbers that may be measurements are asked for."""

from enum import StrEnum
from typing import TYPE_CHECKING

from hitmiss._util.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Numbers are taken for classes if there are few of them: up to ten, as the digits, or up to twenty
# of ten samples each. More are asked for, since an age or a dose would give dozens of classes.
FEW, SOME, SAMPLES_EACH = 10, 20, 10


class Task(StrEnum):
    """What to do about a target of numbers. A task is offered as soon as it is here."""

    classes = "classes"


# What each task is for, in the error that asks for one.
MEANING = {Task.classes: "if every number stands for a class"}


def task_of(y: "NDArray", given: Task | None, target: str) -> Task:
    """The task, or an error that asks for one.

    Parameters
    ----------
    y : array of shape (n_samples,)
        The target.
    given : Task or None
        What the caller said.
    target : str
        What to call the target in the error.
    """
    import numpy as np

    if given is not None:
        return given
    n_values = len(np.unique(y))
    few = n_values <= FEW or (n_values <= SOME and len(y) >= SAMPLES_EACH * n_values)
    if y.dtype.kind not in "iuf" or (few and y.dtype.kind != "f"):
        return Task.classes
    offered = ", or ".join(f"--task {task.value} {MEANING[task]}" for task in Task)
    raise InputError(
        f"The target {target} holds measurements, {n_values:,} different numbers for {len(y):,} "
        f"samples, and hits and misses need classes; make some of them, or say {offered}."
    )


def as_classes(y: "NDArray") -> "NDArray":
    """Numbers with decimals as text, since they stand for classes."""
    import numpy as np

    return np.array([f"{value:g}" for value in y.tolist()]) if y.dtype.kind == "f" else y
