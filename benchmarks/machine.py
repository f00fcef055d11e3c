"""What measurements were made with."""

import datetime
import platform
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
        f"Python {platform.python_version()}, hitmiss {hitmiss.__version__}, "
        f"numpy {numpy.__version__}, scipy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, numba {numba.__version__}.\n"
    )


def cpu():
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()
