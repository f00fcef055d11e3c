"""``python -m benchmarks.quality``: run what is not yet stored, and write the page beside this."""

import argparse
import time
from pathlib import Path

from benchmarks.quality import own, runner, tuned
from benchmarks.quality.measures import stored
from benchmarks.quality.methods import METHODS
from benchmarks.quality.page import made_with, page
from benchmarks.quality.sets import SETS
from benchmarks.stale import marked

RESULTS = Path(__file__).parent / "results"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--hours", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--repeats", type=int, default=runner.REPEATS, help="of each set")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="default: all installed")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results are kept")
    parser.add_argument("--own", action="store_true", help="only the predictions of fits, no lists")
    options = parser.parse_args(arguments)
    until = time.time() + 3600 * options.hours
    own.run(options.folder, options.sets, options.repeats, until)
    if not options.own:
        runner.run(options.folder, options.sets, options.methods, options.repeats, until)
    written(options.folder)


def written(folder):
    """Write the page beside the results, and return what these say."""
    evidence = stored(folder)
    parts = [page(evidence), *tuned.page(folder), *made_with(folder)]
    text = marked("\n".join(parts).rstrip() + "\n", "quality/README.md")
    (Path(folder).parent / "README.md").write_text(text, encoding="utf-8")
    return evidence


if __name__ == "__main__":
    main()
