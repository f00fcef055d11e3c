"""The exponential of numbers of at most zero, in forms that vectorize, unlike the library's.

Four, as they differ in accuracy, speed and the last bits, all of which their users rely on:

============== ========= ============ =======================================================
`exp_negative` double    to 1e-9      exact neighbors: its bits are those of every result
`rough_exp`    any       to 1e-9      approximate ones: multiplies where `exp_negative` divides
`quick_exp`    double    to 1e-9      row tiles: a power of two from its bits, a quarter of the time
`single_exp`   single    to 4e-6      approximate ones in single precision: all of it computed there
============== ========= ============ =======================================================
"""

import math

import numpy as np

from hitmiss.kernels.jit import row_kernel

# Exponents below the least one count as that one. exp(-60) is 1e-26, and a neighbor of that
# probability is lost in any sum of double precision.
LEAST_EXPONENT = -60.0

# The polynomial of degree 6 is evaluated at x / 2**10, at most 0.06. The relative error is 5e-10;
# one squaring fewer makes it 3e-8, one more 8e-12.
SQUARINGS = 10

LOG2_E, LN_2 = 1 / math.log(2), math.log(2)
EXPONENT_BIAS, FRACTION_BITS = 1023, 52  # of a number in double precision
SINGLE_BIAS, SINGLE_FRACTION_BITS = np.int32(127), np.int32(23)  # of one in single precision


@row_kernel
def exp_negative(x):
    """``exp(x)`` for x <= 0, to 1e-9 relative, at least exp(-60).

    A Taylor polynomial at x / 2**10, squared ten times.
    """
    t = max(x, LEAST_EXPONENT) / 2**SQUARINGS
    e = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4 * (1 + t / 5 * (1 + t / 6)))))
    for _ in range(SQUARINGS):
        e *= e
    return e


@row_kernel
def rough_exp(x):
    """`exp_negative` without its divisions, which take four fifths of its time."""
    t = max(x, LEAST_EXPONENT) * 0.5**SQUARINGS
    e = 1 + t * (1 + t * (0.5 + t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 + t * (1.0 / 720))))))
    for _ in range(SQUARINGS):
        e *= e
    return e


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


@row_kernel
def single_exp(x):
    """`quick_exp` in single precision, with a polynomial of degree 6."""
    one, half = np.float32(1), np.float32(0.5)
    scaled = max(x, np.float32(LEAST_EXPONENT)) * np.float32(LOG2_E)
    k = np.int32(scaled - half)  # towards zero: the nearest whole number
    t = (scaled - np.float32(k)) * np.float32(LN_2)
    e = np.float32(1 / 24) + t * (np.float32(1 / 120) + t * np.float32(1 / 720))
    e = one + t * (one + t * (half + t * (np.float32(1 / 6) + t * e)))
    return e * np.int32((k + SINGLE_BIAS) << SINGLE_FRACTION_BITS).view(np.float32)
