import anndata
import h5py
import numpy as np
import pytest
import zarr

from hitmiss import ReliefF
from hitmiss.anndata import select
from hitmiss.data.sources import as_source
from hitmiss.data.sources.array_sources import ChunkedSource
from tests.data.random_data import random_data


@pytest.fixture
def X():
    return np.random.default_rng(0).random((6, 2000), np.float32)


def test_dense_annotated_data_are_contiguous(X, tmp_path):
    anndata.AnnData(X).write_h5ad(tmp_path / "X.h5ad")
    assert as_source(anndata.read_h5ad(tmp_path / "X.h5ad", backed="r")).chunk == 512


def test_nominal_variables_are_declared_in_var(tmp_path):
    rng, y = np.random.default_rng(0), np.arange(60) % 2
    codes = rng.integers(4, size=(60, 6)).astype(np.float32)
    codes[:, 2] = (codes[:, 2] // 2) * 2 + y  # 0 or 2, and 1 or 3: no number tells, a level does
    adata = anndata.AnnData(codes)
    adata.var["categorical"] = [False, False, True, True, False, False]
    adata.obs["y"] = y.astype(str)
    adata.write_h5ad(tmp_path / "X.h5ad")
    backed = ReliefF(memory="100MB").fit(anndata.read_h5ad(tmp_path / "X.h5ad", backed="r"), y)
    assert sorted(backed.categories_) == [2, 3]
    expected = ReliefF(categorical=[2, 3]).fit(codes, y).weights_
    np.testing.assert_array_equal(backed.weights_, expected)
    np.testing.assert_array_equal(select(adata, "y", method="relieff").weights_, expected)


class Counted:
    """An array on disk that remembers which features were read."""

    def __init__(self, array):
        self.array, self.spans = array, []
        self.shape, self.dtype, self.chunks = array.shape, array.dtype, array.chunks

    def __getitem__(self, key):
        self.spans.append((key[1].start, key[1].stop))
        return self.array[key]


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


def test_a_changed_copy_on_write_map_keeps_its_changes(tmp_path):
    X, y = random_data(8, 3000)
    np.save(tmp_path / "X.npy", np.zeros_like(X))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="c")
    mapped[:] = X
    fitted = ReliefF(memory="20MB").fit(mapped, y)
    np.testing.assert_array_equal(mapped, X)
    np.testing.assert_array_equal(fitted.weights_, ReliefF().fit(X, y).weights_)
