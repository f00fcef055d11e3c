import numpy as np
import pytest

from hitmiss.kernels.column_sums import column_sums


@pytest.mark.parametrize("n_samples", [4, 12, 1500])
def test_the_sums_against_numpy(n_samples):
    rng = np.random.default_rng(0)
    columns, S = rng.random((6, n_samples)), np.triu(rng.normal(size=(n_samples,) * 2), 1)
    total = np.ones(6)
    column_sums(columns, S, total)
    expected = [1 + (S * np.abs(np.subtract.outer(x, x))).sum() for x in columns]
    np.testing.assert_allclose(total, expected, rtol=1e-9, atol=1e-9)
