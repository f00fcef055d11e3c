"""What ``hitmiss select`` says of ten real data sets: list, q-values, stability and verdict."""

import json
import warnings

import numpy as np
from typer.testing import CliRunner

from hitmiss.cli.app import app

# The ten smallest sets, most of them with equal values, equal rows or equal distances.
SETS = (
    *("ida_flare_solar", "ida_thyroid", "ida_breast_cancer", "ida_heart", "ida_diabetis"),
    *("uci_yeast", "ida_german", "ida_splice", "uci_segmentation", "lymphoma_discrete"),
)
DTYPES = ("float32", "float64")
N_SAMPLES = 200  # of each set: a few seconds
KEPT = ("verdict", "selected", "loo_error", "cross_validation", "permutation_test", "stability")


def answer(data_home, name, dtype, folder):
    """What is said of some samples of a set.

    Parameters
    ----------
    data_home : Path
        The folder of the sets.
    name : str
        Which one.
    dtype : str
        Of X.
    folder : Path
        For the file that is read.
    """
    with np.load(data_home / f"{name}.npz") as stored:
        X, y = stored["X"].astype(dtype), stored["y"]
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:N_SAMPLES])
    np.savez(folder / "data.npz", X=X[rows], y=y[rows])
    words = ["select", str(folder / "data.npz"), "--target", "y", "--json", "--quiet"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = CliRunner().invoke(app, [*words, "--thorough", "--stability", "4"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    return {key: said[key] for key in KEPT}
