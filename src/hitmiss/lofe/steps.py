"""Steps of a long computation whose results may be remembered."""

from collections.abc import Callable

from numpy.typing import NDArray

State = dict[str, NDArray]  # what a step found
Recall = Callable[[str, Callable[[], State]], State]  # name of a step, how to do it -> its result


def afresh(name: str, compute: Callable[[], State]) -> State:
    """Do the step; nothing is remembered."""
    return compute()
