"""What measurements were made with."""

import datetime
import functools
import platform
import shutil
import subprocess
from pathlib import Path

import joblib
import numba
import numpy
import scipy
import sklearn

import hitmiss


def machine():
    """Date, machine and versions."""
    return (
        f"{datetime.date.today()}, {cpu()}, {joblib.cpu_count()} cores, "
        f"Python {platform.python_version()}, hitmiss {hitmiss.__version__}{revision()}, "
        f"numpy {numpy.__version__}, scipy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, numba {numba.__version__}.\n"
    )


@functools.cache
def revision():
    """The commit of this checkout in parentheses; with a plus if the library has changed since."""
    here = Path(__file__).resolve().parents[1]
    if not shutil.which("git"):
        return ""

    def git(*command):
        return subprocess.run(["git", *command], cwd=here, capture_output=True, text=True).stdout

    commit = git("rev-parse", "--short", "HEAD").strip()
    changed = "+" if git("status", "--porcelain", "src") else ""
    return f" ({commit}{changed})" if commit else ""


def cpu():
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()
