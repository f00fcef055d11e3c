"""Very many samples: levels of samples and Newton's method lead to the answer of all starts."""

import numpy as np
import pytest
import scipy.sparse

from hitmiss import LOFE, LOFERegressor, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.search import Search
from hitmiss.lofe.tile_search import TileSearch
from hitmiss.neighbors.pairs import RowTiles
from hitmiss.targets.classes import Classes


def clusters(n_samples=700):
    return datasets.make_clusters(n_samples, n_irrelevant=10, random_state=0, return_X_y=True)


@pytest.fixture
def few_are_some(monkeypatch):
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 30)


@pytest.mark.usefixtures("few_are_some")
def test_three_levels_lead_to_the_answer_of_all_samples():
    X, y = clusters()
    expected = LOFE(alpha=1.0).fit(X, y)
    found = LOFE(alpha=1.0, memory="25MB").fit(X, y)
    alphas = {round(row["alpha"], 2) for row in found.history_}
    assert len(alphas) == 3
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    np.testing.assert_allclose(found.scores_, expected.scores_, rtol=1e-3, atol=1e-3)
    assert found.converged_
    assert found.optimality_gap_ <= heuristics.GAP
    assert found.objective_ == pytest.approx(expected.objective_, rel=1e-6)


def test_references_stay_the_same_on_every_level(monkeypatch):
    X, y = clusters(1500)
    expected = LOFE(alpha=1.0, max_references=60).fit(X, y)
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 30)
    found = LOFE(alpha=1.0, max_references=60).fit(X, y)
    assert len({round(row["alpha"], 3) for row in found.history_}) == 3
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)


@pytest.mark.usefixtures("few_are_some")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_threads_and_the_place_of_the_data_change_no_bit(dtype, tmp_path):
    X, y = clusters()
    X = X.astype(dtype)
    one, two = (LOFE(memory="25MB", n_jobs=n, alpha=1.0).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(two.weights_, one.weights_)
    sparse = LOFE(memory="25MB", alpha=1.0).fit(scipy.sparse.csr_array(X), y)
    np.testing.assert_array_equal(sparse.weights_, one.weights_)
    for _ in range(2):  # the second time every step is read
        kept = LOFE(memory="25MB", alpha=1.0, checkpoint=tmp_path / "fit").fit(X, y)
        np.testing.assert_array_equal(kept.weights_, one.weights_)


def search(kind, X, y, alpha=1.0):
    problem = Problem(Classes(y), 2.0, alpha, pairs=RowTiles())
    rows = []
    found = kind(
        InMemory(X, Workers(1)),
        problem,
        tol=1e-5,
        max_iter=100,
        record=lambda **row: rows.append(row),
    )
    return found, rows


@pytest.fixture(scope="module")
def answer():
    X, y = clusters(300)
    return X, y, search(Search, X, y)[0].run([1.0])


def test_one_look_at_all_features_is_enough_from_nearby(answer, monkeypatch):
    X, y, right = answer
    one, rows = search(TileSearch, X, y)
    monkeypatch.setattr(one, "_run", None)
    found = one.resume(right._replace(w=right.w * 1.01))
    np.testing.assert_allclose(found.w, right.w, rtol=1e-4)
    np.testing.assert_allclose(found.gradient, right.gradient, rtol=1e-4, atol=1e-4)
    assert found.converged
    assert found.gap <= 1e-4
    assert [row["n_nonzero"] for row in rows] == [2]
    assert 2 <= found.n_iter <= 4


@pytest.mark.parametrize("missing", [0, 1])
def test_a_feature_that_is_missing_enters(answer, missing):
    X, y, right = answer
    start = right.w.copy()
    start[np.flatnonzero(start)[missing]] = 0.0
    found = search(TileSearch, X, y)[0].resume(right._replace(w=start))
    np.testing.assert_allclose(found.w, right.w, rtol=1e-4)
    assert found.converged


@pytest.mark.parametrize("factor", [0.05, 30.0])
def test_far_away_it_goes_on_as_any_search(answer, factor):
    X, y, right = answer
    start = right._replace(w=right.w * factor)
    found, plain = (search(kind, X, y)[0].resume(start) for kind in (TileSearch, Search))
    np.testing.assert_array_equal(found.w, plain.w)


def test_many_weights_go_on_as_in_any_search(answer, monkeypatch):
    X, y, right = answer
    monkeypatch.setattr(RowTiles, "cheap_moments", 1)
    monkeypatch.setattr(heuristics, "NEWTON_WORK", 0)
    start = right._replace(w=right.w * 1.01)
    found, plain = (search(kind, X, y)[0].resume(start) for kind in (TileSearch, Search))
    np.testing.assert_array_equal(found.w, plain.w)
    np.testing.assert_allclose(found.w, right.w, rtol=1e-4)


@pytest.mark.usefixtures("few_are_some")
def test_numbers_have_the_same_levels():
    X, y = datasets.make_additive(700, n_irrelevant=5, random_state=0, return_X_y=True)
    expected = LOFERegressor(alpha=2.0).fit(X, y)
    found = LOFERegressor(alpha=2.0, memory="25MB").fit(X, y)
    assert len({round(row["alpha"], 2) for row in found.history_}) == 3
    scale = expected.weights_.max()
    np.testing.assert_allclose(found.weights_, expected.weights_, atol=1e-4 * scale)
    assert found.converged_
