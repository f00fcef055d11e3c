import numpy as np
import pytest
from sklearn.feature_selection import f_classif

from hitmiss.datasets import make_parity, make_xor


def test_xor_by_hand():
    X, y = make_xor(4, noise=0, random_state=0, return_X_y=True)
    assert sorted(map(tuple, X)) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    np.testing.assert_array_equal(X.prod(axis=1), 2 * y - 1)


def test_xor_is_parity_of_two_bits():
    xor, parity = make_xor(random_state=5), make_parity(200, n_bits=2, random_state=5)
    np.testing.assert_array_equal(xor.data, parity.data)
    assert xor.data.shape == (200, 2)


@pytest.mark.parametrize("n_bits", [2, 3, 5])
def test_parity_fills_every_corner_equally(n_bits):
    X, y = make_parity(3 * 2**n_bits, n_bits=n_bits, noise=0, random_state=0, return_X_y=True)
    corners, counts = np.unique(X, axis=0, return_counts=True)
    assert len(corners) == 2**n_bits
    assert set(counts) == {3}
    np.testing.assert_array_equal(X.prod(axis=1), 2 * y - 1)


@pytest.mark.parametrize("make", [make_xor, make_parity])
def test_interactions_have_no_marginal_effect(make):
    X, y = make(4000, noise=0.3, random_state=0, return_X_y=True)
    assert f_classif(X, y)[1].min() > 0.01


def test_parity_bits_vary_when_samples_are_few():
    X, _ = make_parity(100, n_bits=12, noise=0, random_state=0, return_X_y=True)
    assert np.abs(X.mean(axis=0)).max() < 0.5


def test_parity_needs_at_least_two_bits():
    with pytest.raises(ValueError, match="n_bits must be a whole number from 2 to 20; got 1"):
        make_parity(n_bits=1)
