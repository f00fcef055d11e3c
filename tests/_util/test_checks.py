import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import LOFE, ReliefF
from hitmiss._util.checks import (
    as_bytes,
    check_choice,
    check_count,
    check_float_dtype,
    check_nonnegative,
    check_positive,
    check_positive_or,
    check_weights,
)
from tests.data.random_data import random_data


def test_counts_are_returned_as_int():
    assert type(check_count("n", np.int8(3))) is int
    assert check_count("n", 0, 0) == 0
    assert [check_count("n", k, 2, 20) for k in (2, 20)] == [2, 20]


@pytest.mark.parametrize("value", [0, -1, 2.0, True, np.True_, "3", None])
def test_a_count_is_a_whole_number_of_at_least_one(value):
    with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1; got .*\.$"):
        check_count("n", value)


@pytest.mark.parametrize("value", [1, 21])
def test_a_count_out_of_bounds_names_both(value):
    with pytest.raises(ValueError, match=f"n must be a whole number from 2 to 20; got {value}"):
        check_count("n", value, 2, 20)


def test_positive_numbers_are_returned_as_float():
    assert type(check_positive("a", np.float32(0.5))) is float
    assert check_positive("a", np.inf, largest=np.inf) == np.inf


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, True, "1", 1j])
def test_what_is_no_positive_number_is_refused(value):
    with pytest.raises(ValueError, match=r"^a must be a positive number; got .*\.$"):
        check_positive("a", value)
    if not isinstance(value, str):
        with pytest.raises(ValueError, match=r"^a must be a positive number; got .*\.$"):
            check_positive_or("a", value, ("auto",))


def test_words_in_place_of_a_number():
    assert check_positive_or("a", "auto", ("auto", "bound")) == "auto"
    assert check_positive_or("a", 2, ("auto",)) == 2
    with pytest.raises(ValueError, match="a must be a positive number, 'auto' or 'bound'; got 'x'"):
        check_positive_or("a", "x", ("auto", "bound"))


def test_zero_is_not_negative():
    assert check_nonnegative("noise", 0) == 0
    for value in (-0.1, np.nan, np.inf, True, "low"):
        with pytest.raises(ValueError, match="noise must be a finite number of at least 0; got"):
            check_nonnegative("noise", value)


def test_a_weight_for_every_feature():
    assert check_weights("init", [0, 2], 2).tolist() == [0.0, 2.0]
    for value in ([1.0], [[1.0, 1.0]], [1.0, -1.0], [np.inf, 1.0], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="init must hold 2 finite weights of at least 0, one"):
            check_weights("init", value, 2)


def test_choices_are_listed():
    assert check_choice("scale", None, ("range", None)) is None
    for value in ("rank", 0, ["range"], np.array(["range"])):
        with pytest.raises(ValueError, match="scale must be one of 'range', None; got"):
            check_choice("scale", value, ("range", None))


def test_dtypes_of_single_and_double_precision():
    assert check_float_dtype("dtype", float) == check_float_dtype("dtype", "float64") == np.float64
    for value in ("int64", "flout", complex, 7):
        with pytest.raises(ValueError, match="dtype must be float32 or float64; got"):
            check_float_dtype("dtype", value)


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
