"""Distances and classes that several neighbor rules are tested on."""

import numpy as np

from tests import reference as ref

# Points 0, 1, 3, 6 on a line: two hits, two misses.
LINE = np.abs(np.subtract.outer([0.0, 1, 3, 6], [0.0, 1, 3, 6]))
LABELS = np.array([0, 0, 1, 1])
SIGMA = 1 / np.log(2)  # k(d) = 2^-d
ALONE = np.array([0, 0, 1, 2])  # the last two samples have no hit


def uniform_problem(n_samples=150, n_classes=3, seed=0):
    """Distances of points in a cube, with random classes."""
    rng = np.random.default_rng(seed)
    D = ref.distances(rng.random((n_samples, 4)), np.ones(4))
    return D, rng.integers(0, n_classes, n_samples)


def random_problem(n_samples, n_classes, seed=0):
    """Distances of normal points, with every class."""
    rng = np.random.default_rng(seed)
    D = ref.distances(rng.standard_normal((n_samples, 3)), np.ones(3))
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n_samples - n_classes))
    return D, rng.permutation(y)
