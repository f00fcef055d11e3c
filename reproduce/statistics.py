"""Means, standard deviations and comparisons, as the tables print them."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import ttest_rel

PUBLISHED = tomllib.loads((Path(__file__).parent / "published.toml").read_text(encoding="utf-8"))


class Mean(NamedTuple):
    """Mean and standard deviation of n values."""

    mean: float
    sd: float
    n: int

    def __str__(self):
        if not self.n:
            return "–"
        return f"{self.mean:.1f}({self.sd:.1f})" if self.n > 1 else f"{self.mean:.1f}"


def values(records, case, method, field):
    """One field of the records of a method on one case, by run, where they have it."""
    keys = sorted(key for key in records if (key.case, key.method) == (case, method))
    return [records[key][field] for key in keys if field in records[key]]


def mean_of(values):
    """Mean of the values; a single one has no deviation, and none have no mean."""
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
    return f"{ours} / {theirs}" + ("" if np.isnan(apart) else f", {apart:+.1f}")


def outcome(ours, theirs, level=0.05):
    """ "win", "tie" or "loss" of ours, smaller being better, by a paired two-sided t-test.

    It is "open" as long as a run of one of them is missing, or there is only one.
    """
    if len(ours) != len(theirs) or len(ours) < 2:
        return "open"
    apart = np.asarray(ours, float) - np.asarray(theirs, float)
    if not apart.any():
        return "tie"
    if np.ptp(apart) > 0 and ttest_rel(ours, theirs).pvalue >= level:
        return "tie"
    return "win" if apart.mean() < 0 else "loss"


def tally(outcomes):
    """Wins, ties and losses as "4/3/0"."""
    return "/".join(str(list(outcomes).count(word)) for word in ("win", "tie", "loss"))
