"""Values that leave a figure nothing to scale by, and values that differ by rounding only."""

import numpy as np
from hypothesis import strategies as st

from hitmiss.metrics import Substitutes, Synergy

ULPS = st.integers(-3, 3)
ANY = st.sampled_from([0.0, 0.1, 1.0, -3.0, 1e-9, 1e9, 1e308, -1.7e308, 5e-324, 1e-310])
HUGE = st.sampled_from([1e308, -1e308, 1.7e308, 0.0])
SUBNORMAL = st.sampled_from([0.0, 5e-324, 1e-310, -1e-310])
PLAIN = st.sampled_from([-1.0, 0.0, 0.1, 0.2, 0.3, 0.5, 1.0])
OFFSET = st.sampled_from([1e9, 1e9 + 1e-3, 1e9 + 7.0])


def nudged(values, ulps):
    """Values moved by a few units in their last place, and zeros by as much as the largest."""
    values, ulps = np.asarray(values, float), np.asarray(ulps)
    largest = np.fmax.reduce(np.abs(values), initial=0.0)
    return values + ulps * np.spacing(np.where(values == 0, largest, np.abs(values)))


@st.composite
def degenerate(draw, min_size=1, missing=False):
    """Finite values, all equal, equal but for rounding, huge, subnormal, or far from zero."""
    n = draw(st.integers(min_size, 6))
    elements = draw(st.sampled_from([None, HUGE, SUBNORMAL, PLAIN, OFFSET]))
    one = st.just(draw(ANY)) if elements is None else elements
    values = np.array(draw(st.lists(one, min_size=n, max_size=n)))
    values = nudged(values, draw(st.lists(ULPS, min_size=n, max_size=n)))
    if missing and draw(st.booleans()):
        values[draw(st.integers(0, n - 1))] = np.nan
    return values


@st.composite
def twice(draw, min_size=1):
    """The values of one computation and of another CPU, which differ by rounding only."""
    values = draw(degenerate(min_size))
    n = len(values)
    return values, nudged(values, draw(st.lists(ULPS, min_size=n, max_size=n)))


def classes(values):
    return np.arange(len(values)) % 2


def table(values):
    """Samples of which each feature is degenerate."""
    return np.column_stack([values, values[::-1]])


def history(values):
    return [{"start": n % 2, "objective": v, "gap": abs(v)} for n, v in enumerate(values)]


def exchanged(values):
    n = len(values)
    places, names = np.arange(n), np.arange(n).astype(str)
    return Substitutes(places, names, values, [places] * n, [names] * n, [values] * n, 1.0)


def together(values):
    places = np.arange(len(values))
    return Synergy(places, places.astype(str), np.array([values] * len(values)), 1.0)
