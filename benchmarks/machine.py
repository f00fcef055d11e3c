"""What measurements were made with."""

import datetime
import functools
import platform
import re
import shutil
import subprocess
from pathlib import Path

import joblib
import numba
import numpy
import scipy
import sklearn
from llvmlite.binding import get_host_cpu_name

import hitmiss

ROOT = Path(__file__).resolve().parents[1]
# Names in /proc/cpuinfo of what identifies a processor: of x86, then of ARM, which has no name.
NUMBERS = {
    "cpu family": "family",
    "model": "model",
    "stepping": "stepping",
    "CPU implementer": "implementer",
    "CPU part": "part",
    "CPU revision": "revision",
}
# Flag -> vector unit, the widest first: it decides how fast a kernel is.
VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "sve": "SVE", "asimd": "NEON"}


def machine():
    """Date, machine and versions."""
    return (
        f"{datetime.date.today()}, {cpu()}, "
        f"Python {platform.python_version()}, hitmiss {hitmiss.__version__}{revision()}, "
        f"numpy {numpy.__version__}, scipy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, numba {numba.__version__}.\n"
    )


@functools.cache
def revision():
    """The commit of this checkout in parentheses; with a plus if the library has changed since."""
    commit = git("rev-parse", "--short", "HEAD")
    changed = "+" if git("status", "--porcelain", "src") else ""
    return f" ({commit}{changed})" if commit else ""


def git(*command, folder=ROOT):
    """What git prints; nothing where it fails or is not installed."""
    if not shutil.which("git"):
        return ""
    command = ["git", *command]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout.strip()


@functools.cache
def cpu():
    """The processor of this machine, and how many cores there are."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.exists() else ""
    name = platform.processor() or platform.machine()
    return described(text, get_host_cpu_name(), joblib.cpu_count(), name)


def described(info, microarchitecture, n_cores, name):
    """A processor in one line that tells it apart where a virtual machine hides its name.

    Parameters
    ----------
    info : str
        The text of /proc/cpuinfo; empty where there is none.
    microarchitecture : str
        What LLVM, which compiles the kernels, takes the processor for. It trusts the numbers that
        a virtual machine shows, so these are given as well.
    n_cores : int
        As many as may be used.
    name : str
        Its name, if `info` has none.

    Examples
    --------
    >>> described("model name : AMD EPYC\\nmodel : 17\\nflags : avx avx2", "znver4", 2, "x86_64")
    'AMD EPYC (znver4, model 17, AVX2), 2 cores'
    """
    first = info.strip().partition("\n\n")[0]  # all processors of a machine are taken to be alike
    facts = dict(map(str.strip, line.split(":", 1)) for line in first.splitlines() if ":" in line)
    # "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz" is "Intel Xeon Platinum 8481C".
    name = re.sub(r"\((R|TM)\)| CPU\b| Processor\b|@.*", "", facts.get("model name", name)).strip()
    numbers = " ".join(f"{word} {facts[key]}" for key, word in NUMBERS.items() if key in facts)
    flags = set(facts.get("flags", facts.get("Features", "")).split())
    widest = next((unit for flag, unit in VECTORS.items() if flag in flags), "")
    parts = ", ".join(filter(None, (microarchitecture, numbers, widest)))
    return f"{name} ({parts}), {n_cores} core{'s' * (n_cores != 1)}"
