"""The one compiler decorator of every kernel."""

import warnings
from collections.abc import Callable
from typing import Any

from numba import njit

# Sums may be reassociated so that they vectorize; NaN and inf keep their meaning.
REORDER = {"reassoc", "contract", "nsz"}


def kernel(function: Callable) -> Any:
    """Compile a function when it is first called, and keep the machine code on disk.

    Where no folder for that is writable it is compiled anew in every process, with a warning.
    """
    how = {"nogil": True, "fastmath": REORDER}
    try:
        return njit(cache=True, **how)(function)
    except RuntimeError:  # numba found no place for its cache
        warnings.warn(
            "Compiled code cannot be kept, so every process compiles anew; set NUMBA_CACHE_DIR to "
            "a folder that can be written.",
            stacklevel=2,
        )
        return njit(**how)(function)
