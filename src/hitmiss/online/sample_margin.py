"""The margin vector of one sample, with soft neighbors among the stored samples."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.one_sample import Rows, ScaledRows
from hitmiss.kernels.neighbors import signed_row

# Raw values, label, and index among the neighbors, -1 for none. A plain tuple: a stream makes one
# for every sample, and a named one takes half a microsecond longer.
Sample = tuple[NDArray, int, int]


def half_margin(
    rows: Rows, y: NDArray, sample: Sample, w: NDArray, sigma: float
) -> tuple[NDArray, float] | None:
    """Half the expected margin vector of a sample, and the probability that it is no outlier.

    Parameters
    ----------
    rows : Rows
        The possible neighbors.
    y : ndarray of shape (n_neighbors,)
        Their labels.
    sample : Sample
        The sample.
    w : ndarray of shape (n_features,)
        Weights of the raw features.
    sigma : float
        Kernel width.

    Returns
    -------
    tuple or None
        None if the sample has no hit or no miss.
    """
    x, label, own = sample
    found = _probabilities(rows.distances(x, w), y, label, own, sigma)
    if found is None:
        return None
    q, trust = found
    return rows.half_margin(x, q), trust


def scaled_margin(
    rows: ScaledRows, y: NDArray, sample: Sample, w: NDArray, sigma: float
) -> NDArray | None:
    """The expected margin vector of a sample in scaled features.

    Parameters
    ----------
    rows : ScaledRows
        The possible neighbors.
    y, sample, sigma
        As in `half_margin`.
    w : ndarray of shape (n_features,)
        Weights of the scaled features.

    Returns
    -------
    ndarray of shape (n_features,) or None
        None if the sample has no hit or no miss.
    """
    x, label, own = sample
    row = rows.row(x, own)
    found = _probabilities(rows.distances(row, w), y, label, own, sigma)
    return None if found is None else rows.margin(row, found[0])


NEGLIGIBLE_NEIGHBOR = 1e-9  # probability: what all of them add is lost in single precision


def _probabilities(
    d: NDArray, y: NDArray, label: int, own: int, sigma: float
) -> tuple[NDArray, float] | None:
    """Signed probabilities of being the nearest hit or miss, and that of being no outlier."""
    q = np.empty(len(d))
    trust = signed_row(d, y, label, own, sigma, q)
    if trust < 0:
        return None
    q[np.abs(q) < NEGLIGIBLE_NEIGHBOR] = 0
    return q, trust
