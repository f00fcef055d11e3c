"""Bladder cancer in five batches, of Debian's package r-bioc-bladderbatch.

It is downloaded and unpacked, not installed, and kept in the cache of the user.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

PACKAGE = "r-bioc-bladderbatch"
DATA = "usr/lib/R/site-library/bladderbatch/data/bladderdata.rda"
DIGEST = "f53a2f19116f03c2f2c3b71bb8a8803c760116bea73cfb2abaa83b56bf22fd3e"  # SHA-256, of 1.36.0-1
TOOLS = {"Rscript": "r-base-core", "apt-get": "apt", "dpkg-deb": "dpkg"}
READ = """given <- commandArgs(TRUE)
load(given[1])
about <- attr(attr(bladderEset, "phenoData"), "data")
writeLines(paste(about$cancer, about$batch), given[2])
writeBin(as.vector(attr(bladderEset, "assayData")$exprs), given[3], size = 4)
"""  # of an ExpressionSet, whose own package is not needed to look inside


class Bladder(NamedTuple):
    """Expression of all genes (samples x genes), what a sample is of, and its batch."""

    X: np.ndarray
    kind: np.ndarray
    batch: np.ndarray


def load():
    """The data, which `obstacle` has fetched."""
    with np.load(cache()) as file:
        return Bladder(file["X"], file["kind"], file["batch"])


def obstacle():
    """Why the data cannot be had here; empty once they are in the cache."""
    if cache().exists():
        return ""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        packages = ", ".join(TOOLS[tool] for tool in missing)
        return f"{', '.join(missing)} not found (Debian: {packages})"
    try:
        fetch()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"{PACKAGE} could not be downloaded or read ({in_a_line(error)})"
    return ""


def in_a_line(error):
    """The last thing that a program said, or the error itself."""
    said = (getattr(error, "stderr", None) or b"").decode(errors="replace").split("\n")
    lines = [line.strip() for line in said if line.strip()]
    return f"{error.cmd[0]}: {lines[-1]}" if lines else str(error)


def cache():
    """Where the data are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "hitmiss" / "bladderbatch.npz"


def fetch():
    """Download the package, read it with R, and keep what it holds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        quick = ["-o", "Acquire::http::Timeout=10", "-o", "Acquire::Retries=0"]
        _run(folder, "apt-get", "-q", *quick, "download", PACKAGE)
        _run(folder, "dpkg-deb", "-x", *(path.name for path in folder.glob("*.deb")), ".")
        if hashlib.sha256((folder / DATA).read_bytes()).hexdigest() != DIGEST:
            raise ValueError("its data are not those of version 1.36.0-1")
        _run(folder, "Rscript", "--vanilla", "-e", READ, DATA, "about.txt", "values.bin")
        keep(folder / "about.txt", folder / "values.bin")


def keep(about, values):
    """Write what R has read into the cache, whole or not at all.

    Parameters
    ----------
    about : Path
        Of every sample a line, what it is of and its batch.
    values : Path
        Single precision, sample after sample.
    """
    kind, batch = np.loadtxt(about, dtype=str, unpack=True)
    X = np.fromfile(values, np.float32).reshape(len(kind), -1)
    path = cache()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        np.savez(beside, X=X, kind=kind, batch=batch.astype(int))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _run(folder, *command):
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
