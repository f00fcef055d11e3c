import numpy as np
import pytest

from hitmiss import datasets
from hitmiss._util.workers import Workers
from hitmiss.neighbors import soft_neighbors
from hitmiss.plotting import neighbor_probabilities, plot_neighbors
from hitmiss.targets.classes import Classes
from tests.plotting.looks import drawn

X, Y = datasets.make_clusters(30, n_irrelevant=2, random_state=0, return_X_y=True)


def test_probabilities_are_those_of_the_kernel():
    w = np.array([3.0, 1.0, 0.0, 0.5])
    factor = w / np.ptp(X, axis=0)
    D = (np.abs(X[:, None] - X) * factor).sum(axis=2)
    workers = Workers(1)
    Q = soft_neighbors(D, Classes(Y), 0.7, workers)
    for n in (0, 7, -1):
        hit, miss = neighbor_probabilities(X, Y, n, w, sigma=0.7)
        np.testing.assert_allclose(miss - hit, Q[n], atol=1e-12)


def test_a_sample_is_not_its_own_neighbor_and_each_sums_to_one():
    hit, miss = neighbor_probabilities(X, Y, 5, np.ones(4))
    assert hit[5] == 0
    np.testing.assert_allclose([hit.sum(), miss.sum()], 1)


def test_without_hits_or_misses_there_are_none():
    hit, miss = neighbor_probabilities([[0.0], [1.0]], [0, 1], 0, [1.0])
    assert hit.tolist() == [0, 0]
    assert miss.tolist() == [0, 1]


@pytest.mark.parametrize(("features", "ylabel"), [([1, 0], "feature 0"), ([1], "probability")])
def test_drawing_marks_the_sample(features, ylabel):
    probabilities = neighbor_probabilities(X, Y, 5, np.ones(4))
    ax = drawn(plot_neighbors(X, probabilities, 5, features))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("feature 1", ylabel)
    (cross,) = (line for line in ax.lines if line.get_marker() == "x")
    assert cross.get_xdata()[0] == X[5, 1]


def test_drawing_without_neighbors():
    probabilities = neighbor_probabilities([[0.0], [1.0]], [0, 0], 0, [1.0])
    drawn(plot_neighbors([[0.0], [1.0]], probabilities, 0, [0], names=["the only one"]))
