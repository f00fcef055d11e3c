import numpy as np

from hitmiss.kernels.averaging import add_pull, averaged_weights

RNG = np.random.default_rng(0)


def test_sums_against_numpy():
    z, w, before, after = (
        RNG.standard_normal(9),
        RNG.random(9),
        RNG.random((4, 9)),
        np.empty((4, 9)),
    )
    keep, s = 0.7, 0.3
    add_pull(keep, s, z, w, before, after)
    pull, bend = s * z, s * (1 - s) * z**2
    expected = keep * before + [pull, pull + bend * w, bend, 0 * z]
    expected[3] = keep**2 * before[3] + pull**2
    np.testing.assert_allclose(after, expected, rtol=1e-14)


def test_weights_against_numpy():
    gradient, squares, w = RNG.standard_normal(9), RNG.random(9), np.full(9, 7.0)
    squares[2], gradient[:3] = 0, 1
    averaged_weights(10.0, 0.2, gradient, squares, w)
    with np.errstate(divide="ignore"):
        expected = 10 * np.maximum(0, gradient - 0.2) / np.sqrt(squares)
    np.testing.assert_allclose(w, np.where(squares > 0, expected, 0), rtol=1e-14)
