"""``python -m tests.machines.record``: record weights and answers of the library that is imported.

To be run after a change that is meant to change them; otherwise they are those of other machines.
"""

import json
import os
import tempfile
from pathlib import Path

import numpy as np

from tests.machines import answers, cases

HERE = Path(__file__).parent
WEIGHTS, ANSWERS = HERE / "weights.npz", HERE / "answers.json"


def record_weights():
    """The telling weights of every fit."""
    data, found = cases.data_sets(), {}
    for name, place in cases.pairs():
        w = cases.weights(name, data[place])
        some = cases.telling(w)
        found[f"{name} on {place}"] = np.array([some, w[some]])
    np.savez_compressed(WEIGHTS, **found)


def record_answers(data_home):
    """What is said of the real sets in `data_home`."""
    with tempfile.TemporaryDirectory() as folder:
        found = {
            f"{name} {dtype}": answers.answer(data_home, name, dtype, Path(folder))
            for name in answers.SETS
            for dtype in answers.DTYPES
        }
    ANSWERS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record_weights()
    record_answers(Path(os.environ["HITMISS_DATA"]))
