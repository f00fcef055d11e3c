"""False discoveries and power of FDRSelector, beside its peers, where the truth is known."""

import tempfile
from pathlib import Path

from benchmarks.timing import row


def run(quick=False):
    """All rows, after whatever was missing; `quick` means small data that are kept nowhere."""
    from benchmarks.truth.__main__ import finished, written
    from benchmarks.truth.store import RESULTS

    if quick:
        with tempfile.TemporaryDirectory() as folder:
            return timed_rows(finished(Path(folder), quick=True))
    evidence = finished(RESULTS)
    written(evidence, RESULTS.parent)
    return timed_rows(evidence)


def stored_with():
    """What the stored draws were made with."""
    from benchmarks.truth.store import RESULTS, of_all, sentence

    return sentence(of_all(RESULTS))


def timed_rows(evidence):
    """The requirements as rows of the page of all benchmarks; undecided while draws are missing."""
    from benchmarks.truth.requirements import rows

    return [
        row(
            found["what"],
            None,
            required=found["required"],
            note=f"{found['found']}; {found['note']}",
            met=found["met"] if found["complete"] else None,
        )
        for found in rows(evidence)
    ]
