"""Neighbors in tiles are those of the matrix, that of targets of pairs is NumPy's; the box tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss._util.workers import Workers
from hitmiss.data.features import weighted_rows
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.newton import linearize
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.neighbors import (
    band_neighbors,
    dead_band,
    mean_distance,
    nearest_neighbors,
    pair_trust,
    single_neighbors,
    soft_neighbors,
    soft_neighbors_by_class,
    trust,
)
from hitmiss.neighbors.pairs import AllPairs, RowTiles, balanced_references
from hitmiss.neighbors.tiles import BoxTree
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared
from tests.neighbors.problems import LABELS, LINE, SIGMA, random_problem
from tests.targets import pair_targets as twin

SERIAL = Workers(1)


def random_features(n_samples, n_features, dtype="f8", seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features)).astype(dtype)
    y = rng.integers(0, 3, n_samples)
    w = np.where(rng.random(n_features) < 0.5, rng.random(n_features), 0.0)
    return InMemory(X, Workers(1)), Classes(y), w


@settings(max_examples=25, deadline=None)
@given(st.integers(6, 90), st.integers(1, 20), st.sampled_from([0.3, 2.0, 30.0]))
def test_every_number_is_that_of_the_matrix_of_pairs(n_samples, n_features, sigma):
    features, target, w = random_features(n_samples, n_features, seed=n_samples)
    problem = Problem(target, sigma, 0.7)
    tiled = Problem(target, sigma, 0.7, pairs=RowTiles())
    one, other = evaluate(features, problem, w), evaluate(features, tiled, w)
    for name in ("Z", "pull", "objective", "gradient"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-8, atol=1e-8)
    sums = [features.sums([weighted_rows(point.Q, one.pull)]) for point in (one, other)]
    np.testing.assert_allclose(*sums, atol=1e-8)
    for expected, found in zip(
        linearize(features, problem, w), linearize(features, tiled, w), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


def test_references_are_the_only_neighbors():
    features, target, w = random_features(60, 5)
    y, references = target.codes, balanced_references(target, 24)
    Q = RowTiles(references).soft(features, w, target, 1.0)
    D = features.distances(w)
    for n in range(60):
        row = np.zeros(60)
        found, (everything,) = Q.probabilities(np.array([n]))
        row[Q.references[everything]] = found[0]
        for members, sign in ((y == y[n], -1), (y != y[n], 1)):
            allowed = members & np.isin(np.arange(60), references) & (np.arange(60) != n)
            P = np.where(allowed, np.exp(-D[n]), 0)
            np.testing.assert_allclose(sign * row[members], (P / P.sum())[members], atol=1e-8)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.sampled_from([0.005, 0.1, 1.0]), st.booleans())
def test_what_a_tree_leaves_out_has_no_probability(n_features, sigma, halve):
    rng = np.random.default_rng(n_features)
    X, y = rng.random((3000, n_features)), rng.integers(0, 3, 3000)
    y[X[:, 0] < 0.5] = 0  # where classes 1 and 2 are far away
    references = np.arange(0, 3000, 2 if halve else 1)
    features = InMemory(X, Workers(1))
    Q = RowTiles(references).soft(features, np.ones(n_features), Classes(y), sigma)
    assert np.array_equal(np.sort(np.concatenate(Q.tiles)), np.arange(3000))
    assert np.array_equal(np.sort(Q.references), references)
    rows = Q.tiles[len(Q.tiles) // 2]
    found, near = Q.probabilities(rows)
    row = np.zeros((len(rows), 3000))
    row[:, np.concatenate([Q.references[place] for place in near])] = found[: len(rows)]
    D = np.abs(X[rows][:, None] - X).sum(axis=2)
    allowed = np.isin(np.arange(3000), references) & (np.arange(3000) != rows[:, None])
    for members, sign in ((y == y[rows][:, None], -1), (y != y[rows][:, None], 1)):
        shifted = np.where(members & allowed, D, np.inf)
        P = np.exp((shifted.min(axis=1, keepdims=True) - shifted) / sigma)
        P /= P.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(np.where(members, sign * row, 0), P, atol=1e-9)
    if sigma == 0.005 and n_features == 1:
        sizes = [Q.probabilities(tile)[0].shape[1] for tile in Q.tiles]
        assert min(sizes) < len(references)


def everything(y):
    """Classes as a target of pairs in which everything may be compared."""
    return Compared(Classes(y), Comparable(strata=np.zeros(len(y), int)))


def test_four_points_of_two_donors_by_hand():
    donors = Compared(Classes(np.array([0, 0, 1, 0])), Comparable(groups=np.array([0, 0, 1, 2])))
    Q = soft_neighbors(LINE, donors, SIGMA, SERIAL)  # points 0, 1, 3, 6
    expected = [[0, 0, 1, -1], [0, 0, 1, -1], [0, 0, 0, 0], [-1 / 3, -2 / 3, 1, 0]]
    np.testing.assert_allclose(Q, expected, atol=1e-15)
    np.testing.assert_array_equal(donors.has_hit, [True, True, False, True])
    Q = single_neighbors(LINE, donors)
    np.testing.assert_array_equal(Q, [[0, 0, 1, -1], [0, 0, 1, -1], [0, 0, 0, 0], [0, -1, 1, 0]])


def test_half_a_hit_is_half_a_miss():
    S = np.array([[1, 0.5, 0.5, 0.0]] * 4)
    Q = soft_neighbors(LINE, twin.Given(S), SIGMA, SERIAL)[0]  # at 0, 1, 3, 6: k = 1/2, 1/8, 1/64
    hit, miss = np.array([0, 32, 8, 0]) / 40, np.array([0, 16, 4, 1]) / 21
    np.testing.assert_allclose(Q, miss - hit, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_where_everything_may_be_compared_rules_are_those_of_classes(n_classes):
    D, y = random_problem(70, n_classes)
    plain, pairs = Classes(y), everything(y)
    low, high = dead_band(D)
    for rule in (
        lambda target: soft_neighbors(D, target, 0.7, SERIAL),
        lambda target: soft_neighbors_by_class(D, target, 0.7, SERIAL),
        lambda target: single_neighbors(D, target),
        lambda target: nearest_neighbors(D, target, 5, SERIAL),
        lambda target: band_neighbors(D, target, low, high, SERIAL),
        lambda target: mean_distance(D, target),
        lambda target: dead_band(D, target),
        lambda target: AllPairs().class_distances(InMemory(D, SERIAL), np.ones(70), target, 0.7),
    ):
        np.testing.assert_allclose(rule(pairs), rule(plain), rtol=1e-8, atol=1e-12)
    Q = soft_neighbors(D, plain, 0.7, SERIAL)
    np.testing.assert_allclose(pair_trust(D, pairs, 0.7, SERIAL), trust(D, Q, 0.7), rtol=1e-8)


def test_soft_neighbors_and_hits_against_numpy():
    D, target = random_problem(150, 2)[0], twin.random_target(150)
    Q, _ = twin.soft(D, target, 0.7)
    np.testing.assert_allclose(soft_neighbors(D, target, 0.7, Workers(2)), Q, rtol=1e-7, atol=1e-9)
    X = InMemory(np.random.default_rng(0).random((150, 3)), SERIAL)
    expected = twin.soft(X.distances(np.ones(3)), target, 0.2)[1]
    found = AllPairs().soft_hits(X, np.ones(3), target, 0.2)
    np.testing.assert_allclose(-found, expected, rtol=1e-7, atol=1e-9)
    assert AllPairs().soft_hits(X, np.ones(3), everything(np.arange(150) % 2), 0.2) is None


def pair_targets(n):
    rng = np.random.default_rng(n)
    y, cells = Classes(rng.integers(0, 3, n)), rng.integers(0, 4, (2, n))
    comparable = Comparable(cells[0] % 2, cells[1] % 2, rng.random((n, 1)))
    weighted = Compared(y.weighted(rng.random(n)), comparable)
    return [twin.random_target(n), twin.random_target(n, weights=True), weighted]


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize("n_samples", [30, 75])
def test_every_number_of_tiles_is_that_of_the_matrix(n_samples, kind):
    target, rng = pair_targets(n_samples)[kind], np.random.default_rng(1)
    features, w = InMemory(rng.random((n_samples, 6)), SERIAL), rng.random(6) * [1, 0, 1, 1, 0, 1]
    problem, tiled = (Problem(target, 0.3, 0.7, pairs=p) for p in (AllPairs(), RowTiles()))
    one, other = evaluate(features, problem, w), evaluate(features, tiled, w)
    for name in ("Z", "pull", "objective", "gradient"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-7, atol=1e-8)
    both = [linearize(features, p, w) for p in (problem, tiled)]
    for expected, found in zip(*both, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    values = rng.random(n_samples)
    found = [p.expected_values(features, w, target, 0.3, values) for p in (AllPairs(), RowTiles())]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-8)
    if kind == 2:
        found = [p.class_distances(features, w, target, 0.3) for p in (AllPairs(), RowTiles())]
        np.testing.assert_allclose(found[1], found[0], rtol=1e-8)


def test_the_jacobian_of_overlapping_hits_and_misses_against_finite_differences():
    rng = np.random.default_rng(0)
    for target in pair_targets(40):
        features, w = InMemory(rng.random((40, 3)), SERIAL), rng.random(3) + 0.5
        problem = Problem(target, 0.3, 0.7)
        steps = 1e-6 * np.eye(3)
        numeric = [
            (
                evaluate(features, problem, w + s).gradient
                - evaluate(features, problem, w - s).gradient
            )
            / 2e-6
            for s in steps
        ]
        np.testing.assert_allclose(
            linearize(features, problem, w).jacobian, np.transpose(numeric), rtol=1e-4, atol=1e-5
        )


def test_expected_values_against_numpy():
    target, rng = twin.random_target(40), np.random.default_rng(3)
    features, values = InMemory(rng.random((40, 2)), SERIAL), rng.random(40)
    hit, miss = twin.shares(target)
    P = (hit + miss) * np.exp(-features.distances(np.ones(2)) / 0.4)
    found = AllPairs().expected_values(features, np.ones(2), target, 0.4, values)
    np.testing.assert_allclose(found, P @ values / P.sum(axis=1), rtol=1e-7)


def test_references_have_every_class_of_every_stratum():
    y, strata = np.tile([0, 0, 0, 1], 50), np.repeat([0, 1], 100)
    target = Compared(Classes(y), Comparable(strata=strata))
    references = balanced_references(target, 20)
    assert len(references) == 20
    assert (
        np.unique(2 * y[references] + strata[references], return_counts=True)[1].tolist() == [5] * 4
    )


def test_bands_are_those_of_comparable_samples():
    strata = np.array([0, 0, 1, 1])
    target = Compared(Classes(np.array([0, 1, 0, 1])), Comparable(strata=strata))
    assert mean_distance(LINE, target) == 2.0  # points 0, 1 and 3, 6
    near, far = dead_band(LINE, target)
    np.testing.assert_array_equal([near, far], [[1, 1, 3, 3]] * 2)
    assert mean_distance(LINE, Classes(LABELS)) == mean_distance(LINE)


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
