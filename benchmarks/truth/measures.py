"""What the records of a method say at a level q: false discoveries, power, and their errors."""

from typing import NamedTuple

import numpy as np

RELATED = 0.1  # share of its variance, explained by relevant features, from which one is related


class Mean(NamedTuple):
    """Mean of n values and its standard error."""

    mean: float
    se: float
    n: int

    def __str__(self):
        return "–" if np.isnan(self.mean) else f"{self.mean:.3f} ± {self.se:.3f}"


def mean_of(values):
    """Mean and standard error; NaN for none."""
    n = len(values)
    if not n:
        return Mean(np.nan, np.nan, 0)
    return Mean(float(np.mean(values)), float(np.std(values, ddof=min(1, n - 1)) / n**0.5), n)


def selected(record, q):
    """Features with a q-value of at most q."""
    return {int(j) for j, level in record["q"].items() if level <= q}


def any_found(record, q):
    return float(bool(selected(record, q)))


def strict(record, q):
    """Proportion of the selected that are not relevant; 0 if nothing is selected."""
    found = selected(record, q)
    return len(found - set(record["relevant"])) / max(1, len(found))


def lenient(record, q):
    """The same, where kin of a relevant feature counts as true."""
    found = selected(record, q)
    kin = {int(j) for j in record["kin"]}
    return len(found - kin - set(record["relevant"])) / max(1, len(found))


def unrelated(record, q):
    """Proportion of the selected of which relevant features explain next to nothing."""
    found = selected(record, q)
    shares = [record["explained"][str(j)] for j in found]
    return sum(share < RELATED for share in shares) / max(1, len(found))


def power(record, q):
    """Share of the relevant features that are selected; NaN if there are none."""
    return share_of(selected(record, q), record)


def power_with_kin(record, q):
    """Share of the relevant features that are selected themselves or by a kin."""
    found = selected(record, q)
    stood_for = {r for j, those in record["kin"].items() if int(j) in found for r in those}
    return share_of(found | stood_for, record)


def share_of(found, record):
    relevant = set(record["relevant"])
    return len(found & relevant) / len(relevant) if relevant else np.nan


def mean(measure, records, q):
    """Mean of a measure over records."""
    return mean_of([measure(record, q) for record in records])


def bound_of_share(q, n):
    """q and two standard errors of a share that is q."""
    return q + 2 * (q * (1 - q) / n) ** 0.5 if n else np.nan


def bound_of_mean(q, found):
    """q and two standard errors of a mean."""
    return q + 2 * found.se
