"""What the lists must reach, as rows of the page of all benchmarks."""

import os
import time
import warnings

import numpy as np

from benchmarks.quality.methods import METHODS
from benchmarks.timing import compared, row
from benchmarks.truth import microarrays
from hitmiss import LOFE, IRelief

DEFAULT, TUNED, RELIEFF = "lofe", "lofe-tuned", "relieff"
SAMPLES = (100, 300, 600, 1200, 2500, 5000)  # with which irrelevant features are counted
N_FEATURES, SHIFTS = 2000, (2, 1)


def rows(evidence):
    """Rows about the stored lists; undecided while there are none."""
    if not evidence.methods or not {DEFAULT, TUNED, RELIEFF} <= set(evidence.methods):
        return []
    return [_best(evidence), _default(evidence), _stable(evidence), _tuned(evidence)]


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
    means = {
        m: float(np.nanmean(evidence.stability[evidence.methods.index(m)]))
        for m in (DEFAULT, RELIEFF)
    }
    return row(
        "stability of the first 20, LOFE() and ReliefF()",
        None,
        required="at least that of ReliefF",
        note=f"{means[DEFAULT]:.3f} and {means[RELIEFF]:.3f}",
        met=means[DEFAULT] >= means[RELIEFF],
    )


def _tuned(evidence):
    plain, tuned = (evidence.methods.index(m) for m in (DEFAULT, TUNED))
    errors = evidence.errors.mean(axis=(2, 3))
    excess = errors[tuned] - errors[plain]
    worse = [
        name
        for k, name in enumerate(evidence.sets)
        if excess[k] > np.nan_to_num(evidence.standard_errors[plain, k])
    ]
    mean = float(excess @ evidence.shares)
    return row(
        'LOFE("auto", "auto") beside LOFE()',
        None,
        required="no worse on any set by a standard error, better on average",
        note=f"{100 * mean:+.2f} points on average; worse on {', '.join(worse) or 'none'}",
        met=mean < 0 and not worse,
    )


def measured(*, quick):
    """Rows that are measured now."""
    found = [irrelevant(n, 2 if quick or n > 1000 else 5) for n in SAMPLES[: 2 if quick else None]]
    if "HITMISS_DATA" in os.environ:
        names = list(microarrays.SIZES)[: 2 if quick else None]
        found += [converged(names), tuning_cost(names[0])]
    return found


def irrelevant(n_samples, n_draws):
    """How many irrelevant features LOFE() selects."""
    counts, relevant, began = [], [], time.perf_counter()
    for seed in range(n_draws):
        X = np.random.default_rng(seed).normal(size=(n_samples, N_FEATURES)).astype(np.float32)
        y = np.arange(n_samples) % 2
        X[:, : len(SHIFTS)] += np.outer(y, SHIFTS)
        chosen = LOFE().fit(X, y).get_support(indices=True)
        counts.append(int(np.sum(chosen >= len(SHIFTS))))
        relevant.append(int(np.sum(chosen < len(SHIFTS))))
    return row(
        f"irrelevant features selected by LOFE(), {n_samples:,} x {N_FEATURES:,}, two relevant",
        (time.perf_counter() - began) / n_draws,
        required="at most 1 on average",
        note=f"{np.mean(counts):.1f} of {n_draws} draws; relevant {np.mean(relevant):.1f} of 2",
        met=bool(np.mean(counts) <= 1),
    )


def converged(names):
    """On how many microarrays I-RELIEF converges."""
    passes = []
    for name in names:
        X, y = microarrays.load(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = IRelief("auto").fit(X.astype(np.float32), y)
        passes.append(model.n_iter_ if model.converged_ else np.inf)
    n_done = int(np.isfinite(passes).sum())
    return row(
        f'IRelief("auto") on {len(names)} microarrays',
        None,
        required="converged on all in at most 30 passes",
        note=f"{n_done} of {len(names)}, at most {max(passes)} passes",
        met=bool(max(passes) <= 30),
    )


def tuning_cost(name):
    """The price of a tuned fit, in plain ones."""
    X, y = microarrays.load(name)
    X = X.astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compared(
            f'LOFE("auto", "auto"), {X.shape[0]} x {X.shape[1]:,}',
            lambda: LOFE("auto", "auto").fit(X, y),
            "LOFE(alpha=1)",
            lambda: LOFE(alpha=1.0).fit(X, y),
            required="at most 15",
            note=name,
        )
