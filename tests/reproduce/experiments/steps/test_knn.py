import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

from reproduce.experiments.steps.knn import growing_errors
from reproduce.experiments.steps.splits import Split


def made(seed, n_classes=3):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(70, 8)), rng.integers(0, n_classes, 70)
    X[:, 2] += y
    return Split(X[:40], y[:40], X[40:], y[40:], 8)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_errors_are_those_of_scikit_learn(seed, n_neighbors):
    split, sizes = made(seed), [1, 3, 4, 8]
    knn = KNeighborsClassifier(n_neighbors, algorithm="brute")
    expected = []
    for k in sizes:
        few = split.only(slice(k))
        expected.append(1 - knn.fit(*few.train).score(*few.test))
    np.testing.assert_allclose(growing_errors(split, n_neighbors, sizes), expected)


def test_of_equal_distances_the_earlier_sample_counts_and_of_equal_votes_the_smaller_label():
    X = np.zeros((4, 1))
    split = Split(X, np.array(["b", "a", "c", "c"]), X[:1], np.array(["b"]), 1)
    assert growing_errors(split, 1, [1]) == 0  # b
    assert growing_errors(split, 2, [1]) == 1  # a of a and b
    assert growing_errors(split, 4, [1]) == 1  # c


def test_a_label_that_only_the_test_has_is_always_wrong():
    split = Split(np.eye(3), np.array([0, 1, 1]), np.eye(3), np.array([0, 2, 1]), 3)
    assert growing_errors(split, 1, [3]) == pytest.approx(1 / 3)


def test_more_neighbors_than_samples_are_all_of_them():
    split = Split(np.eye(3), np.array([0, 1, 1]), np.eye(3), np.array([0, 1, 1]), 3)
    assert growing_errors(split, 9, [1]) == pytest.approx(1 / 3)
