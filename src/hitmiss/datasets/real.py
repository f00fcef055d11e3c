"""Published real datasets, read from a local folder."""

import os
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from hitmiss._util.files import new_file

FOLDER = "HITMISS_DATA"  # the environment variable that names the folder
# What NumPy, zipfile and zlib raise for a file that is not an .npz archive or is damaged.
_UNREADABLE = (
    *(ValueError, KeyError, TypeError, AttributeError, SyntaxError, OverflowError),
    *(OSError, EOFError, MemoryError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, struct.error),
)


class OpenMLEntry(NamedTuple):
    """Number of a dataset at OpenML, and its published shape."""

    data_id: int
    n_samples: int
    n_features: int
    class_sizes: tuple[int, ...]


# Only datasets that OpenML offers numeric, complete and with the samples of the papers.
OPENML = {
    "ida_banana": OpenMLEntry(1460, 5300, 2, (2376, 2924)),
    "ida_diabetis": OpenMLEntry(37, 768, 8, (268, 500)),
    "ida_heart": OpenMLEntry(53, 270, 13, (120, 150)),
    "ida_ringnorm": OpenMLEntry(1496, 7400, 20, (3664, 3736)),
    "ida_twonorm": OpenMLEntry(1507, 7400, 20, (3697, 3703)),
    "leukemia_golub": OpenMLEntry(1104, 72, 7129, (25, 47)),
    "uci_segmentation": OpenMLEntry(36, 2310, 19, (330,) * 7),
    "uci_yeast": OpenMLEntry(181, 1484, 8, (5, 20, 30, 35, 44, 51, 163, 244, 429, 463)),
}


def load(name: str, data_home: str | os.PathLike | None = None, *, return_X_y: bool = False) -> Any:
    """Real dataset `name`, read from ``name.npz`` in a folder of datasets.

    Files are parsed, never unpickled. They must hold ``X``, samples by features, and ``y``, the
    labels.

    Parameters
    ----------
    name : str
        Name of the dataset, such as "ida_banana".
    data_home : path-like, default=None
        The folder; None is the one that the environment variable HITMISS_DATA names.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, ``feature_names``, ``DESCR``, and the other arrays of the
        file, such as ``train_idx`` and ``test_idx``, the rows of published partitions. Missing
        values are NaN.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from hitmiss import datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/mine.npz", X=[[0.0, 1.0], [2.0, 3.0]], y=["a", "b"])
    ...     mine = datasets.load("mine", folder)
    >>> mine.data.shape, mine.target.tolist()
    ((2, 2), ['a', 'b'])
    """
    check_name(name)
    folder = data_folder(data_home)
    path = folder / f"{name}.npz"
    if not path.is_file():
        raise FileNotFoundError(f"There is no {name}.npz in {folder}; {_advice(name, folder)}.")
    arrays = _read(path)
    X, y = arrays.pop("X"), arrays.pop("y")
    if return_X_y:
        return X, y
    names = arrays.pop("feature_names", None)
    return Bunch(
        data=X,
        target=y,
        feature_names=[f"x{j}" for j in range(X.shape[1])] if names is None else names.tolist(),
        DESCR=f"{name}: {X.shape[0]} samples, {X.shape[1]} features.",
        **arrays,
    )


def fetch(
    name: str, data_home: str | os.PathLike | None = None, *, return_X_y: bool = False
) -> Any:
    """Real dataset `name`, downloaded from OpenML unless it is in the folder.

    scikit-learn compares the download with OpenML's checksum; its shape and the sizes of its
    classes are compared with the published ones. It is stored as ``name.npz``.

    Parameters
    ----------
    name : str
        Name of a dataset in `hitmiss.datasets.real.OPENML`.
    data_home : path-like, default=None
        The folder; None is the one that the environment variable HITMISS_DATA names.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        As from `load`.
    """
    check_name(name)
    folder = data_folder(data_home)
    path = folder / f"{name}.npz"
    if not path.is_file():
        if name not in OPENML:
            raise ValueError(
                f"OpenML does not offer {name!r} in the published form; put {name}.npz into "
                f"{folder}, or choose one of {', '.join(OPENML)}."
            )
        arrays: dict[str, Any] = _download(name, OPENML[name])
        with new_file(path) as part, part.open("xb") as f:
            np.savez_compressed(f, **arrays)
    return load(name, folder, return_X_y=return_X_y)


def data_folder(data_home: str | os.PathLike | None) -> Path:
    """The folder of datasets, which must exist."""
    named = data_home if data_home is not None else os.environ.get(FOLDER)
    if not named:
        raise ValueError(f"Pass data_home, or set {FOLDER} to the folder that holds the datasets.")
    folder = Path(named)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is not a folder; name the one that holds the datasets.")
    return folder


def check_name(name: str) -> None:
    """Raise unless `name` is a file name without a path, so that it stays in the folder."""
    if not isinstance(name, str) or not re.fullmatch(r"\w[\w-]*", name, re.ASCII):
        raise ValueError(f"name must consist of letters, digits, _ and -; got {name!r}.")


def _advice(name: str, folder: Path) -> str:
    there = sorted(path.stem for path in folder.glob("*.npz"))
    if name in OPENML:
        return f"get it with hitmiss.datasets.fetch({name!r})"
    return f"it has {', '.join(there)}" if there else "it holds no datasets"


def _read(path: Path) -> dict[str, NDArray]:
    """Arrays of the file, among them X and y of consistent shapes."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        X, y = arrays["X"], arrays["y"]
    except _UNREADABLE as error:
        message = f"{path.name} is not a dataset: it must be an .npz file with arrays X and y."
        raise ValueError(message) from error
    if X.ndim != 2 or X.dtype.kind not in "biuf" or y.shape != X.shape[:1]:
        raise ValueError(
            f"{path.name} is not a dataset: X must hold numbers, samples by features, and y a "
            f"label for each sample; got shapes {X.shape} and {y.shape}."
        )
    return arrays


def _download(name: str, entry: OpenMLEntry) -> dict[str, NDArray]:
    from sklearn.datasets import fetch_openml

    try:
        found = fetch_openml(data_id=entry.data_id, as_frame=False, parser="liac-arff")
    except OSError as error:
        message = f"OpenML cannot be reached for {name}: try again with a network connection."
        raise ConnectionError(message) from error
    X, y = np.asarray(found.data, np.float32), np.asarray(found.target, str)
    sizes = tuple(sorted(np.unique(y, return_counts=True)[1].tolist()))
    if (*X.shape, sizes) != (entry.n_samples, entry.n_features, entry.class_sizes):
        raise ValueError(
            f"OpenML's set {entry.data_id} is not {name} as published: {X.shape[0]} samples, "
            f"{X.shape[1]} features, classes of {sizes}."
        )
    return {"X": X, "y": y, "feature_names": np.asarray(found.feature_names, str)}
