import numpy as np
import pytest

from hitmiss.kernels.column_sums import column_sums, column_sums_two


@pytest.mark.parametrize("n_samples", [4, 12, 1500])
def test_the_sums_against_numpy(n_samples):
    rng = np.random.default_rng(0)
    columns, S = rng.random((6, n_samples)), np.triu(rng.normal(size=(n_samples,) * 2), 1)
    total = np.ones(6)
    column_sums(columns, S, total)
    expected = [1 + (S * np.abs(np.subtract.outer(x, x))).sum() for x in columns]
    np.testing.assert_allclose(total, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_samples", [4, 12, 1500])
def test_two_sums_at_once(n_samples):
    rng = np.random.default_rng(0)
    columns = rng.random((8, n_samples))
    S, T = np.triu(rng.normal(size=(2, n_samples, n_samples)), 1)
    alone, both = np.ones((2, 8)), np.ones((2, 8))
    for weights, total in zip((S, T), alone, strict=True):
        column_sums(columns, weights, total)
    column_sums_two(columns, S, T, *both)
    np.testing.assert_allclose(both, alone, rtol=1e-9, atol=1e-9)
