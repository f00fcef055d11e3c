"""Axes of a chart: positions of values and ticks."""

import math
from collections.abc import Iterable

from hitmiss.plotting._rounding import LARGEST_DRAWN, ROUNDING, TINIEST

MOST_TICKS = 6  # texts that fit side by side below a chart
DIGITS = 1e-14  # of a value far from 0: what its last bits are worth


class Scale:
    """A linear or logarithmic axis from `start` to `stop`, in units of the picture.

    Parameters
    ----------
    values : iterable of float
        Values to be shown; on a logarithmic axis all at least 1e-300. On a linear one those
        beyond 1e300 are at its end.
    start, stop : float
        Positions of the smallest and the largest value.
    log : bool, default=False
        Whether the axis is logarithmic.
    zero : bool, default=False
        Whether a linear axis must show zero.

    Examples
    --------
    >>> scale = Scale([0, 9], 100, 200)
    >>> scale(5), scale.ticks
    (150.0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    """

    def __init__(
        self,
        values: Iterable[float],
        start: float,
        stop: float,
        *,
        log: bool = False,
        zero: bool = False,
    ):
        found = [*values, *([0.0] if zero else [])]
        self.log, self.start, self.stop = log, start, stop
        low, high = self._moved(min(found)), self._moved(max(found))
        # Fewer than two powers of ten in the range; one at its end counts as inside.
        if log and math.floor(high + ROUNDING) <= math.ceil(low - ROUNDING):
            low = math.floor(low + ROUNDING)
            high = max(math.ceil(high - ROUNDING), low + 1)
        elif _alike(low, high):
            low, high = (
                (0.0, 1.0) if zero else (low - abs(low) / 2 - 0.5, high + abs(low) / 2 + 0.5)
            )
        self.ticks = _powers_of_ten(low, high) if log else _round_numbers(low, high)
        self.low, self.high = (low, high) if log else (self.ticks[0], self.ticks[-1])

    def __call__(self, value: float) -> float:
        """Position of a value."""
        share = (self._moved(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.stop - self.start), 2)

    def _moved(self, value: float) -> float:
        if self.log:
            return math.log10(value)
        return max(-LARGEST_DRAWN, min(float(value), LARGEST_DRAWN))


def tick_text(value: float) -> str:
    """A number on an axis, with all digits that ticks have.

    Examples
    --------
    >>> [tick_text(v) for v in (0.0, 0.25, 20000.0, 1000.5, 20241000.0, 1e-05)]
    ['0', '0.25', '20,000', '1,000.5', '2.0241e7', '1e-5']
    """
    size = abs(value)
    if size and not 1e-4 < size < 1e6:
        mantissa, exponent = f"{value:.11e}".split("e")
        return f"{float(mantissa):.12g}e{int(exponent)}"
    return f"{value:,.12g}"


def _alike(low: float, high: float) -> bool:
    """Whether two values are too close to put ticks between them."""
    return high - low <= max(ROUNDING * max(abs(low), abs(high)), TINIEST)


def _powers_of_ten(low: float, high: float) -> list[float]:
    """Powers of ten between exponents, at most six of them."""
    first, last = math.ceil(low - ROUNDING), math.floor(high + ROUNDING)
    last = min(last, 308)  # 10^309 overflows
    return [10.0**k for k in range(first, last + 1, 1 + (last - first) // MOST_TICKS)]


def _round_numbers(low: float, high: float) -> list[float]:
    """About six multiples of 1, 2 or 5 times a power of ten that enclose low and high."""
    # A range of exactly 5 or 6 steps keeps these steps, whatever its last bit.
    step = 10.0 ** math.floor(math.log10((high - low) / MOST_TICKS) + ROUNDING)
    most = (MOST_TICKS - 1) * (1 + ROUNDING)
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= most or m == 10)
    slack = ROUNDING + DIGITS * max(abs(low), abs(high)) / step
    first, last = math.floor(low / step + slack), math.ceil(high / step - slack)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]
