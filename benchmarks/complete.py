"""Data without gaps: fits beside those of the library before it took gaps and categories.

In CPU time, since other programs change the time on the clock by more than the 3 % in question.
"""

import os
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from unittest import mock

from benchmarks.against import HERE, checked_out, code_in, taking_turns
from benchmarks.timing import row

BEFORE = "6041873^"  # the last commit without missing and nominal values
ROUNDS = 5  # of new processes, since where a process has its memory changes its speed
CODE = """
import json, sys, time
import numpy as np
from hitmiss import FREL, LOFE, IRelief, ReliefF, datasets

spiral = datasets.make_spiral(n_irrelevant=2000, dtype=np.float32, random_state=0)
waveform = datasets.make_waveform(400, n_irrelevant=4000, dtype=np.float32, random_state=0)
models = {
    "LOFE(2.0, 1.0), spiral + 2,000": (LOFE(2.0, 1.0), spiral),
    "ReliefF, waveform + 4,000": (ReliefF(), waveform),
    "IRelief(2.0), waveform + 4,000": (IRelief(2.0), waveform),
    "FREL, waveform + 4,000": (FREL(), waveform),
}
next(iter(models.values()))[0].order = "weight"  # which the library had no name for then
best = dict.fromkeys(models, np.inf)
for model, data in models.values():
    model.fit(data.data, data.target)
for _ in range(int(sys.argv[1])):
    for what, (model, data) in models.items():
        print("READY", flush=True)
        sys.stdin.readline()
        began = time.process_time()
        model.fit(data.data, data.target)
        best[what] = min(best[what], time.process_time() - began)
print("ROWS" + json.dumps(list(best.items())), flush=True)
"""


def run(quick=False):
    """A row per method; none where the history is not at hand."""
    if not has_history():
        return []
    rounds, n_fits = (1, 3) if quick else (ROUNDS, 12)
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
        other = checked_out(BEFORE, Path(folder))
        trees = [HERE, other]
        starts = [partial(code_in, tree, CODE, str(n_fits)) for tree in trees]
        found = [_round(starts, backward=k % 2) for k in range(rounds)]
    return [_row(what, found) for what in found[0][0]]


def _round(starts, *, backward):
    """Seconds by method, here and before."""
    rows = taking_turns(starts[::-1] if backward else starts)
    return [dict(times) for times in (rows[::-1] if backward else rows)]


def _row(what, found):
    """Best times; the ratio is the median of those of the rounds."""
    here, before = ([one[k][what] for one in found] for k in (0, 1))
    ratios = sorted(ours / theirs for ours, theirs in zip(here, before, strict=True))
    return {
        **row(what, min(here), "before gaps were taken", min(before)),
        "ratio": median(ratios),
        "required": "at most 1.03",
        "met": median(ratios) <= 1.03,
        "note": f"CPU time, median of the rounds {' '.join(f'{one:.3f}' for one in ratios)}",
    }


def has_history():
    """Whether the commit before is known here."""
    command = ["git", "cat-file", "-e", f"{BEFORE}^{{commit}}"]
    found = shutil.which("git") and subprocess.run(command, cwd=HERE, capture_output=True)
    return bool(found) and found.returncode == 0
