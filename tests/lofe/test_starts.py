import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics, starts
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


def test_samples_that_are_all_the_same_have_no_spread():
    assert starts.spread(InMemory(np.ones((5, 3)), Workers(1))) == 1
