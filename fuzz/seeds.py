"""A right file of every kind, which is then made wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import anndata
import bed_reader
import h5py
import numpy as np
import openpyxl
import pandas as pd
import scipy.io
import scipy.sparse

from hitmiss import LOFE, OnlineIRelief, OnlineLOFE, ReliefF, datasets, persistence

X = np.array([[1.5, -2.0, 0.0], [3.25, 1e10, 7.0], [0.5, 0.125, 4.0], [9.0, 8.0, 7.0]])
KINDS, NAMES, SAMPLES = ["ill", "well", "ill", "well"], ["a", "=b", "c d"], ["1", "2", "3", "4"]


def frame() -> pd.DataFrame:
    """The table that every format holds."""
    return pd.DataFrame(X, index=SAMPLES, columns=NAMES).assign(kind=KINDS)


def write_xlsx(path: Path) -> None:
    """As Excel would."""
    sheet = (book := openpyxl.Workbook()).active
    sheet.append(["id", *NAMES[:1], "b", "c d", "kind"])
    for name, row, kind in zip(SAMPLES, X.tolist(), KINDS, strict=True):
        sheet.append([name, *row, kind])
    book.save(path)


def write_h5(path: Path) -> None:
    """X, kind and names as datasets."""
    with h5py.File(path, "w") as file:
        file["X"] = X
        for name, values in (("kind", KINDS), ("feature_names", NAMES)):
            file[name] = np.array(values, dtype=object)


def write_arff(path: Path) -> None:
    """Numeric attributes and a nominal one."""
    lines = ["@relation r", *(f"@attribute '{name}' numeric" for name in NAMES)]
    lines += ["@attribute kind {ill,well}", "@data"]
    lines += [",".join([*map(str, x), kind]) for x, kind in zip(X.tolist(), KINDS, strict=True)]
    path.write_text("\n".join(lines))


def write_h5ad(path: Path) -> None:
    """As AnnData does."""
    data = anndata.AnnData(X, obs=pd.DataFrame({"kind": KINDS}, index=SAMPLES))
    data.var_names = NAMES
    data.write_h5ad(path)


def write_tenx(path: Path) -> None:
    """Counts in HDF5, as Cell Ranger does."""
    counts = scipy.sparse.csc_matrix(COUNTS)
    with h5py.File(path, "w") as file:
        group = file.create_group("matrix")
        for part in ("data", "indices", "indptr"):
            group[part] = getattr(counts, part)
        group["shape"] = np.array(counts.shape)
        group["barcodes"] = np.array(SAMPLES, "S")
        group["features/name"] = np.array(NAMES, "S")


def write_mtx(path: Path) -> None:
    """Counts as text, as Cell Ranger does, with the names beside them."""
    scipy.io.mmwrite(path, scipy.sparse.coo_matrix(COUNTS))
    genes = "\n".join(f"E{j}\t{name}\tGene Expression" for j, name in enumerate(NAMES))
    path.with_name("features.tsv").write_text(genes)
    path.with_name("barcodes.tsv").write_text("\n".join(SAMPLES))


def write_gct(path: Path) -> None:
    """Version 1.3, with an annotation of either side."""
    lines = ["#1.3", "3\t4\t1\t1", "\t".join(["id", "symbol", *SAMPLES])]
    lines.append("\t".join(["kind", "na", *KINDS]))
    values = [["\t".join(map(str, x))] for x in X.T.tolist()]
    lines += ["\t".join([n, "s", *v]) for n, v in zip(NAMES, values, strict=True)]
    path.write_text("\n".join(lines))


def write_bed(path: Path) -> None:
    """Genotypes, with .bim and .fam beside them."""
    genotypes = np.array([[0, 1, 2], [2, np.nan, 0], [1, 1, 1], [0, 0, 2]])
    known = {"iid": SAMPLES, "sid": ["rs1", "rs2", "rs3"], "pheno": ["1", "2", "1", "2"]}
    bed_reader.to_bed(path, genotypes, properties=known)


COUNTS = np.array([[0, 2, 0, 1], [3, 0, 0, 0], [0, 0, 5, 7]])  # genes x cells

# Kinds of tables that are several files: the one that is changed -> what writes all, the file that
# is read, and the others.
PARTS: dict[str, tuple[Callable[[Path], object], str, tuple[str, ...]]] = {
    "bed": (write_bed, "data.bed", ("data.bim", "data.fam")),
    "bim": (write_bed, "data.bed", ("data.bed", "data.fam")),
    "fam": (write_bed, "data.bed", ("data.bed", "data.bim")),
    "mtx": (write_mtx, "matrix.mtx", ("features.tsv", "barcodes.tsv")),
    "features": (write_mtx, "matrix.mtx", ("matrix.mtx", "barcodes.tsv")),
    "barcodes": (write_mtx, "matrix.mtx", ("matrix.mtx", "features.tsv")),
}

TABLES: dict[str, Callable[[Path], object]] = {
    "csv": lambda path: frame().to_csv(path),
    "xlsx": write_xlsx,
    "parquet": lambda path: frame().to_parquet(path),
    "h5": write_h5,
    "tenx.h5": write_tenx,
    "gct": write_gct,
    "h5ad": write_h5ad,
    "arff": write_arff,
    "mat": lambda path: scipy.io.savemat(path, {"X": X, "y": np.array([0, 1, 0, 1])}),
    "npz": lambda path: np.savez(path, X=X, kind=KINDS, feature_names=NAMES),
}


def write_models(folder: Path) -> list[Path]:
    """Saved models of four estimators, two of which go on with new samples."""
    data, y = datasets.make_xor(40, n_irrelevant=2, random_state=0, return_X_y=True)
    fitted = [LOFE(alpha=0.1).fit(data, y), ReliefF(n_neighbors=3).fit(data, y)]
    fitted += [make(random_state=0).partial_fit(data, y) for make in (OnlineLOFE, OnlineIRelief)]
    paths = [folder / f"{type(model).__name__}.npz" for model in fitted]
    for model, path in zip(fitted, paths, strict=True):
        persistence.save(model, path)
    return paths


def hostile_models(path: Path) -> list[bytes]:
    """A model whose header is right in form and wrong in content, again and again."""
    with np.load(path) as stored:
        arrays = dict(stored)
    head = json.loads(arrays["hitmiss.json"].tobytes())
    found = []
    for name in [*head["model"]["state"]]:
        for wrong in (None, -1, "x", {"float": "nan"}, {"list": []}, {"array": "array0"}):
            changed = json.loads(json.dumps(head))
            changed["model"]["state"][name] = wrong
            text = np.frombuffer(json.dumps(changed).encode(), np.uint8)
            np.savez(path.with_suffix(".tmp.npz"), **{**arrays, "hitmiss.json": text})
            found.append(path.with_suffix(".tmp.npz").read_bytes())
    for name in [n for n in arrays if n != "hitmiss.json" and arrays[n].dtype.kind == "f"]:
        for value in (np.nan, np.inf, -1e300):
            np.savez(path.with_suffix(".tmp.npz"), **{**arrays, name: arrays[name] * 0 + value})
            found.append(path.with_suffix(".tmp.npz").read_bytes())
    return found
