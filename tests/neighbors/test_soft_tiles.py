"""Soft neighbors in tiles: the numbers of the matrix of all pairs, nothing of weight left out."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import weighted_rows
from hitmiss.lofe.newton import linearize
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.neighbors.pairs import RowTiles, balanced_references
from hitmiss.targets.classes import Classes


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
    np.testing.assert_allclose(
        features.squares(other.Q, one.pull), features.squares(one.Q, one.pull), atol=1e-8
    )
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
