import h5py
import numpy as np
import pytest
import zarr

from hitmiss import ReliefF
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


@pytest.mark.parametrize("path", ["../secret", "/secret", "a/../../secret"])
def test_a_zarr_store_does_not_lead_out_of_its_folder(tmp_path, path):
    """Names of members come from the store; those that would leave it are refused by zarr."""
    zarr.create_array(tmp_path / "secret", data=np.eye(4))
    group = zarr.open_group(tmp_path / "store", mode="w")
    with pytest.raises((KeyError, ValueError)):
        ReliefF(1).fit(group[path], [0, 1, 0, 1])
