import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.neighbors import soft_neighbors
from hitmiss.neighbors.pairs import AllPairs, RowTiles, balanced_references
from hitmiss.targets.classes import Classes


@given(st.lists(st.integers(2, 40), min_size=2, max_size=5), st.integers(4, 120))
def test_references_are_balanced(counts, size):
    y = np.repeat(np.arange(len(counts)), counts)
    references = balanced_references(Classes(y), size)
    assert np.array_equal(np.unique(references), references)
    kept = np.bincount(y[references], minlength=len(counts))
    assert kept.min() >= 2
    assert len(references) <= max(size, 2 * len(counts))
    full = kept == counts
    assert np.ptp(kept[~full]) <= 1 if (~full).any() else len(references) == len(y)
    np.testing.assert_array_equal(balanced_references(Classes(y), size), references)


@pytest.fixture
def data():
    X = np.random.default_rng(0).standard_normal((50, 6))
    return InMemory(X, Workers(1)), Classes(np.arange(50) % 3)


def test_uniform_starts_share_one_pass_over_the_data(data, monkeypatch):
    features, target = data
    w = np.arange(6.0)
    D, D_w = features.distances(np.ones(6)), features.distances(w)
    asked = []
    monkeypatch.setattr(features, "distances", lambda u: asked.append(u) or (D if u[0] else D_w))
    found = list(AllPairs().soft_from(features, [0.5, 2.0, w], target, 1.5))
    assert len(asked) == 2
    for Q, distances in zip(found, [0.5 * D, 2 * D, D_w], strict=True):
        expected = soft_neighbors(distances, target, 1.5, Workers(1))
        np.testing.assert_array_equal(Q, expected)


def test_distances_to_the_classes_are_those_of_all_pairs(data):
    features, target = data
    w = np.arange(6.0)
    matrix, tiles = (
        form.class_distances(features, w, target, 0.8) for form in (AllPairs(), RowTiles())
    )
    np.testing.assert_allclose(tiles, matrix, rtol=1e-8)


def test_references_are_those_of_all_samples_if_they_are_among_some():
    rows = np.array([0, 2, 3, 7, 9])
    assert RowTiles().of(rows).references is None
    assert RowTiles(np.array([2, 7])).of(rows).references.tolist() == [1, 3]
    assert RowTiles(np.array([2, 8])).of(rows).references is None
