"""The decorators that compile kernels."""

import warnings
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.event import Event, Listener, register

from hitmiss._util.progress import COMPILATION

# Compiler flags of floating-point arithmetic: sums may be reordered, without which they do not
# vectorize. Not among them is "nnan" or "ninf": NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "contract", "nsz"}


def kernel(function: Callable) -> Any:
    """Compile a function when it is first called, and keep the machine code on disk.

    Where no folder for that is writable it is compiled anew in every process, with a warning.
    """
    return _compiled(function)


def row_kernel(function: Callable) -> Any:
    """Compile a kernel that others call: these contain its machine code.

    Otherwise a kernel that was compiled in this process calls the one that was compiled on its own,
    and a kernel from the disk a copy that was compiled with it, whose sums may come in another
    order: the first run and the second would differ in the last bit.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable, **more: Any) -> Any:
    how = {"nogil": True, "fastmath": FASTMATH, **more}
    try:
        return njit(cache=True, **how)(function)
    except RuntimeError:  # numba found no place for its cache
        warnings.warn(
            "Compiled code cannot be kept, so every process compiles anew; set NUMBA_CACHE_DIR to "
            "a folder that can be written.",
            stacklevel=2,
        )
        return njit(**how)(function)


def inlined(function: Callable) -> Any:
    """Make a function part of every kernel that calls it, as if it were written there.

    This happens before compilation, so that the machine code is that of a kernel without the
    call; when LLVM inlines a compiled function instead, sums may come in another order. Kernels
    that are compiled already do not notice a change of the function: delete their cache.
    """
    return njit(inline="always")(function)


class _Reporter(Listener):
    """Reports when a kernel of this package is compiled; one from the disk is not."""

    def on_start(self, event: Event) -> None:
        if _is_ours(event):
            COMPILATION.begin()

    def on_end(self, event: Event) -> None:
        if _is_ours(event):
            COMPILATION.end()


def _is_ours(event: Event) -> bool:
    return str(event.data["dispatcher"].__module__).startswith("hitmiss.")


register("numba:compile", _Reporter())
