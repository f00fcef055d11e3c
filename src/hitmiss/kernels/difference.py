"""Difference of two values of one feature: the only definition, used by every kernel.

A kernel that takes `gap` and `cap` is compiled up to three times from one source: for numbers
(both None), for blocks with missing values (no cap), and for blocks that also hold nominal values.
Which of these it is, numba knows from the types, so that numbers pay nothing for the other two.
"""

from typing import Any

from numba import types
from numba.extending import overload

from hitmiss.kernels.jit import inlined

NUMBERS = (None, None)  # gap and cap of a block in which all values are numbers


@inlined
def difference(a, b):
    """``|a - b|`` in the wider precision of the two."""
    return abs(a - b)


@inlined
def at(values, j):
    """``values[j]``, or None if there are no values: gap or cap of feature j.

    Read once per feature, beside its values: inside `unlike` the loops would read them again after
    every number that they write, and take up to 7 % longer.
    """
    if values is None:
        return None
    return values[j]


@inlined
def unlike(a, b, gap, cap):
    """``min(|a - b|, cap)``, or `gap` where a or b is NaN; `difference` if the gap is None.

    Nominal values are codes, any two of which differ by at least the cap. A cap of None is none.
    """
    if gap is None:
        return difference(a, b)
    return _unlike(a, b, gap, cap)


def _unlike(a: Any, b: Any, gap: Any, cap: Any) -> Any:
    raise TypeError("_unlike exists in compiled code only.")


@overload(_unlike)
def _compiled_unlike(a, b, gap, cap):
    if isinstance(cap, types.NoneType):

        def number(a, b, gap, cap):
            d = abs(a - b)
            return d if d == d else gap

        return number

    def capped(a, b, gap, cap):
        d = abs(a - b)
        least = d if d < cap else cap
        return least if d == d else gap

    return capped
