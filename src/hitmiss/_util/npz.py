"""NPZ archives without pickles."""

from collections.abc import Mapping
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import ArrayLike


def write_arrays(
    file: BinaryIO, arrays: Mapping[str, ArrayLike], *, compressed: bool = False
) -> None:
    """Write arrays by name; those of Python objects are refused.

    `numpy.savez` itself can be told to refuse them from NumPy 2.1 on.

    Parameters
    ----------
    file : file
        Open for writing.
    arrays : mapping
        Arrays by name.
    compressed : bool
        Whether to compress them.

    Examples
    --------
    >>> import io
    >>> write_arrays(file := io.BytesIO(), {"a": [1, 2]})
    >>> np.load(io.BytesIO(file.getvalue()), allow_pickle=False)["a"]
    array([1, 2])
    """
    values = {name: np.asarray(value) for name, value in arrays.items()}
    objects = [name for name, value in values.items() if value.dtype.hasobject]
    if objects:
        raise ValueError(f"The array {objects[0]!r} holds Python objects, which are not written.")
    save = np.savez_compressed if compressed else np.savez
    save(file, **cast(Any, values))
