"""How sources are read: what lies together, together."""

import anndata
import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.data.sources import as_source
from hitmiss.data.sources.chunked import ChunkedSource
from tests.data.test_stored import Watched


class Counted:
    """An array on disk that remembers which features were read."""

    def __init__(self, array):
        self.array, self.spans = array, []
        self.shape, self.dtype, self.chunks = array.shape, array.dtype, array.chunks

    def __getitem__(self, key):
        self.spans.append((key[1].start, key[1].stop))
        return self.array[key]


@pytest.fixture
def X():
    return np.random.default_rng(0).random((6, 2000), np.float32)


@pytest.fixture
def in_one_piece(X, tmp_path):
    with h5py.File(tmp_path / "X.h5", "w") as file:
        yield Counted(file.create_dataset("X", data=X))


def test_features_of_contiguous_data_are_read_some_hundred_together(X, in_one_piece):
    assert in_one_piece.chunks is None
    index = np.arange(3, 2000, 7)
    np.testing.assert_array_equal(ChunkedSource(in_one_piece).read(index), X[:, index])
    assert len(in_one_piece.spans) == 4
    assert max(stop - start for start, stop in in_one_piece.spans) <= 512


def test_features_of_different_chunks_are_not_read_together(X, tmp_path):
    with h5py.File(tmp_path / "X.h5", "w") as file:
        counted = Counted(file.create_dataset("X", data=X, chunks=(6, 10)))
        ChunkedSource(counted).read(np.array([3, 7, 12, 990]))
    assert counted.spans == [(3, 8), (12, 13), (990, 991)]


def test_dense_annotated_data_are_contiguous(X, tmp_path):
    anndata.AnnData(X).write_h5ad(tmp_path / "X.h5ad")
    assert as_source(anndata.read_h5ad(tmp_path / "X.h5ad", backed="r")).chunk == 512


@given(st.sets(st.integers(0, 30)))
def test_single_features_without_a_gap_are_read_in_one_go(places):
    index = np.array(sorted(places), int)
    watched = Watched(np.arange(62).reshape(2, 31))
    np.testing.assert_array_equal(watched.read(index), watched.X[:, index])
    runs = [part for part in np.split(index, np.flatnonzero(np.diff(index) > 1) + 1) if len(part)]
    assert [read[:2] for read in watched.reads] == [(run[0], run[-1] + 1) for run in runs]
