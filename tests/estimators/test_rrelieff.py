import numpy as np
import pytest

from hitmiss import RReliefF, datasets
from hitmiss.inference import permutation_test
from tests import relief_reference as relief


def test_three_points_by_hand():
    """k = 1. Neighbors 0-1, 1-0, 2-1; differences of y 1/4, 1/4, 3/4, so N_dC = 5/4."""
    X, y = [[0.0, 0.0], [1.0, 2.0], [4.0, 1.0]], [0.0, 1.0, 4.0]
    # Feature 0, over its range: 1/4, 1/4, 3/4; feature 1: 1, 1, 1/2.
    together = [1 / 16 + 1 / 16 + 9 / 16, 1 / 4 + 1 / 4 + 3 / 8]
    alone = [5 / 4, 5 / 2]
    expected = [t / 1.25 - (a - t) / 1.75 for t, a in zip(together, alone, strict=True)]
    np.testing.assert_allclose(RReliefF(1).fit(X, y).weights_, expected)


@pytest.mark.parametrize(("k", "width"), [(1, 20.0), (10, 5.0), (70, 20.0), (10, np.inf)])
def test_against_the_definition(k, width):
    rng = np.random.default_rng(3)
    X = rng.random((40, 6))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.integers(0, 2, 40)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    found = RReliefF(k, width).fit(X, y).weights_
    np.testing.assert_allclose(found, relief.rrelieff(X, y, k, width), rtol=1e-9, atol=1e-12)


def test_a_scale_of_y_changes_nothing_and_a_bend_does():
    X, y = datasets.make_additive(60, n_irrelevant=5, random_state=0, return_X_y=True)
    weights = RReliefF().fit(X, y).weights_
    np.testing.assert_allclose(RReliefF().fit(X, 5 - 3 * y).weights_, weights, rtol=1e-9)
    assert np.abs(RReliefF().fit(X, np.exp(3 * y)).weights_ - weights).max() > 0.01


def test_weights_of_samples_count_as_they_are():
    """Weight 0 leaves a sample out of the sums, not out of the neighbors."""
    X, y = datasets.make_additive(50, n_irrelevant=2, random_state=1, return_X_y=True)
    a = np.ones(50)
    np.testing.assert_allclose(
        RReliefF().fit(X, y, sample_weight=2 * a).weights_, RReliefF().fit(X, y).weights_
    )
    a[:20] = 0
    some = RReliefF().fit(X, y, sample_weight=a).weights_
    assert np.abs(some - RReliefF().fit(X, y).weights_).max() > 1e-3


def test_what_it_finds_is_tested_by_permutation():
    X, y = datasets.make_additive(150, n_irrelevant=20, random_state=0, return_X_y=True)
    test = permutation_test(RReliefF(), X, y, n_permutations=19, random_state=0)
    assert set(test.selected(0.1)) == {0, 2}
    assert test.p_value == 1 / 20


@pytest.mark.parametrize(
    ("y", "message"), [([1.0, 1.0, 1.0], "y is 1 for all"), ([1, np.nan, 2], "NaN in row 1")]
)
def test_bad_numbers(y, message):
    with pytest.raises(ValueError, match=message):
        RReliefF().fit(np.eye(3), y)
