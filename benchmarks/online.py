"""OnlineLOFE: against batch LOFE, against a plain NumPy loop, and on a stream of a million.

And the methods that read row after row, on data in columns.
"""

import subprocess
import sys

import numpy as np
from scipy.special import expit

from benchmarks.timing import compared, once, row
from hitmiss import LOFE, OnlineIRelief, OnlineLOFE, Simba, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import Rows
from hitmiss.metrics import recovery_auc
from hitmiss.online.lofe import learn
from tests import reference

STARTS = (0.01, 0.1, 1.0, 10.0, 100.0)


def run(quick=False):
    """All rows; `quick` leaves out what takes minutes."""
    rows = [spiral(100), spiral(1_000), any_order(), against_numpy()]
    rows += [sparse_passes(), sparse_against_batch()]
    rows += [in_columns(OnlineIRelief(random_state=0)), in_columns(Simba(random_state=0))]
    rows += one_pass(2 if quick else 8)
    if not quick:
        rows += [spiral(10_000), any_start(), sparse_spirals(), million()]
    return rows


def spiral(n_irrelevant):
    """Default settings, and the weights of the batch with the same alpha."""
    X, y = datasets.make_spiral(n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)
    online = OnlineLOFE(random_state=0)
    time = once(lambda: online.fit(X, y))
    pair, others = online.weights_[:2], online.weights_[2:].max()
    note = f"weights {pair.round(2)}, the largest other {others:.2g}, alpha {online.alpha_:.3g}"
    if n_irrelevant > 1_000:
        places = np.flatnonzero(np.isin(online.ranking_, [0, 1])) + 1
        note += f", places {places.tolist()}"
        required, met = "both among the ten largest", bool(places.max() <= 10 and pair.all())
    else:
        batch = LOFE(alpha=online.alpha_).fit(X, y).weights_[:2]
        note += f"; batch {batch.round(2)}"
        required = "others below 1e-2 of the pair, the pair within 5 % of the batch"
        met = bool(others < 0.01 * pair.min() and np.allclose(pair, batch, rtol=0.05))
    what = f"OnlineLOFE, 20 passes over spiral + {n_irrelevant:,}"
    return row(what, time, required=required, note=note, met=met)


def any_order():
    """Default settings, the samples in ten orders."""
    X, y = datasets.make_spiral(n_irrelevant=100, random_state=0, return_X_y=True)
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(10)]
    fits = [OnlineLOFE(random_state=0) for _ in orders]
    time = sum(once(lambda: f.fit(X[o], y[o])) for f, o in zip(fits, orders, strict=True))  # noqa: B023
    pairs = np.array([fit.weights_[:2] for fit in fits])
    same = sum(set(fit.ranking_[:2].tolist()) == {0, 1} for fit in fits)
    spread = pairs.max(axis=0) / pairs.min(axis=0) - 1
    note = f"the pair on top in {same} of 10, its weights within {spread.max():.1%}"
    what = "OnlineLOFE, 20 passes over spiral + 100 in ten orders"
    return row(what, time / 10, required="the same two on top", note=note, met=same == 10)


def one_pass(n_seeds):
    """Recovery from one pass over 5,000 samples, and by the batch from 500 of them."""
    return [recovery(make, n_seeds) for make in (datasets.make_twonorm, datasets.make_waveform)]


def recovery(make, n_seeds):
    areas, times = [], []
    for seed in range(n_seeds):
        data = make(5000, n_irrelevant=500, random_state=seed)
        online, batch = OnlineLOFE(random_state=0), LOFE(alpha=1.0, order="weight")
        times.append(once(lambda: online.partial_fit(data.data, data.target)))  # noqa: B023
        batch.fit(data.data[:500], data.target[:500])
        areas.append(
            [recovery_auc(scores(e), data.relevant) for scores in SCORES for e in (online, batch)]
        )
    mean, worst = np.mean(areas, axis=0), np.diff(areas, axis=1)[:, ::2].max(axis=0)
    note = (
        f"mean of {n_seeds} seeds, online and batch: by ranking {mean[0]:.3f} and {mean[1]:.3f}, "
        f"by weights {mean[2]:.3f} and {mean[3]:.3f}; batch ahead in the worst seed by "
        f"{worst[0]:.3f} and {worst[1]:.3f}"
    )
    met = bool(mean[0] > mean[1] - 0.02 and mean[2] > mean[3] - 0.02)
    what = f"OnlineLOFE, one pass over 5,000 of {make.__name__[5:]} + 500"
    required = "mean AUC within 0.02 of LOFE's on 500 of them"
    return row(what, min(times), required=required, note=note, met=met)


