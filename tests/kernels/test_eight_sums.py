import numpy as np

from hitmiss.kernels.eight_sums import eight_sums


def test_eight_sums():
    rng = np.random.default_rng(0)
    weights, (a, b), samples = rng.random((4, 37)), rng.random((2, 37)), rng.random((2, 4))
    found = eight_sums(*weights, a, b, *samples[0], *samples[1])
    expected = [
        [w @ np.abs(value - others) for w, value in zip(weights, values, strict=True)]
        for values, others in zip(samples, (a, b), strict=True)
    ]
    np.testing.assert_allclose(found, np.ravel(expected), rtol=1e-12)
