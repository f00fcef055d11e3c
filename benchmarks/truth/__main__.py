"""``python -m benchmarks.truth``: run what is not yet stored, and write the page beside this."""

import argparse
import time
from pathlib import Path

from benchmarks.truth import runner
from benchmarks.truth.methods import METHODS
from benchmarks.truth.scenarios import table
from benchmarks.truth.store import RESULTS


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, two draws each")
    parser.add_argument("--hours", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", nargs="+", metavar="SCENARIO", help="scenarios that begin so")
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="default: all installed")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results are kept")
    options = parser.parse_args(arguments)
    scenarios = table(options.quick)
    if options.only:
        begin = tuple(options.only)
        scenarios = {n: s for n, s in scenarios.items() if n.startswith(begin)}
    until = time.time() + 3600 * options.hours
    runner.run(scenarios, runner.runnable(options.methods), options.folder, until)


if __name__ == "__main__":
    main()
