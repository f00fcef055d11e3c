"""``python -m benchmarks.against COMMIT [name ...]``: this tree and another, side by side.

Every round runs a section with the one and with the other, in turn, without the peers; a row is
compared by its best time of all rounds. Ends with an error if a row is slower by more than the
limit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.05  # ratio above which a row counts as slower
LEAST = 1e-3  # seconds below which a row says nothing
HERE = Path(__file__).parent.parent
CODE = """
import importlib, json, sys
from benchmarks import timing

def without_peer(what, ours, peer, theirs, *, repeat=3, **options):
    time = timing.seconds(ours, max(repeat, 3))
    return timing.row(what, time, peer, time, **options)

timing.compared = without_peer
rows = importlib.import_module("benchmarks." + sys.argv[1]).run(quick=sys.argv[2] == "quick")
print("ROWS" + json.dumps([(row["what"], row["ours_s"]) for row in rows]))
"""


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("names", nargs="+", help="sections, such as lofe")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder, "other")
        os.environ["NUMBA_CACHE_DIR"] = str(Path(folder, "compiled"))
        subprocess.run(["git", "clone", "-q", "--shared", str(HERE), str(other)], check=True)
        subprocess.run(["git", "checkout", "-q", arguments.commit], cwd=other, check=True)
        size = "quick" if arguments.quick else "full"
        slower = [
            row for name in arguments.names for row in compare(name, other, size, arguments.rounds)
        ]
    if slower:
        sys.exit("slower: " + "; ".join(slower))


def compare(name, other, size, rounds):
    """Print a table of one section; the rows that are slower here."""
    best = {}
    for _ in range(rounds):
        for tree in (HERE, other):
            for what, seconds in run(name, tree, size):
                if seconds is not None:
                    best[what, tree] = min(seconds, best.get((what, tree), seconds))
    print(f"## {name}\n\n| what | here, s | there, s | ratio |\n|---|---|---|---|")
    slower = []
    for what in dict.fromkeys(what for what, _ in best):
        here, there = (best.get((what, tree), float("nan")) for tree in (HERE, other))
        ratio = here / there
        print(f"| {what} | {here:.3g} | {there:.3g} | {ratio:.3f} |", flush=True)
        if not ratio <= LIMIT and not here < LEAST:  # also where one of them has no such row
            slower.append(f"{what} ({ratio:.2f})")
    return slower


def run(name, tree, size):
    """What and seconds of every row, measured in a process of its own."""
    command = [sys.executable, "-c", CODE, name, size]
    variables = os.environ | {"PYTHONPATH": str(tree / "src")}
    done = subprocess.run(
        command, cwd=tree, env=variables, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout.rpartition("ROWS")[2])


if __name__ == "__main__":
    main()
