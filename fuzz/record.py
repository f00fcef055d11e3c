"""What was tried, when, with which version, and what was found: the page beside this."""

import json
import platform
import subprocess
from datetime import date
from pathlib import Path
from typing import NamedTuple

from fuzz import seeds
from hitmiss import __version__

FOLDER = Path(__file__).parent
PAGE, RESULTS = FOLDER / "README.md", FOLDER / "results.json"

# Name of a target -> how much it has to try, at least.
REQUIRED = {
    **dict.fromkeys((*seeds.TABLES, *seeds.PARTS), 50),
    "model": 3000,
    "checkpoint": 500,
    "comparisons": 20_000,
    "threads": 1000,
    "interrupts": 400,
    "kills": 100,
    "ceilings": 216,
}
# Name of a target -> what it tries; the others are files of that format.
MEANING = {
    "model": "saved models, changed or hostile, that are loaded and used",
    "checkpoint": "steps of a checkpoint, changed, from which a fit goes on",
    "comparisons": "fits compared with definitions in NumPy",
    "threads": "fits in 16 threads, compared with fits alone to the bit",
    "interrupts": "Ctrl-C at a line of the library, half in `fit` and half in `partial_fit`",
    "kills": "kills of a process that writes a model",
    "ceilings": "fits under a memory limit: 6 stores, 4 estimators, 3 shapes, 3 limits",
}
HEADER = """# What was tried, and what it found

`python -m fuzz --record` runs every target until it has tried what is required and writes this
page; `python -m fuzz --record NAME` runs one of them, and the other rows stay as they are.
`make fuzz` does the same without the page. A finding is a crash, a hang, an answer that is wrong,
an error that is not one sentence, or memory above the limit.

| target | what it tries | required | tried | findings | seconds | date | commit |
|---|---|---|---|---|---|---|---|
"""


class Result(NamedTuple):
    """One run of a target."""

    tried: int
    findings: int
    seconds: float
    date: str
    commit: str
    machine: str

    @classmethod
    def now(cls, tried: int, findings: int, seconds: float) -> "Result":
        """A run that has ended just now."""
        machine = f"{platform.machine()}, Python {platform.python_version()}"
        return cls(tried, findings, round(seconds), str(date.today()), commit(), machine)


def commit() -> str:
    """The commit that runs, with a plus if files differ from it."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return found.stdout.strip()


def stored() -> dict[str, Result]:
    """The last run of every target."""
    if not RESULTS.exists():
        return {}
    return {k: Result(*v) for k, v in json.loads(RESULTS.read_text(encoding="utf-8")).items()}


def write(results: dict[str, Result]) -> None:
    """Store the results, and make the page of them."""
    known = {name: results[name] for name in REQUIRED if name in results}
    RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(known), encoding="utf-8")


def page(results: dict[str, Result]) -> str:
    """The page in Markdown; a target that has not run yet says so."""
    return HEADER + "".join(_row(name, results.get(name)) for name in REQUIRED)


def _row(name: str, result: Result | None) -> str:
    what = MEANING.get(name, f"files of this format, changed or hostile: {name}")
    head = f"| {name} | {what} | {REQUIRED[name]:,} |"
    if result is None:
        return f"{head} not run yet | | | | |\n"
    tried = f"{result.tried:,}" if result.tried >= REQUIRED[name] else f"**{result.tried:,}**"
    found = f"**{result.findings}**" if result.findings else "0"
    return f"{head} {tried} | {found} | {result.seconds:,} | {result.date} | {result.commit} |\n"
