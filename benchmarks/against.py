"""``python -m benchmarks.against COMMIT [name ...]``: this tree and another, side by side.

A section runs in two processes at once, one for each tree, which take turns: before every run that
is timed a process waits until the other has finished its own. So both trees see the same moods of
the machine. Peers are left out. Where a process happens to have its memory changes the speed of a
kernel by up to a quarter, so every round has new processes, and a row is compared by the median of
the ratios of all rounds. Ends with an error if a row is slower by more than the limit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

LIMIT = 1.05  # ratio above which a row counts as slower
LEAST = 1e-3  # seconds below which a row says nothing
HERE = Path(__file__).parent.parent
CODE = """
import importlib, json, sys
from benchmarks import timing

ENOUGH = 30  # seconds after which a row is not timed again

plain = timing.once

def once(function):
    print("READY", flush=True)
    sys.stdin.readline()
    return plain(function)

def seconds(function, repeat=3):
    function()
    times = [once(function)]
    while len(times) < max(repeat, 5) and sum(times) < ENOUGH:
        times.append(once(function))
    return min(times)

def without_peer(what, ours, peer, theirs, *, repeat=3, **options):
    time = seconds(ours, repeat)
    return timing.row(what, time, peer, time, **options)

timing.once, timing.seconds, timing.compared = once, seconds, without_peer
section = importlib.import_module("benchmarks." + sys.argv[1])
for name, (ours, *_) in getattr(section, "METHODS", {}).items():
    section.METHODS[name] = (ours, ours, ours)  # threads of a peer would go on spinning
rows = section.run(quick=sys.argv[2] == "quick")
print("ROWS" + json.dumps([(row["what"], row["ours_s"]) for row in rows]), flush=True)
"""


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("names", nargs="+", help="sections, such as lofe")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        other = checked_out(arguments.commit, Path(folder))
        size = "quick" if arguments.quick else "full"
        slower = [
            row for name in arguments.names for row in compare(name, other, size, arguments.rounds)
        ]
    if slower:
        sys.exit("slower: " + "; ".join(slower))


def checked_out(commit, folder):
    """The tree of a commit, in a folder, where both trees are to keep their compiled code."""
    other = folder / "other"
    os.environ["NUMBA_CACHE_DIR"] = str(folder / "compiled")
    subprocess.run(["git", "clone", "-q", "--shared", str(HERE), str(other)], check=True)
    subprocess.run(["git", "checkout", "-q", commit], cwd=other, check=True)
    return other


def compare(name, other, size, rounds):
    """Print a table of one section; the rows that are slower here."""
    times = {}
    for k in range(rounds):
        trees = (HERE, other) if k % 2 else (other, HERE)
        for tree, rows in zip(trees, in_turn(name, trees, size), strict=True):
            for what, seconds in rows:
                if seconds is not None:
                    times.setdefault(what, {}).setdefault(tree, []).append(seconds)
    print(
        f"## {name}\n\n| what | here, s | there, s | ratio | of the rounds |\n|---|---|---|---|---|"
    )
    slower = []
    for what, found in times.items():
        here, there = (found.get(tree, [float("nan")] * rounds) for tree in (HERE, other))
        ratios = sorted(ours / theirs for ours, theirs in zip(here, there, strict=True))
        ratio, all_of_them = median(ratios), " ".join(f"{one:.3f}" for one in ratios)
        print(f"| {what} | {min(here):.3g} | {min(there):.3g} | {ratio:.3f} | {all_of_them} |")
        if not ratio <= LIMIT and not min(here) < LEAST:  # also where one of them has no such row
            slower.append(f"{what} ({ratio:.2f})")
    return slower


def in_turn(name, trees, size):
    """What and seconds of every row, for each of the trees; only one of them works at a time."""
    return taking_turns([partial(started, name, tree, size) for tree in trees])


def taking_turns(starts):
    """Rows of each of the processes that are started so; only one of them works at a time."""
    running, rows = [], []
    for start in starts:
        running.append(start())
        rows.append(until_ready(running[-1]))
    while None in rows:
        for k, process in enumerate(running):
            if rows[k] is None:
                rows[k] = after_its_turn(process)
    for process in running:
        process.communicate()
    return rows


def started(name, tree, size):
    """A process that runs the section of a tree and stops before every run that is timed."""
    return code_in(tree, CODE, name, size)


def code_in(tree, code, *arguments):
    """A process that runs code with the library of a tree."""
    variables = os.environ | {"PYTHONPATH": str(tree / "src")}
    command, pipe = [sys.executable, "-c", code, *arguments], subprocess.PIPE
    return subprocess.Popen(command, cwd=tree, env=variables, stdin=pipe, stdout=pipe, text=True)


def after_its_turn(process):
    """Let a process that waits go on to its next timed run."""
    process.stdin.write("go\n")
    process.stdin.flush()
    return until_ready(process)


def until_ready(process):
    """Wait until a process waits for its turn; its rows once it has come to the end."""
    for line in process.stdout:
        if line.startswith("READY"):
            return None
        if line.startswith("ROWS"):
            return json.loads(line.removeprefix("ROWS"))
    sys.exit("A section ended before its rows; its own words are above.")


if __name__ == "__main__":
    main()
