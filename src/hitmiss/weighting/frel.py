"""FREL: energies of the samples, the distances of their hits and misses feature by feature."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.losses import EnergyLoss
from hitmiss.neighbors import nearest_neighbors, single_neighbors, soft_neighbors
from hitmiss.targets.classes import AnyTarget


def energy_neighbors(
    D: NDArray, target: AnyTarget, n_neighbors: int, sigma: float | None, workers: Workers
) -> NDArray:
    """Signed weights of the hits and misses, FREL's right and wrong answers.

    Parameters
    ----------
    D : ndarray of shape (n_samples, n_samples)
        Distances.
    target : Classes or PairTarget
        Target.
    n_neighbors : int
        1 takes the nearest of all misses (FREL, Definition 1); more takes as many of each class,
        weighted as in ReliefF.
    sigma : float, optional
        Kernel width of soft neighbors, which replace the nearest ones.
    workers : Workers
        Threads.

    Returns
    -------
    Q : ndarray of shape (n_samples, n_samples)
        Rows of samples without a hit are zero.
    """
    if sigma is not None:
        return soft_neighbors(D, target, sigma, workers)
    if n_neighbors == 1:
        return single_neighbors(D, target)
    return nearest_neighbors(D, target, n_neighbors, workers)


LAZY_COLUMNS = 4096  # features of lazy rows that are computed at once: four blocks or more


class LazyRows:
    """Margin vectors that are computed on demand, some features at a time.

    Parameters
    ----------
    features : Features
        The data.
    matrices : sequence of ndarray of shape (n_samples, n_samples)
        Weights of the neighbors; those of several matrices stand below each other.
    """

    def __init__(self, features: Features, matrices: Sequence[NDArray]):
        self._features, self._matrices = features, matrices
        self.shape = len(matrices) * features.n_samples, features.n_features
        self.size = self.shape[0] * self.shape[1]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, place: tuple[slice, slice]) -> NDArray:
        rows, columns = place
        start, stop, _ = columns.indices(self.shape[1])
        part = slice(start, stop)
        return np.vstack([self._features.margins(Q, part) for Q in self._matrices])[rows]

    def __matmul__(self, w: NDArray) -> NDArray:
        return sum((A.astype(float) @ w[part] for part, A in self._pieces()), np.zeros(len(self)))

    def max(self, initial: float) -> float:
        """Largest value."""
        return max(initial, *(float(A.max()) for _, A in self._pieces()))

    def min(self, initial: float) -> float:
        """Smallest value."""
        return min(initial, *(float(A.min()) for _, A in self._pieces()))

    def _pieces(self) -> Iterator[tuple[slice, NDArray]]:
        for start in range(0, self.shape[1], LAZY_COLUMNS):
            part = slice(start, min(start + LAZY_COLUMNS, self.shape[1]))
            yield part, self[:, part]


def energy_rows(features: Features, Q: NDArray, loss: EnergyLoss) -> NDArray | LazyRows:
    """The rows that `loss` reads: margin vectors, or those of the hits above those of the misses.

    Their products with w are the margins ``E' - E``, or the energies E and then E' (FREL eq. 8
    and 9), with distances averaged if there are several neighbors.

    Parameters
    ----------
    features : Features
        The data.
    Q : ndarray of shape (n_samples, n_samples)
        Signed weights of the neighbors.
    loss : EnergyLoss
        It says by `reads` whether it takes margins or energies.
    """
    pairs = loss.reads != "margins"
    matrices = [np.maximum(-Q, 0.0), np.maximum(Q, 0.0)] if pairs else [Q]
    n_values = len(matrices) * features.n_samples * features.n_features
    if n_values * features.dtype.itemsize > features.room:
        return LazyRows(features, matrices)
    return np.vstack([features.margins(S) for S in matrices]) if pairs else features.margins(Q)


def miss_to_hit(D: NDArray, Q: NDArray) -> NDArray:
    """Distance between the miss and the hit of each sample, the margin of FREL's square loss."""
    hits, misses = np.maximum(-Q, 0.0), np.maximum(Q, 0.0)
    return np.einsum("ni,ni->n", hits @ D, misses)
