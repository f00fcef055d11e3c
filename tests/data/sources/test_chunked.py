import h5py
import numpy as np
import pytest

from hitmiss.data.sources.chunked import ChunkedSource


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
