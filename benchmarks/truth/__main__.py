"""``python -m benchmarks.truth``: run what is not yet stored, and write the page beside this."""

import argparse
import os
import time
from pathlib import Path

from benchmarks.stale import marked
from benchmarks.truth import check, costs, figures, runner
from benchmarks.truth.evidence import COSTS, stored
from benchmarks.truth.methods import ATTRIBUTABLE, METHODS, OURS
from benchmarks.truth.page import page
from benchmarks.truth.scenarios import SYNTHETIC, table
from benchmarks.truth.store import RESULTS


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, two draws each")
    parser.add_argument("--hours", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--only", nargs="+", metavar="SCENARIO", help="scenarios that begin so")
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="default: all installed")
    parser.add_argument(
        "--check",
        type=int,
        metavar="N",
        help="run N stored draws of each again, and compare what they select",
    )
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results are kept")
    options = parser.parse_args(arguments)
    until = time.time() + 3600 * options.hours
    if options.check is None:
        evidence = finished(options.folder, options.quick, options.only, options.methods, until)
    else:
        methods = options.methods or [OURS, ATTRIBUTABLE]
        check.run_again(
            chosen(options.quick, options.only), methods, options.folder, options.check, until
        )
        evidence = stored(options.folder, options.quick)
    written(evidence, options.folder.parent)


def chosen(quick=False, only=None):
    """The scenarios that can be run here and whose names begin as one of `only`."""
    here = table(quick) if "HITMISS_DATA" in os.environ or quick else SYNTHETIC
    begin = tuple(only or [""])
    return {name: scenario for name, scenario in here.items() if name.startswith(begin)}


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
    runner.run(chosen(quick, only), runner.runnable(methods or ()), folder, until)
    if not (quick or only or methods or (folder / COSTS).exists()):
        costs.measure(folder)
    return stored(folder, quick)


def written(evidence, folder):
    """Write the page and its pictures into a folder."""
    figures.draw_all(evidence, folder / "figures")
    text = marked(page(evidence), "truth/README.md")
    (folder / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
