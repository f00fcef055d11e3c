"""What single fits must reach, measured when asked for: noise, interactions, passes, the price."""

import os
import time
import warnings

import numpy as np

from benchmarks.timing import row
from benchmarks.truth import microarrays
from hitmiss import LOFE, IRelief, datasets

# Samples with which irrelevant features are counted -> draws, fewer where a fit takes long.
SAMPLES = {100: 10, 300: 10, 600: 6, 1200: 3, 2500: 2, 5000: 1}
N_FEATURES, SHIFTS = 2000, (2, 1)
FORMER = {100: 10, 300: 10, 600: 3, 1200: 1}  # the same with alpha=1; more take minutes
INTERACTIONS = {  # name -> what makes it, samples, irrelevant features, relevant ones
    "XOR + 100": (datasets.make_xor, 200, 100, 2),
    "XOR + 1,000": (datasets.make_xor, 200, 1000, 2),
    "parity + 40": (datasets.make_parity, 200, 40, 3),
    "spiral + 1,000": (datasets.make_spiral, 460, 1000, 2),
}
N_DRAWS = 10
TUNED_SETS = ("leukemia_golub", "tox_171")
MOST_PLAIN = 15  # the price of a tuned fit, at most


def measured(*, quick):
    """All rows; `quick` leaves out what takes long."""
    some, former = (dict(list(kept.items())[: 2 if quick else None]) for kept in (SAMPLES, FORMER))
    found = [irrelevant(n, draws) for n, draws in some.items()]
    found += [irrelevant(n, draws, alpha=1.0) for n, draws in former.items()]
    found += [interaction(name, 3 if quick else N_DRAWS) for name in INTERACTIONS]
    if "HITMISS_DATA" in os.environ:
        names = list(microarrays.SIZES)[: 2 if quick else None]
        found += [banana(3 if quick else N_DRAWS), converged(names)]
        found += [tuning_cost(*data) for data in tuned_sets()]
    return found


def irrelevant(n_samples, n_draws, **settings):
    """How many irrelevant features LOFE selects beside two relevant ones."""
    counts, relevant, began = [], [], time.process_time()
    for seed in range(n_draws):
        X = np.random.default_rng(seed).normal(size=(n_samples, N_FEATURES)).astype(np.float32)
        y = np.arange(n_samples) % 2
        X[:, : len(SHIFTS)] += np.outer(y, SHIFTS)
        chosen = LOFE(**settings).fit(X, y).get_support(indices=True)
        counts.append(int(np.sum(chosen >= len(SHIFTS))))
        relevant.append(int(np.sum(chosen < len(SHIFTS))))
    return row(
        f"irrelevant features selected by {_named(settings)}, {n_samples:,} x {N_FEATURES:,}",
        (time.process_time() - began) / n_draws,
        required="at most 1 on average",
        note=f"{np.mean(counts):.1f}, and {np.mean(relevant):.1f} of 2 relevant, of {n_draws} "
        "draws; CPU seconds of a fit",
        met=bool(np.mean(counts) <= 1),
    )


def _named(settings):
    return f"LOFE({', '.join(f'{name}={value!r}' for name, value in settings.items())})"


def interaction(name, n_draws):
    """Whether LOFE selects features that say something only together, and no other."""
    make, n_samples, n_irrelevant, n_relevant = INTERACTIONS[name]
    draws = (
        make(n_samples, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)
        for seed in range(n_draws)
    )
    return _exactly(name, draws, n_draws, n_relevant)


def banana(n_draws):
    """The same of two features whose effect is mostly joint, with 300 samples among 1,000."""
    data = datasets.load("ida_banana")

    def draw(seed):
        rng = np.random.default_rng(seed)
        rows = rng.permutation(len(data.target))[:300]
        return np.hstack([data.data[rows], rng.normal(size=(300, 1000))]), data.target[rows]

    return _exactly("banana + 1,000", map(draw, range(n_draws)), n_draws, 2)


def _exactly(name, draws, n_draws, n_relevant):
    wanted = list(range(n_relevant))
    found = [LOFE().fit(X, y).get_support(indices=True).tolist() for X, y in draws]
    exact = sum(chosen == wanted for chosen in found)
    there = sum(set(wanted) <= set(chosen) for chosen in found)
    return row(
        f"{name}, LOFE()",
        None,
        required=f"all relevant ones in {n_draws} of {n_draws}",
        note=f"in {there}, and no other in {exact}",
        met=there == n_draws,
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
        note=f"{n_done} of {len(names)}, {min(passes)} to {max(passes)} passes",
        met=bool(max(passes) <= 30),
    )


def tuned_sets():
    """Sets on which a tuned fit is timed: name, samples and classes."""
    data = datasets.load("prostate_singh")
    rows = np.ravel(data.train_idx)  # 102 x 12,600
    yield "prostate_singh", data.data[rows].astype(np.float32), data.target[rows]
    for name in TUNED_SETS:
        X, y = microarrays.load(name)
        yield name, X.astype(np.float32), y


def tuning_cost(name, X, y, n_rounds=3):
    """The price of a tuned fit, in plain ones: CPU time of one thread, in turn."""
    ours, plain = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        LOFE(n_jobs=1).fit(X, y)  # compiles
        for _ in range(n_rounds):
            ours.append(_cpu_seconds(LOFE("auto", "auto", n_jobs=1), X, y))
            plain.append(_cpu_seconds(LOFE(alpha=1.0, order="weight", n_jobs=1), X, y))
    return row(
        f'LOFE("auto", "auto"), {name}, {X.shape[0]} x {X.shape[1]:,}',
        min(ours),
        'LOFE(alpha=1, order="weight")',
        min(plain),
        required=f"at most {MOST_PLAIN}",
        note="CPU time of one thread",
    )


def _cpu_seconds(model, X, y):
    began = time.process_time()
    model.fit(X, y)
    return time.process_time() - began
