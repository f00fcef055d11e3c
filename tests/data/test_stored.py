import subprocess
import sys
import threading

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse
import zarr
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import FREL, LOFE, ReliefF
from hitmiss._util.workers import Workers
from hitmiss.data.memory_limit import as_bytes
from hitmiss.data.sources import Source, as_source
from hitmiss.data.stored import Stored


class Watched(Source):
    """A source that remembers what was read, and in which thread."""

    def __init__(self, X):
        super().__init__(X.shape, X.dtype)
        self.X, self.reads, self.done = X, [], threading.Semaphore(0)

    def _span(self, start, stop):
        self.reads.append((start, stop, threading.current_thread()))
        self.done.release()
        return self.X[:, start:stop].copy()


def random_data(n_samples, n_features, seed=0):
    X = np.random.default_rng(seed).standard_normal((n_samples, n_features), np.float32)
    return X, np.arange(n_samples) % 2


def test_the_next_window_is_read_while_this_one_is_worked_on():
    source = Watched(random_data(8, 4096)[0])
    stored = Stored(source, Workers(1))
    stored._window = 1
    runs = stored._windows(stored._places(None), "")
    next(runs)
    assert source.done.acquire(timeout=10)
    assert source.done.acquire(timeout=10)  # the second, though only the first was asked for
    assert [read[:2] for read in source.reads] == [(0, 1024), (1024, 2048)]
    assert threading.current_thread() not in {thread for *_, thread in source.reads}
    runs.close()


def test_no_more_than_two_windows_are_read_ahead_of_the_work():
    source = Watched(random_data(8, 10_240)[0])
    stored = Stored(source, Workers(1))
    stored._window = 1
    for done, _ in enumerate(stored._windows(stored._places(None), "")):
        assert len(source.reads) <= done + 2


def test_an_error_while_reading_reaches_the_caller():
    class Broken(Watched):
        def _span(self, start, stop):
            if stop > 2048:
                raise OSError("the disk is gone")
            return super()._span(start, stop)

    X, y = random_data(8, 4096)
    source = Broken(X)
    lofe = LOFE(memory="20MB")
    with pytest.raises(OSError, match="the disk is gone"):
        lofe.fit(source, y)
    assert not hasattr(lofe, "weights_")


def test_features_that_are_needed_again_are_not_read_again():
    source = Watched(random_data(8, 4096)[0])
    stored = Stored(source, Workers(1))
    index = np.arange(0, 4096, 100)
    first, n_reads = stored.columns(index).X, len(source.reads)
    np.testing.assert_array_equal(stored.columns(index[::-1]).X, first[:, ::-1])
    assert len(source.reads) == n_reads


def test_too_little_memory_is_refused_in_a_sentence():
    X, y = random_data(8, 4096)
    with pytest.raises(ValueError, match=r"^memory=2MB is too little for 8 samples and 4,096 "):
        LOFE(memory="2MB").fit(scipy.sparse.csr_array(X), y)


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


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_not_finite_is_found_with_its_place(bad, tmp_path):
    X, y = random_data(8, 3000)
    X[5, 2100] = bad
    for data in (scipy.sparse.csr_array(X), zarr.create_array(tmp_path / "X.zarr", data=X)):
        with pytest.raises(ValueError, match="in row 5, feature 2100"):
            LOFE(memory="20MB").fit(data, y)


def test_wrong_data_are_refused_in_a_sentence(tmp_path):
    X, y = random_data(8, 5)
    file = h5py.File(tmp_path / "X.h5", "w")
    for data, labels, message in [
        (file.create_dataset("flat", data=X[0]), y, "Expected 2D array, got 1D"),
        (file.create_dataset("complex", data=X * 1j), y, "Complex data"),
        (file.create_dataset("text", data=np.full((8, 5), b"a")), y, "X must hold numbers"),
        (file.create_dataset("good", data=X), y[:-1], "inconsistent numbers of samples"),
        (file["good"], None, "requires y"),
        (file.create_dataset("empty", shape=(0, 5), dtype="f4"), y[:0], r"0 sample\(s\)"),
        (scipy.sparse.csr_array(X).astype(complex), y, "Complex data"),
    ]:
        with pytest.raises(ValueError, match=message):
            ReliefF().fit(data, labels)


def test_missing_values_of_a_parquet_file_are_named(tmp_path):
    table = pa.table({"a": [1, 2, None, 4], "b": [1.0, 2.0, 3.0, 4.0]})
    pa.parquet.write_table(table, tmp_path / "X.parquet")
    with pytest.raises(ValueError, match="Column 'a' has missing values"):
        ReliefF().fit(pa.parquet.ParquetFile(tmp_path / "X.parquet"), [0, 0, 1, 1])


def test_a_changed_copy_on_write_map_keeps_its_changes(tmp_path):
    X, y = random_data(8, 3000)
    np.save(tmp_path / "X.npy", np.zeros_like(X))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="c")
    mapped[:] = X
    fitted = ReliefF(memory="20MB").fit(mapped, y)
    np.testing.assert_array_equal(mapped, X)
    np.testing.assert_array_equal(fitted.weights_, ReliefF().fit(X, y).weights_)


def test_frel_says_which_penalties_need_more_memory():
    X, y = random_data(40, 20_000)
    data = scipy.sparse.csr_array(X)
    small = FREL(memory="30MB").fit(data, y)
    np.testing.assert_allclose(small.weights_, FREL().fit(X, y).weights_, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"only with penalty='l2'.*or more memory"):
        FREL(penalty="l1", memory="30MB").fit(data, y)


@given(st.data(), st.sampled_from(["csr", "csc"]), st.integers(1, 30))
def test_what_is_read_is_what_is_there(data, form, n_features):
    X = np.random.default_rng(n_features).integers(0, 2, (4, n_features))
    source = as_source(scipy.sparse.csr_array(X).asformat(form))
    watched = Watched(X)
    watched.chunk = data.draw(st.integers(1, 9))
    index = np.unique(data.draw(st.lists(st.integers(0, n_features - 1))))
    start = data.draw(st.integers(0, n_features - 1))
    stop = data.draw(st.integers(start + 1, n_features))
    for one in (source, watched):
        np.testing.assert_array_equal(one.read(index.astype(int)), X[:, index.astype(int)])
        np.testing.assert_array_equal(one.read(slice(start, stop)), X[:, start:stop])


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


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
def test_the_ceiling_is_kept(tmp_path):
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
