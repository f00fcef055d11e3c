"""Means, standard deviations and comparisons, as the tables print them."""

import re
from typing import NamedTuple

import numpy as np
from scipy.stats import ttest_rel

FAR = 2.0  # standard errors beyond which a difference counts


class Mean(NamedTuple):
    """Mean and standard deviation of n values."""

    mean: float
    sd: float
    n: int

    def __str__(self):
        if not self.n:
            return "–"
        return f"{self.mean:.1f}({self.sd:.1f})" if self.n > 1 else f"{self.mean:.1f}"


def mean_of(values):
    """Mean of the values; NaN as deviation of a single one, and as mean of none."""
    values = np.asarray(values, float)
    if not len(values):
        return Mean(np.nan, np.nan, 0)
    sd = values.std(ddof=1) if len(values) > 1 else np.nan
    return Mean(float(values.mean()), float(sd), len(values))


def parsed(text, n):
    """Published mean and standard deviation over n runs, printed as "4.1(0.9)"."""
    mean, sd = re.fullmatch(r"([\d.]+)\s*\(([\d.]+)\)", text).groups()
    return Mean(float(mean), float(sd), n)


def difference(ours, theirs):
    """Difference of two means in standard errors; NaN where ours is a single run."""
    if ours.n < 2:
        return np.nan
    error = np.sqrt(ours.sd**2 / ours.n + theirs.sd**2 / theirs.n)
    return (ours.mean - theirs.mean) / error if error > 0 else np.nan


def compared(values, theirs):
    """Cell of a table: our mean, the published one, and their difference in standard errors."""
    ours = mean_of(values)
    apart = difference(ours, theirs)
    return f"{ours} / {theirs}" + ("" if np.isnan(apart) else f", {signed(apart)}")


def signed(value):
    """A difference with its sign and one digit; what rounds to zero has a plus."""
    return f"{value:+z.1f}"


def share_of(percent, n):
    """Error in percent of n samples classified once each, with its binomial standard deviation."""
    return Mean(percent, float(np.sqrt(percent * (100 - percent))), n)


class Change(NamedTuple):
    """Mean of paired differences, with its standard error."""

    mean: float
    error: float

    def __str__(self):
        return "–" if np.isnan(self.mean) else f"{signed(self.mean)} ± {self.error:.1f}"

    @property
    def falls(self):
        """Whether it is below zero by more than FAR standard errors."""
        return self.mean < -FAR * self.error


def paired(ours, theirs):
    """Change from theirs to ours, run by run; NaN as long as a run is missing, or there is one."""
    if len(ours) != len(theirs) or len(ours) < 2:
        return Change(np.nan, np.nan)
    apart = mean_of(np.subtract(ours, theirs))
    return Change(apart.mean, apart.sd / np.sqrt(apart.n))


def p_value(ours, theirs):
    """p of a paired two-sided t-test; NaN as long as a run is missing, or there is only one."""
    if len(ours) != len(theirs) or len(ours) < 2:
        return np.nan
    apart = np.asarray(ours, float) - np.asarray(theirs, float)
    if not np.ptp(apart) > 0:  # the same difference every time
        return 0.0 if apart.any() else 1.0
    p = ttest_rel(ours, theirs).pvalue
    return float(np.nan_to_num(p, nan=1.0))  # differences too small to be squared are none


def p_text(p, digits=3):
    """A p-value as printed; one below the last digit as "< 0.001", never as zero."""
    smallest = 10.0**-digits
    return f"< {smallest:.{digits}f}" if p < smallest else f"{p:.{digits}f}"


def outcome(ours, theirs, level=0.05):
    """ "win", "tie" or "loss" of ours, smaller being better, by a paired two-sided t-test.

    It is "open" as long as a run of one of them is missing, or there is only one.
    """
    p = p_value(ours, theirs)
    if np.isnan(p):
        return "open"
    if p >= level:
        return "tie"
    return "win" if np.subtract(ours, theirs).mean() < 0 else "loss"


def tally(outcomes):
    """Wins, ties and losses as "4/3/0"; and how many are open."""
    counts = [str(list(outcomes).count(word)) for word in ("win", "tie", "loss", "open")]
    return "/".join(counts[:3]) + (f", {counts[3]} open" if counts[3] != "0" else "")


def value_counts(values, grid):
    """How often each value of a grid was chosen, as "2: 3, 5: 1", so that its edges are seen."""
    counts = {value: list(values).count(value) for value in sorted(grid)}
    return ", ".join(f"{value:g}: {n}" for value, n in counts.items())
