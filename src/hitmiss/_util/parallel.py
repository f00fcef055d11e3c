"""Independent calls in several processes, with progress."""

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from joblib import Parallel

from hitmiss._util.progress import ProgressLike


def each_result(
    calls: Sequence[Any],
    n_jobs: int | None,
    progress: ProgressLike | None = None,
    label: str = "",
    prefer: str | None = None,
) -> Iterator[Any]:
    """Results of the calls in their order, each as soon as it is known.

    Parameters
    ----------
    calls : sequence
        Calls, made by `joblib.delayed`.
    n_jobs : int or None
        Number of processes, as in joblib.
    progress : ProgressLike, optional
        Receives the number of calls, and every result.
    label : str
        Description of the calls, for the progress.
    prefer : {"threads", "processes"}, optional
        Preferred kind of workers; an enclosing joblib configuration takes precedence.

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
