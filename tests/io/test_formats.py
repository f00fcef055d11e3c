"""The same table in every format, and files that are not what their names say."""

import anndata
import h5py
import numpy as np
import openpyxl
import pandas as pd
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hitmiss.io import SUFFIXES, Table, read_table

X = np.array([[1.5, -2.0, 0.0], [3.25, 1e10, 7.0], [0.5, 0.125, 4.0], [9.0, 8.0, 7.0]])
Y = np.array(["ill", "well", "ill", "well"])
FEATURES, SAMPLES = ["a", "=b", "c d"], ["s1", "s2", "s3", "s4"]


def frame():
    return pd.DataFrame(X, index=SAMPLES, columns=FEATURES).assign(kind=Y)


def arrays():
    return {"X": X, "kind": Y, "feature_names": FEATURES, "sample_names": SAMPLES}


def write_excel(path):
    sheet = (book := openpyxl.Workbook()).active
    sheet.append([None, *FEATURES, "kind"])
    for name, row, label in zip(SAMPLES, X.tolist(), Y.tolist(), strict=True):
        sheet.append([name, *row, label])
    sheet.cell(1, 3).data_type = "s"  # "=b" is a name here, not a formula
    book.save(path)


def write_h5(path):
    with h5py.File(path, "w") as f:
        f["X"] = X
        for name, values in (("kind", Y), ("feature_names", FEATURES), ("sample_names", SAMPLES)):
            f[name] = np.array(values, dtype=object)


def write_h5ad(path, matrix=X):
    data = anndata.AnnData(matrix, obs=pd.DataFrame({"kind": Y}, index=SAMPLES))
    data.var_names = FEATURES
    data.write_h5ad(path)


def write_arff(path):
    lines = ["@relation r", "@attribute id {s1,s2,s3,s4}"]
    lines += [f"@attribute '{name}' numeric" for name in FEATURES]
    lines += ["@attribute kind {ill,well}", "@data"]
    for name, row, label in zip(SAMPLES, X.tolist(), Y.tolist(), strict=True):
        lines.append(",".join(map(str, [name, *row, label])))
    path.write_text("\n".join(lines))


WRITERS = {
    "csv": lambda path: frame().to_csv(path),
    "tsv": lambda path: frame().to_csv(path, sep="\t"),
    "csv.gz": lambda path: frame().to_csv(path),
    "parquet": lambda path: frame().to_parquet(path),
    "xlsx": write_excel,
    "npz": lambda path: np.savez(path, **{k: np.array(v) for k, v in arrays().items()}),
    "mat": lambda path: scipy.io.savemat(
        path, {k: np.array(v, object if k != "X" else float) for k, v in arrays().items()}
    ),
    "h5": write_h5,
    "h5ad": write_h5ad,
    "arff": write_arff,
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_holds_the_same_table(tmp_path, suffix):
    path = tmp_path / f"data.{suffix}"
    WRITERS[suffix](path)
    table = read_table(path, "kind")
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == Y.tolist()
    assert (table.feature_names, table.sample_names) == (FEATURES, SAMPLES)
    fewer = read_table(path, "kind", drop=["=b"])
    np.testing.assert_array_equal(fewer.X, X[:, [0, 2]])
    other = read_table(path, features=["c d", "a"])
    np.testing.assert_array_equal(other.X, X[:, [2, 0]])
    with pytest.raises(ValueError, match=r"There is no (column|array) 'kimd'; did you mean 'kind'"):
        read_table(path, "kimd")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx", "npz"])
def test_features_in_rows(tmp_path, suffix):
    path = tmp_path / f"data.{suffix}"
    rows = [["gene", *SAMPLES], *([n, *x] for n, x in zip(FEATURES, X.T.tolist(), strict=True))]
    if suffix == "xlsx":
        sheet = (book := openpyxl.Workbook()).active
        rows[2][0] = "b"
        for row in rows:
            sheet.append(row)
        book.save(path)
    elif suffix == "npz":
        np.savez(path, X=X.T, feature_names=FEATURES)
    else:
        table = pd.DataFrame(rows[1:], columns=rows[0])
        (table.to_csv if suffix == "csv" else table.to_parquet)(path, index=False)
    np.testing.assert_array_equal(read_table(path, transpose=True).X, X)


def test_single_precision_stays_single(tmp_path):
    single = X.astype(np.float32)
    np.savez(tmp_path / "a.npz", X=single)
    pd.DataFrame(single, columns=FEATURES).to_parquet(tmp_path / "a.parquet")
    write_h5ad(tmp_path / "a.h5ad", single)
    for suffix in ("npz", "parquet", "h5ad"):
        assert read_table(tmp_path / f"a.{suffix}").X.dtype == np.float32


def test_sparse_matrices_are_filled_in(tmp_path):
    write_h5ad(tmp_path / "a.h5ad", scipy.sparse.csr_matrix(X))
    scipy.io.savemat(tmp_path / "a.mat", {"X": scipy.sparse.csc_matrix(X)})
    for suffix in ("h5ad", "mat"):
        np.testing.assert_array_equal(read_table(tmp_path / f"a.{suffix}").X, X)


def not_what_they_say():
    """Suffixes with the content of each other format."""
    text = {"csv", "tsv", "csv.gz"}
    return [
        (a, b)
        for a in WRITERS
        for b in WRITERS
        if a != b and not {a, b} <= text and (a, b) != ("h5", "h5ad")
    ]


@pytest.mark.parametrize(("suffix", "content"), not_what_they_say())
def test_a_file_that_is_not_what_its_name_says(tmp_path, suffix, content):
    written, path = tmp_path / f"written.{content}", tmp_path / f"data.{suffix}"
    WRITERS[content](written)
    written.rename(path)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_table(path, "kind")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_that_is_cut_off(tmp_path, suffix):
    path = tmp_path / f"data.{suffix}"
    WRITERS[suffix](path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if suffix not in ("csv", "tsv", "arff") else b"")
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        read_table(path, "kind")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SUFFIXES), st.binary(max_size=200))
def test_any_bytes_are_a_table_or_one_sentence(tmp_path, suffix, content):
    path = tmp_path / f"data{suffix}"
    path.write_bytes(content)
    sentence = ""
    try:
        assert isinstance(read_table(path), Table)
    except ValueError as error:
        sentence = str(error)
    assert "\n" not in sentence


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"There is no file .*data.csv"):
        read_table(tmp_path / "data.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ValueError, match=r"folder.csv is a folder"):
        read_table(tmp_path / "folder.csv")
    for name in ("data", "data.xls", "data.pkl", "data.parquet.gz"):
        with pytest.raises(ValueError, match=r"no known suffix; there are \.csv"):
            read_table(tmp_path / name)


@pytest.mark.parametrize("name", ["study.fam", "study.bim"])
def test_the_files_beside_a_bed_lead_to_it(name, tmp_path):
    with pytest.raises(ValueError, match=r"belongs to PLINK's .*study\.bed; name that file"):
        read_table(tmp_path / name)
