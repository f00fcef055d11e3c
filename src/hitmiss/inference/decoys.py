"""The test by decoys: features that say nothing by construction compete with the real ones."""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import joined
from hitmiss._util.checks import check_count
from hitmiss._util.progress import Progress
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss._util.ties import below
from hitmiss._util.workers import each_result
from hitmiss.inference.permutation import CALIBRATIONS, Exchange, Tested
from hitmiss.inference.q_values import benjamini_hochberg, e_benjamini_hochberg


class DecoyTest(NamedTuple):
    """Results of `decoy_test`."""

    statistic: NDArray  # of every feature beside the decoys, the mean over the repeats
    q_values: NDArray
    n_decoys: int  # in each of the repeats


def decoy_test(
    selector: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    fdr: float = 0.1,
    n_copies: int | None = None,
    n_repeats: int = 1,
    random_state: RandomStateLike = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> DecoyTest:
    """Compare features with copies of X whose rows are permuted, in one fit of both.

    Assumes that a feature that says nothing is as likely to have a large statistic as a copy. This
    holds where main effects count. An interaction is hard to find among several times as many
    features, so pairs that help only together are often lost; and a feature correlated with a
    relevant one is no more a discovery than by itself. Under the assumption the expected share of
    false ones among the features with a q-value up to `fdr` is about `fdr`; with several repeats
    it is at most `fdr`.

    Parameters
    ----------
    selector : estimator
        As in `permutation_test`. Cloned.
    X : array-like of shape (n_samples, n_features)
        Samples, in memory: copies stand beside them.
    y : array-like of shape (n_samples,)
        Class labels.
    fdr : float, default=0.1
        Share of false ones that is wanted; it decides the number of copies.
    n_copies : int, default=None
        Number of copies of X; None is 1 / `fdr`, rounded up, with which a single feature can be
        a discovery.
    n_repeats : int, default=1
        Number of fits with other copies. With one, p-values of the features among the decoys are
        adjusted by Benjamini and Hochberg's procedure. With several, the selections at half of
        `fdr` become e-values, whose means are independent of a single draw of the copies.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the copies.
    n_jobs : int, default=None
        Number of processes for the repeats, as in joblib. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Returns
    -------
    DecoyTest

    References
    ----------
    Y. Benjamini, Y. Hochberg (1995). Controlling the false discovery rate: a practical and powerful
    approach to multiple testing. JRSS B 57(1), 289-300.
    Z. Ren, R. F. Barber (2024). Derandomised knockoffs: leveraging e-values for false discovery
    rate control. JRSS B 86(1), 122-154.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.inference import decoy_test
    >>> X, y = datasets.make_twonorm(200, n_irrelevant=50, random_state=0, return_X_y=True)
    >>> found = decoy_test(ReliefF(), X, y, random_state=0)
    >>> int(np.sum(found.q_values[:20] <= 0.1)), int(np.sum(found.q_values[20:] <= 0.1))
    (20, 0)
    """
    X, y, _ = joined(X, y)
    data, rng = np.asarray(X), as_generator(random_state)
    n_copies = ceil(round(1 / fdr, 9)) if n_copies is None else check_count("n_copies", n_copies)
    draws = [rng.spawn(1)[0] for _ in range(check_count("n_repeats", n_repeats))]
    calls = [delayed(_beside_decoys)(selector, data, y, n_copies, draw) for draw in draws]
    progress = Progress() if verbose else None
    found = list(each_result(calls, n_jobs, progress, "decoys"))
    adjusted = [benjamini_hochberg(_p_values(*one)) for one in found]
    statistic = np.mean([real for real, _ in found], axis=0)
    q_values = adjusted[0]
    if n_repeats > 1:
        e_values = [_e_values(q, fdr / 2) for q in adjusted]
        q_values = e_benjamini_hochberg(np.mean(e_values, axis=0))
    return DecoyTest(statistic, np.where(statistic > 0, q_values, 1.0), n_copies * data.shape[1])


def _beside_decoys(
    selector: Any, X: NDArray, y: ArrayLike, n_copies: int, rng: np.random.Generator
) -> tuple[NDArray, NDArray]:
    """Statistics of the features and of the decoys, in one fit."""
    n_samples, n_features = X.shape
    both = np.hstack([X, *(X[rng.permutation(n_samples)] for _ in range(n_copies))])
    exchange, opened = Exchange(y), Tested(selector, both, y).opened
    shared = opened.shared([exchange.draw(rng) for _ in range(CALIBRATIONS)])
    (found,) = opened.statistics([exchange.in_place()], shared)
    return found.values[:n_features], found.values[n_features:]


def _p_values(real: NDArray, decoys: NDArray) -> NDArray:
    """Share of the decoys that are at least as large; 1 where nothing speaks for the feature."""
    reached = len(decoys) - np.searchsorted(np.sort(decoys), below(real), side="left")
    return np.where(real > 0, (1 + reached) / (1 + len(decoys)), 1.0)


def _e_values(q_values: NDArray, level: float) -> NDArray:
    """``J / (level R)`` for the R of J features selected at the level, else 0.

    Their sum over the features that say nothing has an expectation of at most J, as the share of
    these among the selected ones is at most the level on average.
    """
    selected = q_values <= level
    return selected * len(q_values) / (level * max(int(selected.sum()), 1))
