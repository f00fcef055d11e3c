"""The exponential of numbers of at most zero, in a form that vectorizes and does not divide."""

import math

import numpy as np

from hitmiss.kernels.jit import row_kernel
from hitmiss.kernels.kernel_constants import LEAST_EXPONENT

LOG2_E, LN_2 = 1 / math.log(2), math.log(2)
EXPONENT_BIAS, FRACTION_BITS = 1023, 52  # of a number in double precision


@row_kernel
def quick_exp(x):
    """``exp(x)`` for x <= 0, to 1e-9 relative, at least exp(-60).

    ``2**k exp(t)`` with ``|t| <= ln(2) / 2``: a Taylor polynomial of degree 8, and the power of two
    from its bits.
    """
    scaled = max(x, LEAST_EXPONENT) * LOG2_E
    k = math.floor(scaled + 0.5)
    t = (scaled - k) * LN_2
    e = 1 / 720 + t * (1 / 5040 + t * (1 / 40320))
    e = 1 + t * (1 + t * (1 / 2 + t * (1 / 6 + t * (1 / 24 + t * (1 / 120 + t * e)))))
    power = np.int64((np.int64(k) + EXPONENT_BIAS) << FRACTION_BITS)
    return e * power.view(np.float64)
