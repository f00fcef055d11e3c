import threading

import h5py
import numpy as np
import pytest
import scipy.sparse
import zarr

from hitmiss import FREL, LOFE, ReliefF
from hitmiss._util.workers import Workers
from hitmiss.data.stored import Stored
from tests.data.random_data import random_data
from tests.data.watched import Watched


def test_the_next_window_is_read_while_this_one_is_worked_on():
    source = Watched(random_data(8, 4096)[0])
    stored = Stored(source, Workers(1))
    stored._window = 1
    runs = stored._windows(stored._blocks(None), "")
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
    for done, _ in enumerate(stored._windows(stored._blocks(None), "")):
        assert len(source.reads) <= done + 2


def test_an_error_while_reading_reaches_the_caller():
    class Broken(Watched):
        def _span(self, start, stop):
            if stop > 2048:
                raise OSError("the disk is gone")
            return super()._span(start, stop)

    X, y = random_data(8, 4096)
    source = Broken(X)
    lofe = LOFE(memory="20MB", alpha=1.0)
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


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_not_finite_is_found_with_its_place(bad, tmp_path):
    X, y = random_data(8, 3000)
    X[5, 2100] = bad
    for data in (scipy.sparse.csr_array(X), zarr.create_array(tmp_path / "X.zarr", data=X)):
        with pytest.raises(ValueError, match="in row 5, feature 2100"):
            LOFE(memory="20MB", alpha=1.0, missing="error").fit(data, y)


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


def test_frel_says_which_penalties_need_more_memory():
    X, y = random_data(40, 20_000)
    data = scipy.sparse.csr_array(X)
    small = FREL(memory="30MB").fit(data, y)
    np.testing.assert_allclose(small.weights_, FREL().fit(X, y).weights_, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"only with penalty='l2'.*or more memory"):
        FREL(penalty="l1", memory="30MB").fit(data, y)
