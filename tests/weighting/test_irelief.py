import numpy as np

from hitmiss.weighting.irelief import iterate, positive_unit


def test_iterate_stops_at_zero():
    w, nu, steps = iterate(lambda w: -w, np.ones(2), 1e-3, 50)
    assert w.tolist() == [0, 0]
    assert nu.tolist() == [-1, -1]
    assert len(steps) == 1


def test_positive_unit_of_tiny_and_huge_margins():
    for scale in (1e-300, 1.0, 1e300):
        np.testing.assert_allclose(positive_unit(scale * np.array([3.0, -1, 4])), [0.6, 0, 0.8])