SCORES = (lambda e: -np.argsort(e.ranking_).astype(float), lambda e: e.weights_)


def any_start():
    """Alpha from starts over four decades (Fig. 2c of the paper)."""
    X, y = datasets.make_waveform(500, n_irrelevant=500, random_state=0, return_X_y=True)
    fits = [OnlineLOFE(alpha_start=start, random_state=0) for start in STARTS]
    time = sum(once(lambda: fit.fit(X, y)) for fit in fits)  # noqa: B023
    found = np.array([fit.alpha_ for fit in fits])
    spread = found.max() / found.min() - 1
    note = f"from {STARTS} to {found.round(4).tolist()}: {spread:.1%} apart"
    what = "alpha by evidence, waveform + 500, 20 passes from 5 starts"
    return row(what, time, required="within 5 %", note=note, met=bool(spread < 0.05))


def against_numpy(n_samples=200):
    """The same update from the same state, one sample after the other, as written in NumPy."""
    X, y = datasets.make_twonorm(500, n_irrelevant=4980, random_state=0, return_X_y=True)
    X = reference.range_scale(X)
    online = OnlineLOFE(alpha=1.0, reservoir=500, random_state=0).partial_fit(X, y)
    samples = [(X[n], int(y[n]), n) for n in range(n_samples)]
    found = {}

    def ours():
        found["ours"] = online._learner.copy()
        workers = Workers()
        rows = Rows(X, workers)
        learn(found["ours"], rows, y, samples, 500, factor=np.ones(5000), sigma=2.0)

    def theirs():
        found["theirs"] = numpy_loop(X, y, n_samples, online._learner.rule)

    what = f"online LOFE, {n_samples} samples, 5,000 features, reservoir 500, alpha=1"
    peer = "plain NumPy loop of the same update"
    result = compared(what, ours, peer, theirs, required="at most 0.1", repeat=5)
    gap = np.abs(found["ours"].rule.w - found["theirs"]).max() / found["theirs"].max()
    result["note"] = f"{1 / result['ratio']:.1f} x the samples per second; weights within {gap:.0e}"
    result["met"] &= bool(gap < 1e-3)
    return result


def wide_waveform():
    return datasets.make_waveform(400, n_irrelevant=4979, random_state=0, return_X_y=True)


def sparse_passes():
    """Passes over the features with a weight, against passes over all of them."""
    X, y = wide_waveform()
    sparse, full = (OnlineLOFE(passes=passes, random_state=0) for passes in ("sparse", "all"))
    what = "OnlineLOFE, sparse passes over waveform, 400 x 5,000"
    peer = "20 passes over all features"
    required = "at most 0.1"
    result = compared(
        what, lambda: sparse.fit(X, y), peer, lambda: full.fit(X, y), required=required
    )
    kept = [fit.get_support(indices=True) for fit in (sparse, full)]
    result["note"] = (
        f"alpha {sparse.alpha_:.2f} and {full.alpha_:.2f}; selected "
        f"{len(kept[0])} and {len(kept[1])}, of these relevant "
        f"{np.sum(kept[0] < 21)} and {np.sum(kept[1] < 21)}"
    )
    return result


