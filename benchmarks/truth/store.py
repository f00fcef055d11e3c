"""Results on disk: one JSON line per scenario, draw and method, written as soon as it is known."""

import datetime
import json
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
    return {
        "date": str(datetime.date.today()),
        "machine": cpu(),
        "commit": revision().strip(" ()"),
    }
