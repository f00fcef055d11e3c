"""How far apart two values of one feature are: the one definition that every kernel uses."""

from hitmiss.kernels.jit import inlined


@inlined
def difference(a, b):
    """``|a - b|`` in the wider precision of the two."""
    return abs(a - b)
