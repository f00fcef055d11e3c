"""``python -m benchmarks.truth``: run what is not yet stored, and write the page beside this."""

import argparse
import os
import time
from pathlib import Path

from benchmarks.truth import costs, figures, runner
from benchmarks.truth.evidence import COSTS, stored
from benchmarks.truth.methods import METHODS
from benchmarks.truth.page import page
from benchmarks.truth.scenarios import SYNTHETIC, table
from benchmarks.truth.store import RESULTS


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, two draws each")
    parser.add_argument("--hours", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", nargs="+", metavar="SCENARIO", help="scenarios that begin so")
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="default: all installed")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results are kept")
    options = parser.parse_args(arguments)
    until = time.time() + 3600 * options.hours
    evidence = finished(options.folder, options.quick, options.only, options.methods, until)
    written(evidence, options.folder.parent)


def finished(folder, quick=False, only=None, methods=None, until=float("inf")):
    """Run what is missing, and return all that is known then.

    Parameters
    ----------
    folder : Path
        Where results are kept.
    quick : bool
        Small data.
    only : list of str or None
        How names of scenarios begin; None for all.
    methods : list of str or None
        Names of methods; None for all that are installed.
    until : float
        When to stop.
    """
    here = table(quick) if "HITMISS_DATA" in os.environ or quick else SYNTHETIC
    begin = tuple(only or [""])
    chosen = {name: scenario for name, scenario in here.items() if name.startswith(begin)}
    runner.run(chosen, runner.runnable(methods or ()), folder, until)
    if not (quick or only or methods or (folder / COSTS).exists()):
        costs.measure(folder)
    return stored(folder, quick)


def written(evidence, folder):
    """Write the page and its pictures into a folder."""
    figures.draw_all(evidence, folder / "figures")
    (folder / "README.md").write_text(page(evidence), encoding="utf-8")


if __name__ == "__main__":
    main()
