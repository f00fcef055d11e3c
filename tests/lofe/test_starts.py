from itertools import pairwise

import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_xor
from hitmiss.lofe import heuristics, starts
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes
from tests import reference as ref
from tests.lofe.quadrants import quadrants


def test_pruning_keeps_the_pair_in_its_first_round():
    """By the twin, from distances of all pairs."""
    X, y = quadrants(1)
    S = ref.range_scale(X)
    D = np.abs(S[:, None] - S[None]).sum(axis=2)
    spread = D[~np.eye(200, dtype=bool)].std()
    assert starts.spread(InMemory(S, Workers(1))) == pytest.approx(spread, rel=1e-6)
    Z = ref.margins_at(S, y.astype(int), np.full(1_002, heuristics.LOCAL / spread), 1.0)
    order = np.argsort(-Z.sum(axis=0))
    assert set(order[:751]) >= {0, 1}


def test_a_part_with_its_partner_shows_a_feature_that_all_features_hide():
    X, y = make_xor(200, n_irrelevant=5_000, random_state=2, return_X_y=True)
    features = InMemory(ref.range_scale(X).astype(np.float32), Workers(1))
    score = starts.part_scores(features, Problem(Classes(y.astype(int)), 2.0, 1.0))
    assert set(np.argsort(-score)[:4]) >= {0, 1}
    assert score.shape == (5_002,)


def test_samples_that_are_all_the_same_have_no_spread():
    assert starts.spread(InMemory(np.ones((5, 3)), Workers(1))) == 1


def test_distances_of_the_features_left_are_those_of_all_less_those_of_others():
    X = np.random.default_rng(0).random((20, 90)).astype(np.float32)
    features = InMemory(X, Workers(1))
    left = starts.UnitDistances(features, AllPairs(features.distances(np.ones(90))))
    for n_left, after in pairwise((90, 70, 50, 20, 9, 8, 3, 1)):
        some = features.columns(np.arange(n_left))
        pairs, deviation = left.of(some)
        D = np.abs(X[:, None, :n_left] - X[None, :, :n_left]).sum(axis=2)
        np.testing.assert_allclose(pairs.unit, D, rtol=1e-5, atol=1e-5)
        assert deviation == pytest.approx(D[np.triu_indices(20, 1)].std(), rel=1e-4)
        left.leave_out(some, np.arange(after))


def test_pruning_does_not_depend_on_how_pairs_are_looked_at():
    X, y = quadrants(1)
    features, target = InMemory(ref.range_scale(X)[:, :200], Workers(1)), Classes(y.astype(int))
    first, *others = (
        starts.prune(features, Problem(target, 2.0, 1.0, pairs=pairs), np.arange(200), 0.75)
        for pairs in (AllPairs(), AllPairs(features.distances(np.ones(200))), RowTiles())
    )
    assert {0, 1} <= set(first.left)
    for other in others:
        assert other.left.tolist() == first.left.tolist()
        assert other.weight == pytest.approx(first.weight, rel=1e-6)
