import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_xor
from hitmiss.lofe import heuristics, starts
from hitmiss.lofe.problem import Problem
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
