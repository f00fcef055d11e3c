"""Work in a process of its own, since a file may end the one that reads it."""

import multiprocessing
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.targets import TARGETS, findings

Tried = tuple[int, list[str]]  # how much was tried, and what was found


def read(name: str, seconds: float, seed: int, folder: Path, least: int = 0) -> Tried:
    """What is found in one kind of file, tried for some seconds, and `least` files at least."""
    *found, n_tried = findings(name, seconds, seed, folder, least)
    return int(n_tried), [str(sentence) for sentence in found]


def read_all(least: int, seed: int, folder: Path) -> Tried:
    """What is found in all kinds of files: as many of each, or the whole corpus if that is more."""
    tried = [read(name, 0.0, seed, folder, least) for name in TARGETS]
    return sum(n for n, _ in tried), [sentence for _, found in tried for sentence in found]


def in_a_process(
    work: Callable[..., Any], arguments: Any, limit: float, name: str, folder: Path
) -> Tried:
    """What the work finds, or that it died or hung, with the file that did it kept."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, work, arguments))
    process.start()
    there.close()
    try:
        if here.poll(limit):  # true at the end of the process as well
            return here.recv()
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()
    kept = [
        path.rename(Path(tempfile.gettempdir(), f"fuzz-{path.name}")) for path in folder.iterdir()
    ]
    return 0, [f"{name}: the process died or hung; see {', '.join(map(str, kept))}."]


def _send(pipe: Any, work: Callable[..., Any], arguments: Any) -> None:
    pipe.send(work(*arguments))
