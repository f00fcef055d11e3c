"""``python -m fuzz``: every target until its number is reached, each in a process of its own."""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz import ceilings, definitions, threads
from fuzz.handling import interrupt_findings, kill_findings
from fuzz.record import REQUIRED, Result, stored, write
from fuzz.targets import TARGETS, findings

GRACE = 900  # seconds beyond its time after which a target counts as hanging
Tried = tuple[int, list[str]]  # how much was tried, and what was found


def _files(name: str, seconds: float, seed: int, folder: Path, least: int) -> Tried:
    *found, n_tried = findings(name, seconds, seed, folder, least)
    return int(n_tried), [str(sentence) for sentence in found]


def _definitions(n: int) -> Tried:
    *found, n_tried = definitions.differences(n)
    return int(n_tried), [str(sentence) for sentence in found]


def _ceilings(n: int) -> Tried:
    cells = list(ceilings.cells())
    return len(cells), [str(cell) for cell in cells if cell.exceeded]


HANDLING: dict[str, Callable[[int], Tried]] = {
    "comparisons": _definitions,
    "threads": lambda n: (n, list(threads.differences(n))),
    # A number of each of fit and partial_fit.
    "interrupts": lambda n: (n, list(interrupt_findings(n // 2))),
    "kills": lambda n: (n, list(kill_findings(n))),
    "ceilings": _ceilings,
}


def main() -> int:
    """Run the targets that are asked for; the exit code says whether something was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each kind of file, at least")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations")
    parser.add_argument("--record", action="store_true", help="write fuzz/README.md")
    parser.add_argument("names", nargs="*", help=f"of {', '.join([*TARGETS, *HANDLING])}")
    given = parser.parse_args()
    wrong, results = [], stored()
    for name in given.names or [*TARGETS, *HANDLING]:
        began = time.monotonic()
        n_tried, found = _run(name, given.seconds, given.seed)
        print(f"{name}: {n_tried:,} tried, {len(found)} findings", flush=True)
        results[name] = Result.now(n_tried, len(found), time.monotonic() - began)
        wrong += found
        if given.record:
            write(results)
    print("\n".join(wrong))
    return 1 if wrong else 0


def _run(name: str, seconds: float, seed: int) -> Tried:
    if name in HANDLING:
        return HANDLING[name](REQUIRED[name])
    with tempfile.TemporaryDirectory() as folder:
        arguments = (name, seconds, seed, Path(folder), REQUIRED[name])
        return in_a_process(_files, arguments, seconds + GRACE, name, Path(folder))


def read_all(seconds: float, seed: int, folder: Path) -> Tried:
    """What is found in all kinds of files, each tried for some seconds."""
    tried = [_files(name, seconds, seed, folder, 0) for name in TARGETS]
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


if __name__ == "__main__":
    sys.exit(main())
