"""What tuning is worth: errors of tuned fits less those of default ones, split by split."""

from typing import NamedTuple

import numpy as np

from benchmarks.quality.judges import JUDGES
from benchmarks.quality.own import COMPARED, FOLDER
from benchmarks.quality.sets import SETS, share
from benchmarks.timing import row
from benchmarks.truth.store import Store

ROUNDING = 1e-9  # of errors


class Pairs(NamedTuple):
    """Errors of both on the repeats that both have, by set."""

    plain: dict[str, np.ndarray]
    tuned: dict[str, np.ndarray]

    @property
    def excess(self):
        """Of every set, the mean difference: above 0 where tuning does harm."""
        return {name: float(np.mean(self.tuned[name] - self.plain[name])) for name in self.plain}

    @property
    def bars(self):
        """The standard errors of these, NaN of a single repeat."""
        return {name: _bar(self.tuned[name] - self.plain[name]) for name in self.plain}

    @property
    def worse(self):
        """Sets on which the mean difference is above its standard error.

        Where one repeat of two differs they are equal, but for rounding.
        """
        return [name for name, bar in self.bars.items() if self.excess[name] > bar + ROUNDING]

    @property
    def single(self):
        """Sets of which nothing is known but one repeat."""
        return [name for name, bar in self.bars.items() if np.isnan(bar)]

    @property
    def mean(self):
        """The mean difference over sets, and its standard error as one of a sample of sets."""
        shares = np.array([share(name) for name in self.plain])
        shares, excess = shares / shares.sum(), np.array(list(self.excess.values()))
        mean = float(excess @ shares)
        freedom = 1 - shares @ shares  # (n - 1) / n of equal shares
        if not freedom:
            return mean, np.nan
        return mean, float(np.linalg.norm(shares * (excess - mean)) / np.sqrt(freedom))


def _bar(differences):
    if len(differences) < 2:
        return np.nan
    return float(differences.std(ddof=1) / np.sqrt(len(differences)))


def of_lists(folder):
    """Mean errors of three classifiers on lists of several lengths."""
    return _pairs(folder, lambda found: np.mean([found["errors"][judge] for judge in JUDGES]))


def of_predictions(folder):
    """Errors of the fits themselves."""
    return _pairs(folder / FOLDER, lambda found: found["error"])


def _pairs(folder, error):
    plain, tuned = (Store(method, folder).records for method in COMPARED)
    both = {name: [key for key in plain if key[0] == name and key in tuned] for name in SETS}
    both = {name: keys for name, keys in both.items() if keys}
    return Pairs(
        *(
            {name: np.array([error(records[key]) for key in keys]) for name, keys in both.items()}
            for records in (plain, tuned)
        )
    )


def rows(folder):
    """Rows of the page of all benchmarks; none of what is not stored."""
    readings = {"its own predictions": of_predictions(folder), "lists": of_lists(folder)}
    return [_row(what, pairs) for what, pairs in readings.items() if pairs.plain]


def _row(what, pairs):
    """Undecided as long as nothing is known to be worse, and some sets have a single repeat."""
    mean, bar = pairs.mean
    met = bool(mean < 0 and not pairs.worse)
    larger = sum(value > 0 for value in pairs.excess.values())
    smaller = sum(value < 0 for value in pairs.excess.values())
    repeats = sorted({len(errors) for errors in pairs.plain.values()})
    return row(
        f'LOFE("auto", "auto") beside LOFE(), by {what}',
        None,
        required="no worse on any set by a standard error, better on average",
        note=f"{100 * mean:+.2f} ± {100 * bar:.2f} points on average, smaller on {smaller} and "
        f"larger on {larger} of {len(pairs.plain)} sets; by a standard error of the difference on "
        f"{', '.join(pairs.worse) or 'none'}; {' or '.join(map(str, repeats))} repeats",
        met=None if met and pairs.single else met,
    )


def page(folder):
    """Lines of Markdown: every set, both readings."""
    own, lists = of_predictions(folder), of_lists(folder)
    names = [name for name in SETS if name in own.plain or name in lists.plain]
    if not names:
        return []
    lines = [
        "## What tuning is worth",
        "",
        'Balanced error of `LOFE()`, and what it is more for `LOFE("auto", "auto")` on the same '
        "splits,",
        "with the standard error of that difference: of the predictions of the fit itself, and of "
        "its lists,",
        "mean over classifiers and lengths. 0.0 without one: the same in all repeats.",
        "",
        "| set | own predictions | tuned | lists | tuned |",
        "|---|---|---|---|---|",
    ]
    cells = [[*_cells(own, name), *_cells(lists, name)] for name in names]
    cells = [[name, *each] for name, each in zip(names, cells, strict=True)]
    cells.append(["mean", *_means(own), *_means(lists)])
    return [*lines, *("| " + " | ".join(each) + " |" for each in cells), ""]


def _cells(pairs, name):
    if name not in pairs.plain:
        return "", ""
    return f"{100 * pairs.plain[name].mean():.1f}", _signed(pairs.excess[name], pairs.bars[name])


def _means(pairs):
    if not pairs.plain:
        return "", ""
    shares = [share(name) for name in pairs.plain]
    plain = np.average([errors.mean() for errors in pairs.plain.values()], weights=shares)
    return f"{100 * plain:.1f}", _signed(*pairs.mean)


def _signed(excess, bar):
    text = f"{100 * excess:+.1f}" if excess else "0.0"
    return f"{text} ± {100 * bar:.1f}" if bar > ROUNDING else text
