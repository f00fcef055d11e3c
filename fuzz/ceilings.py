"""Memory ceilings: every store × estimator × shape × ceiling keeps to it, or is refused before.

Each fit runs in a forked process, whose peak is compared with what it held before: the interpreter,
the libraries and the compiled code.
"""

import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import anndata
import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import scipy.sparse
import zarr

import hitmiss

SHAPES = [(60, 60_000), (200, 16_000), (700, 4_000)]
CEILINGS = ["60MB", "90MB", "300MB"]
# What a fit takes is the same every time. Pages of the interpreter and its libraries that the
# kernel had taken away, and that come back during the fit, count as its memory too, but not always.
MEASUREMENTS = 3
ESTIMATORS: dict[str, Callable[..., Any]] = {
    "LOFE": lambda **how: hitmiss.LOFE(alpha=3.0, **how),
    "ReliefF": hitmiss.ReliefF,
    "IRelief": lambda **how: hitmiss.IRelief(max_iter=10, **how),
    "FREL": hitmiss.FREL,
}


def _memmap(X: Any, path: Path) -> Callable[[], Any]:
    np.save(path.with_suffix(".npy"), X)
    return lambda: np.load(path.with_suffix(".npy"), mmap_mode="r")


def _hdf5(X: Any, path: Path) -> Callable[[], Any]:
    with h5py.File(path, "w") as file:
        file.create_dataset("X", data=X, chunks=(len(X), 64))
    return lambda: h5py.File(path)["X"]


def _zarr(X: Any, path: Path) -> Callable[[], Any]:
    zarr.create_array(path, data=X, chunks=(len(X), 300))
    return lambda: zarr.open_array(path, mode="r")


def _parquet(X: Any, path: Path) -> Callable[[], Any]:
    names = [f"g{j}" for j in range(X.shape[1])]
    pa.parquet.write_table(pa.table(list(X.T), names=names), path)
    return lambda: pa.parquet.ParquetFile(path)


def _backed(X: Any, path: Path) -> Callable[[], Any]:
    anndata.AnnData(X).write_h5ad(path)
    return lambda: anndata.read_h5ad(path, backed="r")


def _sparse(X: Any, path: Path) -> Callable[[], Any]:
    scipy.sparse.save_npz(path.with_suffix(".npz"), scipy.sparse.csc_array(X))
    return lambda: scipy.sparse.load_npz(path.with_suffix(".npz"))


STORES = {
    "memmap": _memmap,
    "HDF5": _hdf5,
    "Zarr": _zarr,
    "Parquet": _parquet,
    "AnnData": _backed,
    "sparse": _sparse,
}


class Cell(NamedTuple):
    """One fit of the grid: its peak in bytes, or the sentence that refused it."""

    store: str
    estimator: str
    shape: tuple[int, int]
    ceiling: str
    peak: int
    refusal: str

    @property
    def exceeded(self) -> bool:
        """Whether the fit took more than it was allowed."""
        return self.peak > int(self.ceiling.removesuffix("MB")) * 1_000_000

    def __str__(self) -> str:
        found = self.refusal or f"{self.peak / 1e6:.0f} MB{' EXCEEDED' if self.exceeded else ''}"
        return f"{self.store}, {self.estimator}, {self.shape}, {self.ceiling}: {found}"


def cells(
    stores: list[str] | None = None,
    shapes: list[tuple[int, int]] | None = None,
    ceilings: list[str] | None = None,
    estimators: list[str] | None = None,
) -> Iterator[Cell]:
    """Every fit of the grid, or of a part of it."""
    if sys.platform != "linux":
        raise OSError("Memory is measured by /proc, which only Linux has.")
    with tempfile.TemporaryDirectory() as folder:
        for store, shape in product(stores or STORES, shapes or SHAPES):
            path = Path(folder, f"{store}-{shape[0]}.{store.lower()}")
            opened, small = (
                STORES[store](_data(*size), path.with_stem(f"{path.stem}-{size[1]}"))
                for size in (shape, (shape[0], 600))
            )
            for name, ceiling in product(estimators or ESTIMATORS, ceilings or CEILINGS):
                for _ in range(MEASUREMENTS):
                    found = _in_a_fork(opened, small, ESTIMATORS[name], ceiling, shape[0])
                    cell = Cell(store, name, shape, ceiling, *found)
                    if not cell.exceeded:
                        break
                yield cell


def _data(n_samples: int, n_features: int) -> Any:
    X = np.random.default_rng(0).random((n_samples, n_features), np.float32)
    X[::2, :3] += 1
    return X


def _in_a_fork(opened: Any, small: Any, make: Any, ceiling: str, n_samples: int) -> Any:
    """Peak and refusal of one fit, measured in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(_measured(opened, small, make, ceiling, n_samples), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else (sys.maxsize, "")


def _measured(opened: Any, small: Any, make: Any, ceiling: str, n_samples: int) -> tuple[int, str]:
    warnings.simplefilter("ignore")
    y = np.arange(n_samples) % 2
    make(n_jobs=1, memory="2GB").fit(small(), y)  # loads what is compiled for this kind of data
    X = opened()
    before = _held("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    try:
        make(n_jobs=1, memory=ceiling).fit(X, y)
    except ValueError as error:
        return 0, str(error)
    return _held("VmHWM") - before, ""


def _held(which: str) -> int:
    status = Path("/proc/self/status").read_text()
    found = re.search(which + r":\s*(\d+) kB", status)
    assert found is not None
    return 1024 * int(found[1])
