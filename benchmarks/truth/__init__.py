"""False discoveries and power of FDRSelector, beside its peers, where the truth is known."""

import tempfile
from pathlib import Path

from benchmarks.timing import row


def run(quick=False):
    """All rows, after whatever was missing; `quick` means small data that are kept nowhere."""
    from benchmarks.truth import requirements
    from benchmarks.truth.__main__ import finished
    from benchmarks.truth.store import RESULTS

    with tempfile.TemporaryDirectory() as folder:
        evidence = finished(Path(folder) if quick else RESULTS, quick)
    return [
        row(
            r["what"], None, required=r["required"], note=f"{r['found']}; {r['note']}", met=r["met"]
        )
        for r in requirements.rows(evidence)
    ]
