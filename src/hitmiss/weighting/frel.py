"""Energies of the samples: how far their hits and misses are, feature by feature."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import Blocks
from hitmiss.losses import EnergyLoss
from hitmiss.neighbors import nearest_neighbors, single_neighbors, soft_neighbors

COLUMNS = 4096  # features of lazy rows that are computed at once


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


class LazyRows:
    """Margin vectors that are computed when they are needed, some features at a time.

    Parameters
    ----------
    blocks : Blocks
        The data.
    matrices : sequence of ndarray of shape (n_samples, n_samples)
        Weights of the neighbors; those of several matrices stand below each other.
    """

    def __init__(self, blocks: Blocks, matrices: Sequence[NDArray]):
        self._blocks, self._matrices = blocks, matrices
        self.shape = len(matrices) * blocks.n_samples, blocks.n_features
        self.size = self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: tuple[slice, slice]) -> NDArray:
        rows, features = place
        start, stop, _ = features.indices(self.shape[1])
        part = self._blocks.part(slice(start, stop))
        return np.vstack([part.margins(Q) for Q in self._matrices])[rows]

    def __matmul__(self, w: NDArray) -> NDArray:
        return sum((A.astype(float) @ w[part] for part, A in self._pieces()), np.zeros(len(self)))

    def max(self, initial: float) -> float:
        """Largest value."""
        return max(initial, *(float(A.max()) for _, A in self._pieces()))

    def min(self, initial: float) -> float:
        """Smallest value."""
        return min(initial, *(float(A.min()) for _, A in self._pieces()))

    def _pieces(self) -> Iterator[tuple[slice, NDArray]]:
        for start in range(0, self.shape[1], COLUMNS):
            part = slice(start, min(start + COLUMNS, self.shape[1]))
            yield part, self[:, part]


def energy_rows(blocks: Blocks, Q: NDArray, loss: EnergyLoss) -> NDArray | LazyRows:
    """The rows that `loss` reads: margin vectors, or those of the hits above those of the misses.

    Their products with w are the margins ``E' - E``, or the energies E and then E' (FREL eq. 8
    and 9), with distances averaged if there are several neighbors.
    """
    pairs = loss.reads != "margins"
    matrices = [np.maximum(-Q, 0.0), np.maximum(Q, 0.0)] if pairs else [Q]
    n_values = len(matrices) * blocks.n_samples * blocks.n_features
    if not blocks.fits(n_values * blocks.dtype.itemsize):
        return LazyRows(blocks, matrices)
    return np.vstack([blocks.margins(S) for S in matrices]) if pairs else blocks.margins(Q)


def miss_to_hit(D: NDArray, Q: NDArray) -> NDArray:
    """Distance between the miss and the hit of each sample, the margin of FREL's square loss."""
    hits, misses = np.maximum(-Q, 0.0), np.maximum(Q, 0.0)
    return np.einsum("ni,ni->n", hits @ D, misses)
