"""How far apart two values of one feature are: the one definition that every kernel uses."""

from typing import Any

from numba import types
from numba.extending import overload

from hitmiss.kernels.jit import inlined


@inlined
def difference(a, b):
    """``|a - b|`` in the wider precision of the two."""
    return abs(a - b)


def unlike(a: Any, b: Any, gap: Any, cap: Any, j: Any) -> Any:
    """``min(|a - b|, cap[j])``, or `gap` where a or b is NaN; without a cap if `cap` is None.

    For kernels only. Whether there is a cap is known when they are compiled, so that a feature of
    numbers does not pay for it.
    """
    raise TypeError("unlike exists in compiled code only.")


@overload(unlike)
def _unlike(a, b, gap, cap, j):
    if isinstance(cap, types.NoneType):

        def number(a, b, gap, cap, j):
            d = abs(a - b)
            return d if d == d else gap

        return number

    def capped(a, b, gap, cap, j):
        d, most = abs(a - b), cap[j]
        least = d if d < most else most
        return least if d == d else gap

    return capped
