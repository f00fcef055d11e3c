"""From a file to a report with one command."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from benchmarks.timing import row, seconds
from hitmiss import datasets


def run(quick=False):
    """All rows; `quick` leaves out what takes minutes."""
    rows = [from_file("csv", 100, 20_000, repeat=3, required="under 10 s")]
    if not quick:
        rows.append(from_file("parquet", 1_000, 100_000, repeat=1, required="a report"))
    return rows


def from_file(kind, n_samples, n_features, repeat, required):
    """``hitmiss select --quick`` in a process of its own, warm: reading, fit, report and all."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, f"table.{kind}"), Path(folder, "out")
        write(path, n_samples, n_features)
        command = [sys.executable, "-m", "hitmiss", "select", "--quick", path]
        options = ["--target", "class", "--out", out, "--quiet"]
        time = seconds(lambda: call([*command, *options]), repeat)
        size, report = path.stat().st_size / 1e6, (out / "report.html").stat().st_size / 1e6
    note = f"file of {size:.0f} MB, report of {report:.2f} MB"
    what = f"hitmiss select, {kind} of {n_samples:,} x {n_features:,}"
    result = row(what, time, required=required, note=note)
    result["met"] = result["met"] is not False
    return result


def write(path, n_samples, n_features):
    data = datasets.make_twonorm(n_samples, n_irrelevant=n_features - 20, random_state=0)
    table = pd.DataFrame(data.data.astype("float32").round(4))
    table.columns = [f"gene{j}" for j in table.columns]
    table.insert(0, "class", data.target)
    table.to_csv(path, index=False) if path.suffix == ".csv" else table.to_parquet(path)


def call(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
