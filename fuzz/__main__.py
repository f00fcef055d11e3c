"""``python -m fuzz``: every target for a set time, each in a process of its own."""

import argparse
import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz import ceilings, threads
from fuzz.handling import interrupt_findings, kill_findings
from fuzz.targets import TARGETS, findings

GRACE = 120  # seconds beyond its time after which a target counts as hanging


def _read(name: str, seconds: float, seed: int, folder: Path) -> list[str]:
    *found, n_tried = findings(name, seconds, seed, folder)
    print(f"{name}: {n_tried:,} files, {len(found)} findings", flush=True)
    return [str(sentence) for sentence in found]


def _ceilings() -> list[str]:
    cells = list(ceilings.cells())
    print(f"ceilings: {len(cells)} fits", flush=True)
    return [str(cell) for cell in cells if cell.exceeded]


def main() -> int:
    """Run the targets that are asked for; the exit code says whether something was found."""
    handling: dict[str, Callable[[], list[str]]] = {
        "threads": lambda: list(threads.differences(1000)),
        "interrupts": lambda: list(interrupt_findings(200)),
        "kills": lambda: list(kill_findings(100)),
        "ceilings": _ceilings,
    }
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each kind of file")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations")
    parser.add_argument("names", nargs="*", help=f"of {', '.join([*TARGETS, *handling])}")
    given = parser.parse_args()
    wrong = []
    for name in given.names or [*TARGETS, *handling]:
        with tempfile.TemporaryDirectory() as folder:
            if name in TARGETS:
                limit: float | None = given.seconds + GRACE
                arguments: Any = (name, given.seconds, given.seed, Path(folder))
                wrong += in_a_process(_read, arguments, limit, name, Path(folder))
            else:
                found = handling[name]()
                print(f"{name}: {len(found)} findings", flush=True)
                wrong += found
    print("\n".join(wrong))
    return 1 if wrong else 0


def in_a_process(
    work: Callable[..., list[str]], arguments: Any, limit: float, name: str, folder: Path
) -> list[str]:
    """What the work finds, or that it died or hung, with the file that did it kept."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        try:
            return pool.apply_async(work, arguments).get(limit)
        except multiprocessing.TimeoutError:
            kept = [
                path.rename(Path(tempfile.gettempdir(), f"fuzz-{path.name}"))
                for path in folder.iterdir()
            ]
            return [f"{name}: the process died or hung; see {', '.join(map(str, kept))}."]


if __name__ == "__main__":
    sys.exit(main())
