"""The test by subsamples: features that are selected from one half of the samples and the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import joined
from hitmiss._util.checks import check_count
from hitmiss._util.progress import Progress
from hitmiss._util.random import RandomStateLike, as_generator, random_subset
from hitmiss._util.workers import each_result
from hitmiss.inference.permutation import CALIBRATIONS, Exchange, Tested

PATH_POINTS = 50  # thresholds, in equal ratios: convention
PATH_BOUND = 0.05  # where the path ends, as in the paper: the integral of the bound on false ones


class SubsampleTest(NamedTuple):
    """Results of `subsample_test`."""

    statistic: NDArray  # of every feature: its stability, integrated over the path
    q_values: NDArray
    frequency: NDArray  # share of the halves that select each feature at the end of the path
    expected_false: NDArray  # Shah and Samworth's bound for the features at least as frequent


def subsample_test(
    selector: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_pairs: int = 20,
    random_state: RandomStateLike = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> SubsampleTest:
    r"""Select features from random halves of the samples, and see which come again.

    With statistics :math:`T_j` of a half, the features selected at t are those with
    :math:`T_j \ge t`. Let :math:`\pi_j(t)` be the share
    of the halves that select feature j, q(t) the mean number selected and B the number of pairs of
    halves. The stability of a feature is :math:`\int \max(2 \pi_j(t) - 1, 0)^3 \mu(dt)`, and

    .. math::
        E[\text{false ones with stability} \ge \tau] \le \frac1\tau \int \Bigl(
        \frac{q^2}{B^2 p} + \frac{3 (B - 1) q^4}{B^2 p^3} + \frac{(B - 1)(B - 2) q^6}{B^2 p^5}
        \Bigr) \mu(dt)

    of p features, if a feature that says nothing is selected from a half no more often than one
    that is drawn at random. The path ends where this integral reaches a small bound. The q-value is
    the bound for the features at least as stable, over their number. This is conservative:
    it promises more than the test by permutation, and finds less.

    Parameters
    ----------
    selector : estimator
        As in `permutation_test`. Cloned.
    X : array-like of shape (n_samples, n_features)
        Samples, in memory.
    y : array-like of shape (n_samples,)
        Class labels; each half has as many of every class, up to one.
    n_pairs : int, default=20
        Number of times that the samples are split into two halves.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the halves.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Returns
    -------
    SubsampleTest
        `expected_false` is the bound of Shah and Samworth for unimodal selection frequencies, on
        the features at least as frequent at the end of the path; infinite where the frequency is
        not above one half.

    References
    ----------
    R. D. Shah, R. J. Samworth (2013). Variable selection with error control: another look at
    stability selection. JRSS B 75(1), 55-80.
    O. Melikechi, J. W. Miller (2025). Integrated path stability selection. JASA.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.inference import subsample_test
    >>> X, y = datasets.make_twonorm(200, n_irrelevant=80, random_state=0, return_X_y=True)
    >>> found = subsample_test(ReliefF(), X, y, random_state=0)
    >>> int(np.sum(found.q_values[:20] <= 0.2)), int(np.sum(found.q_values[20:] <= 0.2))
    (20, 0)
    """
    X, y, _ = joined(X, y)
    data, labels, rng = np.asarray(X), np.asarray(y), as_generator(random_state)
    n_pairs = check_count("n_pairs", n_pairs)
    halves = [half for _ in range(n_pairs) for half in _halves(labels, rng)]
    first, exchange = halves[0], Exchange(labels[halves[0]])
    shared = Tested(selector, data[first], labels[first]).opened.shared(
        [exchange.draw(rng) for _ in range(CALIBRATIONS)]
    )
    calls = [delayed(_of_half)(selector, data, labels, rows, shared) for rows in halves]
    progress = Progress() if verbose else None
    T = np.array(list(each_result(calls, n_jobs, progress, "halves")))
    return _judged(T, n_pairs)


def _halves(labels: NDArray, rng: np.random.Generator) -> tuple[NDArray, NDArray]:
    """Two halves of the samples, with about as many of every class."""
    codes = np.unique(labels, return_inverse=True)[1]
    n_samples = len(labels) // 2 * 2
    rows = random_subset(len(labels), n_samples, rng, codes)
    one = rows[random_subset(n_samples, n_samples // 2, rng, codes[rows])]
    return one, np.setdiff1d(rows, one)


def _of_half(selector: Any, X: NDArray, y: NDArray, rows: NDArray, shared: Any) -> NDArray:
    opened = Tested(selector, X[rows], y[rows]).opened
    (found,) = opened.statistics([np.arange(len(rows))], shared)
    return found.values


def _judged(T: NDArray, n_pairs: int) -> SubsampleTest:
    """The results from the statistics of all halves, shape (2 n_pairs, n_features)."""
    n_features = T.shape[1]
    positive = T[T > 0]
    if not len(positive):
        nothing, one = np.zeros(n_features), np.ones(n_features)
        return SubsampleTest(nothing, one, nothing, np.full(n_features, np.inf))
    path = np.geomspace(positive.max(), positive.min(), PATH_POINTS)
    sizes = np.array([np.sum(t <= T) for t in path]) / len(T)
    bounds = np.cumsum(_false_of_stability(sizes, n_features, n_pairs)) / np.arange(
        1, len(path) + 1
    )
    n_kept = max(int(np.sum(bounds <= PATH_BOUND)), 1)
    shares = np.array([np.mean(t <= T, axis=0) for t in path[:n_kept]])
    stability = np.mean(np.maximum(2 * shares - 1, 0.0) ** 3, axis=0)
    frequency = shares[-1]
    return SubsampleTest(
        stability,
        _q_values(stability, bounds[n_kept - 1]),
        frequency,
        shah_samworth(frequency, sizes[n_kept - 1], n_features, n_pairs),
    )


def _false_of_stability(q: NDArray, p: int, B: int) -> NDArray:
    """Bound on the sum over false features of the cube of their share of pairs that agree.

    If a false feature is selected from a half with probability at most q / p, both halves of a pair
    select it with at most its square m, and the mean over B pairs has this third moment.
    """
    m = (q / p) ** 2
    return p * (m + 3 * (B - 1) * m**2 + (B - 1) * (B - 2) * m**3) / B**2


def _q_values(stability: NDArray, bound: float) -> NDArray:
    """The smallest bound on the share of false ones, over the thresholds at or below each."""
    order = np.argsort(stability, kind="stable")
    ascending = stability[order]
    discoveries = len(ascending) - np.searchsorted(ascending, ascending, side="left")
    with np.errstate(divide="ignore"):
        estimate = np.minimum(bound / ascending / discoveries, 1.0)
    q_values = np.empty(len(stability))
    q_values[order] = np.where(ascending > 0, np.minimum.accumulate(estimate), 1.0)
    return q_values


def shah_samworth(frequency: NDArray, q: float, p: int, B: int) -> NDArray:
    """Bound on the number of false features that are at least as frequent.

    A false feature is one that a half selects with a probability of at most q / p; the bound holds
    if the frequency of such a feature over pairs has a unimodal distribution.

    Parameters
    ----------
    frequency : ndarray of shape (n_features,)
        Share of the halves that select each feature.
    q : float
        Mean number of features selected from a half.
    p, B : int
        Number of features, and of pairs of halves.

    Examples
    --------
    >>> shah_samworth(np.array([0.5, 0.75, 1.0]), 10.0, 1000, 50).round(4)
    array([   inf, 0.102 , 0.0039])
    """
    theta, step = q / p, 1 / (2 * B)
    lowest = min(0.5 + theta**2, 0.5 + step + 0.75 * theta**2)
    with np.errstate(divide="ignore"):
        factor = np.where(
            frequency <= 0.75,
            1 / (2 * (2 * frequency - 1 - step)),
            4 * (1 - frequency + step) / (1 + 1 / B),
        )
    valid = (frequency > lowest) & (factor > 0) & (theta <= 3**-0.5)
    return np.where(valid, factor * theta * q, np.inf)
