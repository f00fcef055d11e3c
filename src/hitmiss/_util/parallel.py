"""Independent calls in several processes, with progress and without hanging."""

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from joblib import Parallel


class ProgressLike(Protocol):
    """What shows the progress."""

    def begin(self, label: str, total: int) -> None:
        """`total` pieces begin."""
        ...

    def advance(self) -> None:
        """One more piece is done."""
        ...


def each_result(
    calls: Sequence[Any],
    n_jobs: int | None,
    progress: ProgressLike | None = None,
    label: str = "",
    prefer: str | None = None,
) -> Iterator[Any]:
    """Results of the calls, made by `joblib.delayed`, in their order, as they come.

    Parameters
    ----------
    calls : sequence
        What to call.
    n_jobs : int or None
        Number of processes, as in joblib.
    progress : ProgressLike, optional
        Told of every result.
    label : str
        What the calls are.
    prefer : {"threads", "processes"}, optional
        What suits the calls; an enclosing joblib configuration has the last word.

    Yields
    ------
    object

    Raises
    ------
    RuntimeError
        If a process dies.
    """
    if progress is not None:
        progress.begin(label, len(calls))
    try:
        for result in Parallel(n_jobs=n_jobs, return_as="generator", prefer=prefer)(calls):
            if progress is not None:
                progress.advance()
            yield result
    except BrokenProcessPool as error:
        raise RuntimeError(
            f"A process died while working on {label}, most likely for lack of memory; "
            f"use fewer processes than n_jobs={n_jobs}."
        ) from error
