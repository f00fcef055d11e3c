import anndata
import numpy as np
import pytest

from hitmiss import ReliefF
from hitmiss.anndata import select
from hitmiss.data.sources import as_source


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
