"""Results on disk: one JSON line per scenario, draw and method, written as soon as it is known."""

import datetime
import json
from collections import Counter
from pathlib import Path

from benchmarks.machine import cpu, revision

RESULTS = Path(__file__).parent / "results"


class Store:
    """Records of one method, in a file of its own, so that several may run at a time.

    Parameters
    ----------
    method : str
        Its name, which is that of the file.
    folder : Path
        Where the file is; it need not exist.
    """

    def __init__(self, method, folder=RESULTS):
        self.path = Path(folder) / f"{method}.jsonl"
        self.records = {}
        if self.path.exists():
            lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
            whole = [line for line in lines if line.endswith("\n")]  # the last may be cut off
            if whole != lines:
                self.path.write_text("".join(whole), encoding="utf-8")
            for record in map(json.loads, whole):
                self.records[record["scenario"], record["draw"]] = record

    def __contains__(self, key):
        return key in self.records

    def add(self, scenario, draw, **found):
        """Append a record, with the date, the machine and the commit it was made with."""
        record = {"scenario": scenario, "draw": draw, **found, **made_with()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        self.records[scenario, draw] = record


def made_with():
    """What every record says of its making."""
    return {
        "date": str(datetime.date.today()),
        "machine": cpu(),
        "commit": revision().strip(" ()"),
    }


def named(machine):
    """The machine of a record: those of early ones are names that several processors share."""
    return machine if "(" in machine else f"{machine} (model not recorded)"


def stamps(records):
    """(date, machine, commit) of records, each once, in the order of time."""
    return sorted({(r["date"], named(r["machine"]), r["commit"]) for r in records})


def of_all(folder):
    """The records of all methods in a folder."""
    methods = sorted(path.stem for path in folder.glob("*.jsonl"))
    return [record for m in methods for record in Store(m, folder).records.values()]


def sentence(records):
    """Every machine that records were made on, with dates and commits."""
    machines = {}
    for date, machine, commit in stamps(records):
        dates, commits = machines.setdefault(machine, ({}, {}))
        dates[date] = commits[commit] = None
    each = "; ".join(
        f"{machine}, {', '.join(dates)} ({', '.join(commits)})"
        for machine, (dates, commits) in machines.items()
    )
    return f"Stored results were made with: {each}.\n" if each else ""


def timed_on(records):
    """The machine whose times are shown: that of most records; None without any.

    Times of two machines have no mean, while what is right or wrong is the same on all.
    """
    counts = Counter(r["machine"] for r in records)
    return max(counts, key=counts.get, default=None)
