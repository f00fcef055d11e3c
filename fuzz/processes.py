"""Work in a process of its own, since a file may end the one that reads it."""

import multiprocessing
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.targets import TARGETS, findings


def read(name: str, seconds: float, seed: int, folder: Path) -> list[str]:
    """What is found in one kind of file, tried for some seconds."""
    *found, n_tried = findings(name, seconds, seed, folder)
    print(f"{name}: {n_tried:,} files, {len(found)} findings", flush=True)
    return [str(sentence) for sentence in found]


def read_all(seconds: float, seed: int, folder: Path) -> list[str]:
    """What is found in all kinds of files, each tried for some seconds."""
    return [found for name in TARGETS for found in read(name, seconds, seed, folder)]


def in_a_process(
    work: Callable[..., list[str]], arguments: Any, limit: float, name: str, folder: Path
) -> list[str]:
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
    return [f"{name}: the process died or hung; see {', '.join(map(str, kept))}."]


def _send(pipe: Any, work: Callable[..., list[str]], arguments: Any) -> None:
    pipe.send(work(*arguments))
