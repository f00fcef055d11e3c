import anndata
import numpy as np
import pytest

from hitmiss.data.sources import as_source


@pytest.fixture
def X():
    return np.random.default_rng(0).random((6, 2000), np.float32)


def test_dense_annotated_data_are_contiguous(X, tmp_path):
    anndata.AnnData(X).write_h5ad(tmp_path / "X.h5ad")
    assert as_source(anndata.read_h5ad(tmp_path / "X.h5ad", backed="r")).chunk == 512
