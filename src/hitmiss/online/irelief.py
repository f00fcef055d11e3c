"""Online I-RELIEF: one sample at a time moves the mean margin vector."""

from collections.abc import Iterable

from numpy.typing import NDArray

from hitmiss.data.one_sample import Rows
from hitmiss.online.sample_margin import Sample, half_margin
from hitmiss.weighting.irelief import positive_unit


def learn(
    rows: Rows,
    y: NDArray,
    samples: Iterable[Sample],
    nu: NDArray,
    t: int,
    *,
    factor: NDArray,
    sigma: float,
    rate: float,
    outliers: bool,
) -> int:
    """``nu <- (1 - eta) nu + eta gamma z``, eta = 1 / (rate t), for one sample after the other.

    Parameters
    ----------
    rows : Rows
        The possible neighbors.
    y : ndarray of shape (n_samples,)
        Their labels.
    samples : iterable of Sample
        Samples to learn from. One without a hit or without a miss teaches nothing.
    nu : ndarray of shape (n_features,)
        Half the mean margin vector in units of the data, changed in place.
    t : int
        Number of samples learned from before.
    factor : ndarray of shape (n_features,)
        Scale of the features: 1 over their range, 0 for constants.
    sigma, rate : float
        Kernel width; the paper's a. The step eta is at most 1.
    outliers : bool
        Whether gamma is the probability of being no outlier (eq. 10), or 1.

    Returns
    -------
    t : int
        Number of samples learned from in all.
    """
    for sample in samples:
        margin = half_margin(rows, y, sample, weights(nu, factor, t) * factor, sigma)
        if margin is None:
            continue
        z, gamma = margin
        t += 1
        pi = z * (gamma if outliers else 1.0)
        nu += min(1.0, 1 / (rate * t)) * (pi - nu)
    return t


def scaled(nu: NDArray, factor: NDArray) -> NDArray:
    """The mean margin vector of the scaled features."""
    return nu * (2 * factor)


def weights(nu: NDArray, factor: NDArray, t: int) -> NDArray:
    """Weights of the scaled features (eq. 28); before the first sample, equal ones.

    Parameters
    ----------
    nu : ndarray of shape (n_features,)
        Half the mean margin vector in units of the data.
    factor : ndarray of shape (n_features,)
        Scale of the features, 0 for constants.
    t : int
        Number of samples learned from.
    """
    if t:
        return positive_unit(scaled(nu, factor))
    varies = factor > 0
    return varies / max(varies.sum(), 1)
