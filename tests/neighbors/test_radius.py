import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.neighbors import (
    band_neighbors,
    dead_band,
    mean_distance,
    soft_neighbors_by_class,
)
from hitmiss.targets.classes import Classes
from tests.neighbors.problems import ALONE, LABELS, LINE, uniform_problem

SERIAL = Workers(1)


def test_band_neighbors_by_hand():
    Q = band_neighbors(LINE, Classes(LABELS), 1.5, 3.5, SERIAL)  # distances 2 and 3
    np.testing.assert_array_equal(Q, [[0, 0, 1, 0], [0, 0, 1, 0], [0.5, 0.5, 0, -1], [0, 0, -1, 0]])


def test_the_radii_by_hand():
    assert mean_distance(LINE) == pytest.approx((1 + 3 + 6 + 2 + 5 + 3) / 6)
    near, far = dead_band(LINE)
    d = np.array([1.0, 3, 6])
    np.testing.assert_allclose([near[0], far[0]], [d.mean() - d.std() / 2, d.mean() + d.std() / 2])


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_the_radii_scale_with_the_distances(factor):
    D, _ = uniform_problem()
    np.testing.assert_allclose(mean_distance(D * factor) / factor, mean_distance(D), rtol=1e-12)
    for scaled, plain in zip(dead_band(D * factor), dead_band(D), strict=True):
        np.testing.assert_allclose(scaled / factor, plain, rtol=1e-12)


def test_a_band_of_all_distances_is_an_infinite_kernel():
    D, y = uniform_problem()
    expected = soft_neighbors_by_class(D, Classes(y), np.inf, SERIAL)
    found = band_neighbors(D, Classes(y), -np.inf, np.inf, SERIAL)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_sample_alone_in_its_class_has_no_row():
    Q = band_neighbors(LINE, Classes(ALONE), -np.inf, np.inf, SERIAL)
    assert not Q[2:].any()
    assert Q[:2].any(axis=1).all()


def test_the_number_of_threads_changes_nothing():
    D, y = uniform_problem()
    near = dead_band(D)[0]
    one, three = (band_neighbors(D, Classes(y), 0.2, near, n) for n in (SERIAL, Workers(3)))
    np.testing.assert_array_equal(three, one)
