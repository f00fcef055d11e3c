"""Concordance: how often the sample of larger risk has its event first."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

TOGETHER = 1 << 22  # pairs looked at at once
TIED = 1e-8  # difference of risks up to which they are equal: rounding, as in scikit-survival


def concordance(time: NDArray, event: NDArray, risk: NDArray) -> float:
    """Harrell's index: share of the comparable pairs whose order the risks tell.

    A pair is comparable if the earlier time is that of an event; of equal times, if one is an event
    and the other is not. Equal risks count one half.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times of event or censoring.
    event : ndarray of bool, shape (n_samples,)
        Whether the event was observed.
    risk : ndarray of shape (n_samples,)
        The larger, the earlier the event is expected.

    Returns
    -------
    float
        From 0 to 1; NaN if no pair is comparable.

    Examples
    --------
    >>> concordance(np.array([1.0, 2.0, 3.0]), np.array([True, False, True]), np.array([3, 1, 2]))
    1.0
    """
    first, size = np.flatnonzero(event), max(1, TOGETHER // max(1, len(time)))
    blocks = (first[start : start + size][:, None] for start in range(0, len(first), size))
    return _share((risk[some] - risk)[_later(time, event, some)] for some in blocks)


def pair_concordance(
    time: NDArray,
    event: NDArray,
    risks: Callable[[NDArray], tuple[NDArray, NDArray]],
    tiles: Iterable[NDArray],
) -> float:
    """`concordance` where the risks of two samples depend on both.

    Parameters
    ----------
    time : ndarray of shape (n_samples,)
        Times of event or censoring.
    event : ndarray of bool, shape (n_samples,)
        Whether the event was observed.
    risks : callable
        From some samples to their risks and those of every other, each of shape
        (n_some, n_samples); NaN where one is not known.
    tiles : iterable of ndarray of int
        Blocks of samples, which together are all of them.

    Returns
    -------
    float
        From 0 to 1; NaN if no pair is comparable.
    """

    def differences() -> Iterator[NDArray]:
        for rows in tiles:
            some = rows[event[rows]]
            if len(some):
                own, other = risks(some)
                later = _later(time, event, some[:, None])
                yield (own - other)[later & np.isfinite(own) & np.isfinite(other)]

    return _share(differences())


def _share(differences: Iterable[NDArray]) -> float:
    """Share of the pairs whose difference of risks is positive; ties count one half."""
    right, pairs = 0.0, 0
    for ahead in differences:
        right += np.count_nonzero(ahead > TIED) + np.count_nonzero(np.abs(ahead) <= TIED) / 2
        pairs += len(ahead)
    return float(right / pairs) if pairs else float("nan")


def _later(time: NDArray, event: NDArray, some: NDArray) -> NDArray:
    """Which samples are known to have their event after each of some events."""
    later: NDArray = (time[some] < time) | ((time[some] == time) & ~event)
    return later
