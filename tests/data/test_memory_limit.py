import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import LOFE, ReliefF
from hitmiss.data.memory_limit import as_bytes
from tests.data.random_data import random_data


def test_too_little_memory_is_refused_in_a_sentence():
    X, y = random_data(8, 4096)
    with pytest.raises(ValueError, match=r"^memory=2MB is too little for 8 samples and 4,096 "):
        LOFE(memory="2MB", alpha=1.0).fit(scipy.sparse.csr_array(X), y)


@pytest.mark.parametrize("wrong", ["", "much", "-1GB", 0, -5, True, 2.5, "0GB"])
def test_memory_that_is_no_amount_is_refused(wrong):
    X, y = random_data(8, 5)
    with pytest.raises(ValueError, match="memory must be a number of bytes or text like '2GB'"):
        ReliefF(memory=wrong).fit(X, y)


@given(st.integers(1, 10**6), st.sampled_from(["", "K", "M", "G"]), st.booleans(), st.booleans())
def test_amounts_of_memory(number, unit, binary, lower):
    text = f"{number} {unit}{'i' if binary and unit else ''}B"
    power = ["", "K", "M", "G"].index(unit)
    expected = number * (1024 if binary and unit else 1000) ** power
    assert as_bytes("memory", text.lower() if lower else text) == expected


MEASURE = """
import re, sys
import numpy as np
from hitmiss import LOFE
def held(which):
    status = open("/proc/self/status").read()
    return 1024 * int(re.search(which + r":\\s*(\\d+) kB", status)[1])
X = np.load(sys.argv[1], mmap_mode="r")
y = np.arange(len(X)) % 2
LOFE(alpha=3.0, n_jobs=1).fit(np.array(X[:, :9000]), y)
before = held("VmRSS")
LOFE(alpha=3.0, n_jobs=1, memory="80MB").fit(X, y)
print(held("VmHWM") - before, X.nbytes)
"""


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
def test_the_limit_is_kept(tmp_path):
    X = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.float32, (128, 200_000))
    rng = np.random.default_rng(0)
    for row in X:
        row[:] = rng.random(X.shape[1], np.float32)
    X[::2, :3] += 1
    X.flush()
    call = [sys.executable, "-W", "ignore", "-c", MEASURE, str(tmp_path / "X.npy")]
    out = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    used, size = map(int, out.split())
    assert used < 80_000_000 < size
