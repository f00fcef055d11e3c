"""The search from an answer that is nearly right ends, however coarse its tolerance is."""

import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.narrow_search import NarrowSearch
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.search import Search
from hitmiss.lofe.tile_search import TileSearch
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes


def search(kind, X, y, tol):
    pairs = RowTiles() if kind is TileSearch else AllPairs()
    problem = Problem(Classes(y), 2.0, 1.0, pairs=pairs)
    features = InMemory(X, Workers(1))
    return kind(features, problem, tol=tol, max_iter=50, record=lambda **row: None)


@pytest.mark.parametrize("kind", [Search, NarrowSearch, TileSearch])
@pytest.mark.parametrize("tol", [0.1, 1e-2, 1e-5])
def test_a_tolerance_that_leaves_violators_becomes_finer(kind, tol):
    rng, y = np.random.default_rng(3), np.arange(60) % 2
    X = rng.normal(size=(60, 8))
    X[:, 0] += 2 * y
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=60)
    right = search(Search, X, y, 1e-8).run([1.0])
    weakest = np.where(right.w > 0, right.w, np.inf).argmin()
    start = right.w.copy()
    start[weakest] = 0.0
    found = search(kind, X, y, tol).resume(right._replace(w=start))
    assert found.w[weakest] > 0
    assert found.converged
    assert found.n_iter < 15
