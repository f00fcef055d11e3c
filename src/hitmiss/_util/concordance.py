"""Concordance: how often the sample of larger risk has its event first."""

import numpy as np
from numpy.typing import NDArray

TOGETHER = 1 << 22  # pairs looked at at once


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
    first = np.flatnonzero(event)
    right, pairs, size = 0.0, 0, max(1, TOGETHER // max(1, len(time)))
    for start in range(0, len(first), size):
        some = first[start : start + size][:, None]
        later = (time[some] < time) | ((time[some] == time) & ~event)
        right += np.count_nonzero(later & (risk[some] > risk))
        right += np.count_nonzero(later & (risk[some] == risk)) / 2
        pairs += int(np.count_nonzero(later))
    return float(right / pairs) if pairs else float("nan")
