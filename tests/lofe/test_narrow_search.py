"""The search from an answer that is nearly right ends, however coarse its tolerance is."""

import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import narrow_search
from hitmiss.lofe.mixing import Mixing
from hitmiss.lofe.narrow_search import NarrowSearch
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.search import Search
from hitmiss.lofe.starts import gradient
from hitmiss.lofe.steps import Steps
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


def mixed_search(alpha, mixing=None):
    """A search that learns from iterations before it, and the list of its looks at all features."""
    rng, y = np.random.default_rng(0), np.arange(200) % 4
    X = rng.normal(size=(200, 60))
    X[:, :12] += rng.normal(size=(4, 12))[y]
    looks = []

    def look(*args):
        looks.append(args)
        return gradient(*args)

    problem, steps = Problem(Classes(y), 2.0, alpha), Steps(gradient=look)
    how = {"tol": 1e-6, "max_iter": 100, "record": lambda **row: None, "steps": steps}
    features = InMemory(X, Workers(1))
    return NarrowSearch(features, problem, mix=True, mixing=mixing, **how), looks


def test_from_an_answer_of_the_same_samples_one_look_at_all_features_is_enough():
    start = mixed_search(2.0)[0].run([1.0])
    there, looks = mixed_search(1.9)
    found = there.resume(start)
    assert found.converged
    assert len(looks) == 1
    assert found.gap < 1e-3


def test_from_an_answer_of_some_samples_the_first_look_comes_early(monkeypatch):
    start = mixed_search(2.0)[0].run([1.0])
    there, looks = mixed_search(1.0)
    rough, early = narrow_search.rough_or_exact_weights, []
    monkeypatch.setattr(
        narrow_search,
        "rough_or_exact_weights",
        lambda *given: early.append(len(looks)) or rough(*given),
    )
    assert there.resume_from_some(start).converged
    assert early == [0]
    assert looks


def test_what_was_learned_at_another_penalty_saves_iterations():
    start = mixed_search(2.0)[0].run([1.0])
    mixing = Mixing()
    between = mixed_search(1.9, mixing)[0].resume(start)
    again = mixed_search(1.8, mixing)[0].resume(between)
    anew = mixed_search(1.8)[0].resume(between)
    np.testing.assert_allclose(again.w, anew.w, atol=1e-4 * anew.w.max())
    assert again.n_iter < anew.n_iter


def test_roughly_there_is_no_look_at_all_features():
    start = mixed_search(2.0)[0].run([1.0])
    exact = mixed_search(1.8)[0].resume(start)
    there, looks = mixed_search(1.8)
    rough = there.roughly(start)
    assert not looks
    assert not rough.converged
    np.testing.assert_allclose(rough.w, exact.w, atol=1e-2 * exact.w.max())
    np.testing.assert_array_equal(rough.gradient, start.gradient)
    assert rough.objective == pytest.approx(exact.objective, rel=1e-3)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_look_that_certifies_nothing_is_as_good_as_one_that_does(dtype):
    there, _ = mixed_search(1.5)
    there.features = InMemory(there.features.X.astype(dtype), Workers(1))
    start = mixed_search(2.0)[0].run([1.0])
    found = there.approach(start)
    Q = there.problem.neighbors(there.features, found.w)
    pull = there.problem.pull(there.features.margins(Q) @ found.w)
    expected = gradient(there.features, Q, pull)
    np.testing.assert_allclose(found.gradient, expected, atol=1e-4)
