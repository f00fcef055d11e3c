"""What the stored lists must reach, as rows of the page of all benchmarks."""

import numpy as np

from benchmarks.quality.methods import METHODS
from benchmarks.timing import row

DEFAULT, RELIEFF = "lofe", "relieff"
FORMER = "lofe-1-weight"  # the default of 0.1


def rows(evidence):
    """Rows about the stored lists; undecided while there are none."""
    if not evidence.methods or not {DEFAULT, RELIEFF} <= set(evidence.methods):
        return []
    return [_best(evidence), _default(evidence), _stable(evidence)]


def _best(evidence):
    order = np.argsort(evidence.mean_ranks)
    first = evidence.methods[order[0]]
    listed = ", ".join(f"{evidence.methods[k]} {evidence.mean_ranks[k]:.2f}" for k in order[:5])
    return row(
        "mean rank over sets, lengths and classifiers",
        None,
        required="best for one of ours",
        note=listed,
        met=METHODS[first].ours,
    )


def _default(evidence):
    ranks = evidence.mean_ranks
    mine = ranks[evidence.methods.index(DEFAULT)]
    # Other settings of ours are not other methods.
    others = [ranks[k] for k, m in enumerate(evidence.methods) if not m.startswith("lofe")]
    place = 1 + int(np.sum(np.array(others) < mine))
    return row(
        "place of LOFE() among all methods, other settings of it left out",
        None,
        required="within the first three",
        note=f"{place} of {len(others) + 1}",
        met=place <= 3,
    )


def _stable(evidence):
    """Over the sets of which all that are compared have several repeats."""
    shown = [DEFAULT, RELIEFF, *([FORMER] if FORMER in evidence.methods else [])]
    each = evidence.stability[[evidence.methods.index(m) for m in shown]]
    both = ~np.isnan(each).any(axis=0)
    ours, theirs, *rest = each[:, both].mean(axis=1) if both.any() else (np.nan, np.nan)
    former = "".join(f"; {METHODS[FORMER].title} {one:.3f}" for one in rest)
    return row(
        "stability of the first 20, LOFE() and ReliefF()",
        None,
        required="at least that of ReliefF",
        note=f"{ours:.3f} and {theirs:.3f} on {both.sum()} sets{former}",
        met=bool(ours >= theirs),
    )
