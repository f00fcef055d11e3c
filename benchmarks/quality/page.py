"""The page about the lists: who wins where."""

import numpy as np

from benchmarks.quality.judges import JUDGES, LENGTHS
from benchmarks.quality.measures import STABLE
from benchmarks.quality.methods import METHODS
from benchmarks.quality.own import FOLDER
from benchmarks.quality.sets import GENES, N_FOLDS, N_IRRELEVANT, SMALLEST_CLASS
from benchmarks.truth.store import named, of_all, sentence, timed_on

TOP = f"""# Whose list is best

Each method ranks the features of training samples; a classifier is fitted on the first 5, 10, 20
and 50 of its list and judged by new samples: by the balanced error, the mean of the errors within
the classes. Three judges, so that no method is favored by its own kind: {", ".join(JUDGES)}.

All real data sets at hand. Those of fewer than 100 features, which leave no choice, have
{N_IRRELEVANT:,} standard normal features beside their own. At most 400 samples are used for
training; sets of fewer than 300 samples are split into {N_FOLDS} folds, so that every sample is
tested once. Microarrays are logarithms of intensities above 16. Classes of fewer than
{SMALLEST_CLASS} samples are left out. Three pairs of sets share their samples; each counts half.

Stability is the mean overlap (Jaccard) of the first {STABLE} features of two splits of different
repeats, over the sets of which all methods have several. Seconds are CPU seconds of one fit, mean
over the sets. scikit-rebate is not listed apart: its ReliefF gives the
same numbers as ours up to rounding.

`python -m benchmarks.quality` goes on where it stopped and writes this page.
"""
MADE_WITH = """Errors, lists and stability may come from several machines. The seconds above are of
one only: {machine}. Where the model was not recorded, several
processors may share a name.
"""


def page(evidence):
    """The page as Markdown.

    Parameters
    ----------
    evidence : Evidence
        What is stored.
    """
    if not evidence.methods:
        return TOP + "\nNo results are stored yet.\n"
    return "\n".join([TOP, *_repeats(evidence), *_methods(evidence), *_sets(evidence)]) + "\n"


def _repeats(evidence):
    least, most = min(evidence.repeats.values()), max(evidence.repeats.values())
    fewer = [METHODS[m].title for m in evidence.methods if METHODS[m].repeats is not None]
    text = f"{least} repeats" if least == most else f"{least} to {most} repeats"
    less = f"; fewer of {', '.join(fewer)}, which are slow" if fewer else ""
    return [f"So far {text} of each of {len(evidence.sets)} sets{less}.", ""]


def _methods(evidence):
    """All methods, the best mean rank first."""
    ranks, shares = evidence.mean_ranks, evidence.shares
    by_length = 100 * np.einsum("mskl,s->ml", evidence.errors, shares) / len(JUDGES)
    genes = np.isin(evidence.sets, GENES)
    errors = 100 * evidence.errors.mean(axis=(2, 3))
    best = errors.argmin(axis=0)
    lines = ["## All sets", ""]
    lines += [
        "| method | mean rank | "
        + " | ".join(f"error, {k} features" for k in LENGTHS)
        + " | tables | microarrays | best on | stability | seconds |",
        "|" + "---|" * (len(LENGTHS) + 7),
    ]
    for k in np.argsort(ranks):
        parts = [_mean(errors[k, p], shares[p]) for p in (~genes, genes)]
        cells = [
            METHODS[evidence.methods[k]].title,
            f"{ranks[k]:.2f}",
            *(f"{error:.1f}" for error in by_length[k]),
            *(f"{error:.1f}" for error in parts),
            f"{int((best == k).sum())} sets",
            _known(evidence.mean_stability[k]),
            _known(evidence.seconds[k].mean(), "{:.2g}"),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def _known(number, form="{:.2f}"):
    return "" if np.isnan(number) else form.format(number)


def _mean(errors, shares):
    return float(np.average(errors, weights=shares)) if len(errors) else np.nan


def _sets(evidence):
    """Every set: the default beside the best of ours and the best peer."""
    errors = 100 * evidence.errors.mean(axis=(2, 3))
    bars = 100 * evidence.standard_errors
    ours = np.array([METHODS[m].ours for m in evidence.methods])
    default = evidence.methods.index("lofe")
    lines = ["## Every set", "", "Mean error over judges and lengths, with its standard error.", ""]
    lines += ["| set | LOFE() | best of ours | best of others | wins |", "|---|---|---|---|---|"]
    for s, name in enumerate(evidence.sets):
        a = int(np.where(ours, errors[:, s], np.inf).argmin())
        b = int(np.where(ours, np.inf, errors[:, s]).argmin())
        gap, bar = errors[b, s] - errors[a, s], np.nanmax([bars[a, s], bars[b, s], 0.0])
        wins = "level" if abs(gap) <= bar else "ours" if gap > 0 else "theirs"
        cells = [_cell(evidence, errors, bars, k, s) for k in (a, b)]
        own = _with_bar(errors[default, s], bars[default, s])
        lines.append(f"| {name} | {own} | {cells[0]} | {cells[1]} | {wins} |")
    return lines


def _cell(evidence, errors, bars, k, s):
    title = METHODS[evidence.methods[k]].title
    return f"{_with_bar(errors[k, s], bars[k, s])}, {title}"


def _with_bar(error, bar):
    """An error with its standard error, which a single repeat does not have."""
    return f"{error:.1f}" if np.isnan(bar) else f"{error:.1f} ± {bar:.1f}"


def made_with(folder):
    """Lines of Markdown: what lists and predictions were made with, and whose times are shown."""
    lists, fits = of_all(folder), of_all(folder / FOLDER)
    if not lists:
        return []
    text = MADE_WITH.format(machine=named(timed_on(lists)))
    return ["## Made with", "", sentence([*lists, *fits]), text]
