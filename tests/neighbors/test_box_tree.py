import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss.neighbors.box_tree import BoxTree

POINTS = st.integers(4, 40).flatmap(
    lambda n: st.tuples(
        arrays(float, (n, 2), elements=st.integers(-20, 20).map(float)),
        arrays(np.intp, n - 2, elements=st.integers(0, 2)).map(lambda y: np.r_[0, 1, y]),
    )
)


@given(POINTS, st.integers(1, 10))
def test_every_point_is_in_one_leaf_of_limited_size(points, size):
    A, y = points
    tree = BoxTree(A, y, size)
    np.testing.assert_array_equal(np.sort(tree.order), np.arange(len(A)))
    assert (tree.edges[0], tree.edges[-1]) == (0, len(A))
    for start, stop in zip(tree.edges[:-1], tree.edges[1:], strict=True):
        leaf = A[tree.order[start:stop]]
        assert len(leaf) > 0
        assert len(leaf) <= size or not np.ptp(leaf, axis=0).any()  # points that are all the same


@given(POINTS, st.integers(1, 6), st.floats(0, 10), st.data())
def test_no_neighbor_within_reach_is_left_out(points, size, reach, data):
    A, y = points
    tree = BoxTree(A, y, size)
    queries = np.array(data.draw(st.lists(st.integers(0, len(A) - 1), min_size=1, max_size=4)))
    places = tree.places(tree.within(A[queries], y[queries], reach))
    found = {int(i) for place in places for i in tree.order[place]}
    for n in queries:
        d = np.abs(A - A[n]).sum(axis=1)
        others = np.arange(len(A)) != n
        for members in (others & (y == y[n]), others & (y != y[n])):
            near = np.flatnonzero(members & (d <= d[members].min(initial=np.inf) + reach))
            assert found >= set(near.tolist())


def test_leaves_that_are_far_away_are_left_out():
    A = np.concatenate([np.arange(8.0), 1000 + np.arange(8.0)])[:, None]
    tree = BoxTree(A, np.arange(16) % 2, 4)
    leaves = tree.within(A[:2], np.array([0, 1]), 1.0)
    near = np.concatenate([tree.order[place] for place in tree.places(leaves)])
    assert near.max() < 8


def test_leaves_side_by_side_are_one_place():
    tree = BoxTree(np.arange(8.0)[:, None], np.zeros(8, int), 2)
    assert tree.places(np.array([0, 1, 3])) == [slice(0, 4), slice(6, 8)]


@pytest.mark.parametrize("size", [1, 3])
def test_equal_points_are_not_cut(size):
    assert len(BoxTree(np.ones((5, 2)), np.zeros(5, int), size).edges) == 2
