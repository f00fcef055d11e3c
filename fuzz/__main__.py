"""``python -m fuzz``: every target until its number is reached, each in a process of its own."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fuzz import ceilings, definitions, threads
from fuzz.handling import interrupt_findings, kill_findings
from fuzz.processes import Tried, in_a_process, read
from fuzz.record import REQUIRED, Result, stored, write
from fuzz.targets import TARGETS

GRACE = 900  # seconds beyond its time after which a target counts as hanging


def _definitions(n: int) -> Tried:
    *found, n_tried = definitions.differences(n)
    return int(n_tried), [str(sentence) for sentence in found]


def _ceilings(n: int) -> Tried:
    cells = list(ceilings.cells())
    return len(cells), [str(cell) for cell in cells if cell.exceeded]


HANDLING: dict[str, Callable[[int], Tried]] = {
    "comparisons": _definitions,
    "threads": lambda n: (n, list(threads.differences(n))),
    # Half of them in fit, half in partial_fit.
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
        return in_a_process(read, arguments, seconds + GRACE, name, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
