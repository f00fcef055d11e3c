import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data import blockwise
from hitmiss.data.in_memory import InMemory


@pytest.mark.parametrize("n_weights", [1, 2, 3])
def test_sums_of_thousands_of_samples_are_those_of_few(monkeypatch, n_weights):
    rng = np.random.default_rng(0)
    features = InMemory(rng.random((50, 7)), Workers(1))
    weights, called = list(rng.normal(size=(n_weights, 50, 50))), []
    by_row = features.sums(weights)
    monkeypatch.setattr(blockwise, "COLUMN_SAMPLES", 50)
    one, two = blockwise.column_sums, blockwise.column_sums_two
    monkeypatch.setattr(blockwise, "column_sums", lambda *a: called.append(one(*a)))
    monkeypatch.setattr(blockwise, "column_sums_two", lambda *a: called.extend([two(*a)] * 2))
    np.testing.assert_allclose(features.sums(weights), by_row, rtol=1e-10)
    assert len(called) == n_weights