def sparse_against_batch():
    """The claim of the paper: online takes less time than batch."""
    X, y = wide_waveform()
    online = OnlineLOFE(passes="sparse", n_jobs=1, random_state=0)
    batch = LOFE(alpha=1.0, order="weight", n_jobs=1)
    what = "OnlineLOFE, sparse passes over waveform, 400 x 5,000, also tuning alpha, one thread"
    peer = "batch LOFE, alpha=1, one thread"
    return compared(
        what, lambda: online.fit(X, y), peer, lambda: batch.fit(X, y), required="at most 1"
    )


def sparse_spirals(n_draws=5):
    """The pair of the spiral among 10,000 features, by sparse passes."""
    fits, time = [OnlineLOFE(passes="sparse", random_state=0) for _ in range(n_draws)], 0.0
    for seed, fit in enumerate(fits):
        X, y = datasets.make_spiral(n_irrelevant=10_000, random_state=seed, return_X_y=True)
        time += once(lambda: fit.fit(X, y))  # noqa: B023
    found = [set(fit.get_support(indices=True).tolist()) == {0, 1} for fit in fits]
    first = [set(fit.ranking_[:2].tolist()) == {0, 1} for fit in fits]
    note = f"on top in {sum(first)} of {n_draws} draws, selected alone in {sum(found)}"
    what = "OnlineLOFE, sparse passes over spiral + 10,000"
    required = "the pair on top in every draw"
    return row(what, time / n_draws, required=required, note=note, met=all(first))


def in_columns(estimator):
    """Data as pandas hands them over, column after column."""
    X, y = datasets.make_twonorm(300, n_irrelevant=2980, random_state=0, return_X_y=True)
    columns = np.asfortranarray(X)
    what = f"{type(estimator).__name__}, 300 x 3,000, data in columns"
    return compared(
        what,
        lambda: estimator.fit(columns, y),
        "the same data in rows",
        lambda: estimator.fit(X, y),
        required="at most 1.5",
    )


def numpy_loop(X, y, n_samples, rule, sigma=2.0, rate=1 / 500):
    w, (G, _, _, Q), weight, k = rule.w, rule.sums, rule.weight, rule.n_iter
    for n in range(n_samples):
        A = np.abs(X - X[n])
        d = A @ w
        miss = y != y[n]
        hit = ~miss
        hit[n] = False
        P = np.exp(np.minimum(0, np.where(hit, d[hit].min(), d[miss].min()) - d) / sigma)
        z = (miss * P / P[miss].sum() - hit * P / P[hit].sum()) @ A
        pull = expit(-(w @ z)) * z
        k += 1
        keep = 1 - 1 / k
        G, Q, weight = keep * G + pull, keep**2 * Q + pull**2, keep * weight + 1
        w = rule.eta * np.maximum(0, G - rate * weight) / np.sqrt(Q)
    return w


def million():
    """A stream of 1,000,000 x 50 in batches of 10,000, with a progress bar, in its own process."""
    code = "from benchmarks.online import endless; print(*endless(100))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    time, early, late, n_right = map(float, out.stdout.split())
    bars = out.stderr.count("samples: ")
    note = (
        f"{1e6 / time:,.0f} samples/s; peak {early / 2**20:.0f} MiB after 100,000 samples, "
        f"{late / 2**20:.0f} MiB at the end; {bars} progress lines; "
        f"{n_right:.0f} of the 20 relevant on top"
    )
    met = bool(late <= early + 2**22 and bars == 100)
    required = "the peak does not grow"
    return row("stream of 1,000,000 x 50", time, required=required, note=note, met=met)


def endless(n_batches):
    """Seconds, peak memory after ten batches and at the end, and how many of the best are right."""
    from benchmarks.lofe import peak_memory

    online, seconds, early = OnlineLOFE(random_state=0, verbose=True), 0.0, 0
    for k in range(n_batches):
        X, y = datasets.make_twonorm(10_000, n_irrelevant=30, random_state=k, return_X_y=True)
        seconds += once(lambda: online.partial_fit(X, y))  # noqa: B023
        early = peak_memory() if k == 9 else early
    return seconds, early, peak_memory(), np.isin(online.ranking_[:20], np.arange(20)).sum()
