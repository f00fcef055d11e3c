"""Energies of the samples: how far their hits and misses are, feature by feature."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.blocks import Blocks
from hitmiss.losses import EnergyLoss
from hitmiss.neighbors import nearest_neighbors, single_neighbors, soft_neighbors
from hitmiss.workers import Workers


def energy_neighbors(
    D: NDArray, y: NDArray, n_neighbors: int, sigma: float | None, workers: Workers
) -> NDArray:
    """Signed weights of the hits and misses that stand for right and wrong answers.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    y : ndarray of shape (n_samples,)
        Labels as integers from 0.
    n_neighbors : int
        1 takes the nearest of all misses (FREL, Definition 1); more takes as many of each class,
        weighted as in ReliefF.
    sigma : float, optional
        Kernel width of soft neighbors, which replace the nearest ones.
    workers : Workers
        Where the work runs.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    if sigma is not None:
        return soft_neighbors(D, y, sigma, workers)
    if n_neighbors == 1:
        return single_neighbors(D, y)
    return nearest_neighbors(D, y, n_neighbors, workers)


def energy_rows(blocks: Blocks, Q: NDArray, loss: EnergyLoss) -> NDArray:
    """The rows that `loss` reads: margin vectors, or those of the hits above those of the misses.

    Their products with w are the margins ``E' - E``, or the energies E and then E' (FREL eq. 8
    and 9), with distances averaged if there are several neighbors.
    """
    if loss.reads == "margins":
        return blocks.margins(Q)
    return np.vstack([blocks.margins(np.maximum(-Q, 0.0)), blocks.margins(np.maximum(Q, 0.0))])


def miss_to_hit(D: NDArray, Q: NDArray) -> NDArray:
    """Distance between the miss and the hit of each sample, the margin of FREL's square loss."""
    hits, misses = np.maximum(-Q, 0.0), np.maximum(Q, 0.0)
    return np.einsum("ni,ni->n", hits @ D, misses)
