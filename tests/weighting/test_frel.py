import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.estimators.validation import scaled_features
from hitmiss.losses import LOSSES
from hitmiss.targets.classes import Classes
from hitmiss.weighting.frel import energy_neighbors, energy_rows, miss_to_hit

# Three classes on a line. The nearest of all misses of 0.0 is 4.0; per class they are 4.0 and 9.0.
X = np.array([[0.0], [1.0], [4.0], [6.0], [9.0], [10.0]])
Y = np.array([0, 0, 1, 1, 2, 2])


def found(n_neighbors=1, sigma=None, loss="log"):
    workers = Workers(1)
    features = scaled_features(X, None, workers)
    D = features.distances(np.ones(1))
    Q = energy_neighbors(D, Classes(Y), n_neighbors, sigma, workers)
    return energy_rows(features, Q, LOSSES[loss]), miss_to_hit(D, Q)


def test_one_neighbor_is_the_nearest_of_all():
    rows, theta = found()
    np.testing.assert_allclose(rows.ravel(), [4 - 1, 3 - 1, 3 - 2, 3 - 2, 3 - 1, 4 - 1])
    np.testing.assert_allclose(theta, [3, 4, 5, 5, 4, 3])  # |4 - 1|, |4 - 0|, |1 - 6|, ...


def test_energies_are_hits_above_misses():
    rows, _ = found(loss="square")
    np.testing.assert_allclose(rows.ravel(), [1, 1, 2, 2, 1, 1, 4, 3, 3, 3, 3, 4])


def test_several_neighbors_are_those_of_each_class():
    rows, theta = found(2)
    np.testing.assert_allclose(rows[0], np.mean([4, 6, 9, 10]) - 1)
    np.testing.assert_allclose(theta[0], np.mean([3, 5, 8, 9]))  # from the misses to the hit 1.0


def test_soft_neighbors_lie_between_the_nearest_and_all():
    narrow, wide = found(sigma=1e-3)[0], found(sigma=1e9)[0]
    np.testing.assert_allclose(narrow, found()[0])
    np.testing.assert_allclose(wide[0], np.mean([4, 6, 9, 10]) - 1, rtol=1e-6)
