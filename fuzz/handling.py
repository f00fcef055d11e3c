"""Rough handling: Ctrl-C at any line of a fit, and processes that are killed while they write."""

import os
import pickle
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

import hitmiss
from hitmiss import LOFE, OnlineIRelief, OnlineLOFE, ReliefF, datasets, persistence

ROOT = str(Path(hitmiss.__file__).parent)


class Lines:
    """Counts the lines of the library that this thread runs, and interrupts one of them."""

    def __init__(self, at: int | None = None):
        self.at, self.n_seen = at, 0

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(ROOT):
            return None
        if event == "line":
            self.n_seen += 1
            if self.n_seen - 1 == self.at:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self

    def __enter__(self) -> "Lines":
        sys.settrace(self)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)


def state(model: Any) -> dict[str, bytes]:
    """Everything that a model is, in a form that shares no memory."""
    return {name: pickle.dumps(value) for name, value in vars(deepcopy(model)).items()}


def interrupt_findings(n_interrupts: int) -> Iterator[str]:
    """One sentence for every interrupt of fit or partial_fit that leaves half of something."""
    X, y = datasets.make_xor(120, n_irrelevant=8, random_state=0, return_X_y=True)
    online: list[Callable[[], Any]] = [
        lambda: OnlineLOFE(alpha=0.1, reservoir=40, n_jobs=1, random_state=0),
        lambda: OnlineIRelief(memory=40, n_jobs=1, random_state=0),
    ]
    for make in online:
        fitted = make().partial_fit(X[:60], y[:60])
        yield from _half_done(fitted, "partial_fit", (X[60:66], y[60:66]), n_interrupts // 2)
    for model in (LOFE(alpha=0.1, n_jobs=1), ReliefF(n_jobs=1)):
        fitted = model.fit(X[:, ::-1], y)
        yield from _half_done(fitted, "fit", (X, y), n_interrupts // 2)


def _half_done(fitted: Any, method: str, data: tuple[Any, Any], n: int) -> Iterator[str]:
    before = state(fitted)
    with Lines() as count:
        after = state(getattr(deepcopy(fitted), method)(*data))
    for at in np.linspace(0, count.n_seen - 1, n).astype(int).tolist():
        tried = deepcopy(fitted)
        try:
            with Lines(at):
                getattr(tried, method)(*data)
        except KeyboardInterrupt:
            pass
        if hasattr(tried, "_memory"):
            tried._memory.commit()
        if state(tried) not in (before, after):
            yield f"{type(fitted).__name__}.{method}, line {at}: half of it was done."
        elif state(getattr(tried, method)(*data)) != after and state(tried) == before:
            yield f"{type(fitted).__name__}.{method}, line {at}: another answer afterwards."


def kill_findings(n_kills: int) -> Iterator[str]:
    """One sentence for every process killed while it wrote a model that left half of it."""
    X, y = datasets.make_xor(200, n_irrelevant=500, random_state=0, return_X_y=True)
    model, rng = OnlineIRelief(random_state=0).partial_fit(X, y), random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.npz")
        persistence.save(model, path)
        for k in range(n_kills):
            child = os.fork()
            if not child:
                while True:
                    persistence.save(model, path)
            time.sleep(rng.random() * 0.1)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if not np.array_equal(persistence.load(path).weights_, model.weights_):
                yield f"kill {k}: another model."
            for part in Path(folder).glob(".*.part"):
                part.unlink()
