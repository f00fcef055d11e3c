"""``python -m fuzz``: every target for a set time, each in a process of its own."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz import ceilings, threads
from fuzz.handling import interrupt_findings, kill_findings
from fuzz.processes import in_a_process, read
from fuzz.targets import TARGETS

GRACE = 120  # seconds beyond its time after which a target counts as hanging


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
                wrong += in_a_process(read, arguments, limit, name, Path(folder))
            else:
                found = handling[name]()
                print(f"{name}: {len(found)} findings", flush=True)
                wrong += found
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
