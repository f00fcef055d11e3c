"""Fits in many threads at once: the same bits as alone, and the BLAS threads as they were."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

import hitmiss
from hitmiss import datasets

N_THREADS = 16

# Estimators that differ in what they ask of BLAS, Numba and the thread pool.
MIXED: dict[str, Callable[[], Any]] = {
    "LOFE": lambda: hitmiss.LOFE(alpha=0.2),
    "LOFE one job": lambda: hitmiss.LOFE(sigma=0.5, n_jobs=1),
    "FREL": lambda: hitmiss.FREL(),
    "IRelief": lambda: hitmiss.IRelief(max_iter=5),
    "Simba": lambda: hitmiss.Simba(n_passes=1, random_state=0),
    "OnlineIRelief": lambda: hitmiss.OnlineIRelief(random_state=0),
    "OnlineLOFE": lambda: hitmiss.OnlineLOFE(n_passes=1, random_state=0),
    "MultiSURF": lambda: hitmiss.MultiSURF(),
    "ReliefF": lambda: hitmiss.ReliefF(),
    "FisherScore": lambda: hitmiss.FisherScore(),
}


def blas_threads() -> list[int]:
    """Number of threads of every BLAS library."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def problems() -> list[tuple[Any, Any]]:
    """Data whose products are large enough for BLAS to share them out."""
    make, given = datasets.make_waveform, {"random_state": 0, "return_X_y": True}
    return [make(120, n_irrelevant=80, **given), make(60, n_irrelevant=12_000, **given)]


def differences(n_fits: int) -> Iterator[str]:
    """One sentence for every fit in threads that differs from the same fit alone.

    Parameters
    ----------
    n_fits : int
        Number of fits, all estimators in turn, in 16 threads.
    """
    with threadpool_limits(2, user_api="blas"):
        before, data = blas_threads(), problems()
        tasks = [(name, k) for k in range(len(data)) for name in MIXED]
        alone = {task: _weights(*task, data) for task in tasks}
        order = [tasks[n] for n in np.random.default_rng(0).integers(len(tasks), size=n_fits)]
        with ThreadPoolExecutor(N_THREADS) as pool:
            found = list(pool.map(lambda task: _weights(*task, data), order))
        for task, weights in zip(order, found, strict=True):
            if not np.array_equal(weights, alone[task]):
                yield f"{task}: off by {np.abs(weights - alone[task]).max():.1e}."
        if blas_threads() != before:
            yield f"BLAS threads were {before} and are {blas_threads()}."


def _weights(name: str, k: int, data: list[tuple[Any, Any]]) -> Any:
    return MIXED[name]().fit(*data[k]).weights_
