"""Counts of cells, as an HDF5 file of two versions and as a folder."""

import gzip

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse

from hitmiss import LOFE
from hitmiss.io import drop_missing, read_columns, read_table

X = np.array([[0, 3, 0, 1], [2, 0, 0, 0], [0, 0, 5, 7]], np.float32)  # cells x genes
GENES, IDS, CELLS = (
    ["TP53", "BRCA1", "TP53", "MYC"],
    ["E1", "E2", "E3", "E4"],
    ["AA-1", "CC-1", "GG-1"],
)
ONCE = ["TP53", "BRCA1", "TP53_2", "MYC"]


def write_h5(path, old=False, genes=GENES, **change):
    matrix = scipy.sparse.csc_matrix(X.T.astype(np.int32))
    parts = {
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "shape": np.array(matrix.shape),
        "barcodes": np.array(CELLS, "S"),
    }
    with h5py.File(path, "w") as file:
        group = file.create_group("GRCh38" if old else "matrix")
        for name, values in (parts | change).items():
            group[name] = values
        group["gene_names" if old else "features/name"] = np.array(genes, "S")
        group["genes" if old else "features/id"] = np.array(IDS, "S")
    return path


def write_folder(folder, *, compressed=False, old=False, prefix=""):
    folder.mkdir(exist_ok=True)
    scipy.io.mmwrite(folder / "m.mtx", scipy.sparse.coo_matrix(X.T.astype(np.int32)))
    columns = [IDS, GENES] if old else [IDS, GENES, ["Gene Expression"] * 4]
    texts = {
        "matrix.mtx": (folder / "m.mtx").read_bytes(),
        "genes.tsv" if old else "features.tsv": "\n".join(
            map("\t".join, zip(*columns, strict=True))
        ).encode(),
        "barcodes.tsv": "\n".join(CELLS).encode(),
    }
    (folder / "m.mtx").unlink()
    for name, content in texts.items():
        end = ".gz" if compressed else ""
        (folder / f"{prefix}{name}{end}").write_bytes(
            gzip.compress(content) if compressed else content
        )
    return folder


@pytest.mark.parametrize("old", [False, True])
def test_hdf5_comes_back_sparse_with_names(tmp_path, old):
    table = read_table(write_h5(tmp_path / "data.h5", old), make_unique=True)
    assert scipy.sparse.issparse(table.X)
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert (table.feature_names, table.sample_names) == (ONCE, CELLS)
    assert table.named
    with pytest.raises(ValueError, match=r"name occurs more than once \('TP53'\); .*--make-unique"):
        read_table(tmp_path / "data.h5")


@pytest.mark.parametrize(
    "how", [{}, {"compressed": True}, {"old": True}, {"compressed": True, "prefix": "GSM1_"}]
)
def test_a_folder_comes_back_sparse_with_names(tmp_path, how):
    folder = write_folder(tmp_path / "run", **how)
    matrix = next(path for path in folder.iterdir() if ".mtx" in path.name)
    for path in (folder, matrix):
        table = read_table(path, make_unique=True)
        np.testing.assert_array_equal(table.X.toarray(), X)
        assert (table.feature_names, table.sample_names) == (ONCE, CELLS)
    assert read_columns(folder) == {"barcode": CELLS}
    few = read_table(folder, features=["MYC", "BRCA1"])
    np.testing.assert_array_equal(few.X.toarray(), X[:, [3, 1]])


def test_sparse_tables_are_fitted_and_have_samples_left_out(tmp_path):
    table = read_table(write_h5(tmp_path / "data.h5"), make_unique=True)
    assert drop_missing(table, "drop-features").X.shape == (3, 4)
    assert table.rows(np.array([2, 0])).sample_names == ["GG-1", "AA-1"]
    again = scipy.sparse.vstack([table.X] * 4, format="csr")
    dense = LOFE(alpha=0.1).fit(again.toarray(), [0, 1, 1] * 4).weights_
    np.testing.assert_allclose(LOFE(alpha=0.1).fit(again, [0, 1, 1] * 4).weights_, dense, rtol=1e-6)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"barcodes": np.array(["AA-1"], "S")},
            "not of the shape that the names of genes and cells",
        ),
        ({"indices": np.array([1, 9, 0, 2, 3], np.int32)}, "cannot be read as an HDF5 file"),
        ({"indptr": np.array([0, 2, 3, 99], np.int32)}, "cannot be read as an HDF5 file"),
        ({"shape": np.array([4, 3, 2])}, "cannot be read as an HDF5 file"),
    ],
)
def test_damaged_hdf5_is_one_sentence(tmp_path, change, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_table(write_h5(tmp_path / "data.h5", genes=ONCE, **change))


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("matrix.mtx", lambda t: t.replace("4 3 5", "4 3 5000000"), "states 5,000,000 entries"),
        (
            "matrix.mtx",
            lambda t: t.replace("4 3 5", "5 3 5"),
            "has 5 rows and 3 columns for 4 genes",
        ),
        (
            "matrix.mtx",
            lambda t: t.replace("coordinate", "array"),
            "is not a sparse matrix of numbers",
        ),
        (
            "matrix.mtx",
            lambda t: t.replace("\n1 2 2", "\n9 2 2"),
            "cannot be read as counts of Cell",
        ),
        ("matrix.mtx", lambda t: "", "cannot be read as counts of Cell Ranger|is not a sparse"),
        ("barcodes.tsv", lambda t: None, "There is no barcodes.tsv beside"),
        ("features.tsv", lambda t: t + "\nE5\tX", "for 5 genes and 3 cells"),
    ],
)
def test_a_damaged_folder_is_one_sentence(tmp_path, name, change, sentence):
    path = write_folder(tmp_path / "run") / name
    text = change(path.read_text())
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        read_table(tmp_path / "run", make_unique=True)


def test_a_folder_that_is_something_else(tmp_path):
    with pytest.raises(ValueError, match=r"is a folder without a matrix\.mtx"):
        read_table(tmp_path)
    folder = write_folder(tmp_path / "run")
    (folder / "other.mtx").touch()
    with pytest.raises(ValueError, match="holds 2 matrices; name one of them"):
        read_table(folder)
    with pytest.raises(
        ValueError, match=r"There is no column 'kind' beside counts .*\(--metadata\)"
    ):
        read_table(folder / "matrix.mtx", "kind", make_unique=True)
