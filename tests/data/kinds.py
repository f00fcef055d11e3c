"""The same data in every kind of storage."""

import anndata
import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import scipy.sparse
import zarr

from hitmiss.data.sources import as_source


def to_memmap(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def to_columns_memmap(X, folder):
    return to_memmap(np.asfortranarray(X), folder)


def to_hdf5(X, folder):
    return h5py.File(folder / "X.h5", "w").create_dataset("X", data=X, chunks=(7, 100))


def to_zarr(X, folder):
    return zarr.create_array(folder / "X.zarr", data=X, chunks=(len(X), 300))


def to_parquet(X, folder):
    names = [f"g{j}" for j in range(X.shape[1])]
    pa.parquet.write_table(pa.table(list(X.T), names=names), folder / "X.parquet")
    return pa.parquet.ParquetFile(folder / "X.parquet")


def to_anndata(X, folder):
    anndata.AnnData(X).write_h5ad(folder / "X.h5ad")
    return anndata.read_h5ad(folder / "X.h5ad", backed="r")


KINDS = {
    "memmap": to_memmap,
    "memmap by columns": to_columns_memmap,
    "HDF5": to_hdf5,
    "Zarr": to_zarr,
    "Parquet": to_parquet,
    "backed AnnData": to_anndata,
    "backed AnnData, CSR": lambda X, folder: to_anndata(scipy.sparse.csr_matrix(X), folder),
    "backed AnnData, CSC": lambda X, folder: to_anndata(scipy.sparse.csc_matrix(X), folder),
    "CSR": lambda X, folder: scipy.sparse.csr_array(X),
    "CSC": lambda X, folder: scipy.sparse.csc_matrix(X),
    "COO": lambda X, folder: scipy.sparse.coo_array(X),
    "a source": lambda X, folder: as_source(to_zarr(X, folder)),
}
