import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.neighbors import ranked_neighbors, signed_by_differences
from hitmiss.targets.comparable import Comparable, Compared
from hitmiss.targets.numbers import Numbers

D = np.array([[0.0, 1, 3, 2], [1, 0, 2, 2], [3, 2, 0, 5], [2, 2, 5, 0]])
TARGET = Numbers(np.arange(4.0))


def test_the_two_nearest_by_hand():
    P = ranked_neighbors(D, TARGET, 2, 1.0, Workers(1))
    near, far = np.exp(-1), np.exp(-4)
    expected = np.array(
        [[0, near, 0, far], [near, 0, far, 0], [far, near, 0, 0], [near, far, 0, 0]]
    )
    np.testing.assert_allclose(P, expected / (near + far))  # of equal distances the first


def test_equal_weights_of_those_that_may_be_compared():
    strata = Compared(TARGET, Comparable(strata=np.array([0, 0, 0, 1])))
    P = ranked_neighbors(D, strata, 9, np.inf, Workers(1))
    np.testing.assert_allclose(P[:3, :3], (1 - np.eye(3)) / 2)
    assert not P[3].any()
    assert not P[:, 3].any()


def test_signs_sum_to_nothing():
    """Where all features differ by 1, both fractions are 1."""
    rng = np.random.default_rng(0)
    P, differences, a = rng.random((5, 5)), rng.random((5, 5)), rng.random(5)
    assert abs((a[:, None] * signed_by_differences(P, differences, a)).sum()) < 1e-12
    assert abs(signed_by_differences(P, np.ones((5, 5)), None).sum() - 1) < 1e-12


def test_of_samples_equally_near_but_for_rounding_the_first_is_the_nearest():
    target = Numbers(np.arange(4.0), 1.0)
    D = np.full((4, 4), 0.3) - 0.3 * np.eye(4)
    expected = ranked_neighbors(D, target, 2, 1.0, Workers(1))
    for toward in (0.0, 1.0):
        near = D.copy()
        near[:, 3] = np.nextafter(D[:, 3], toward)
        np.testing.assert_array_equal(ranked_neighbors(near, target, 2, 1.0, Workers(1)), expected)
