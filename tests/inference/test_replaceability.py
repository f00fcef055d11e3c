import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.inference import replaceability
from hitmiss.inference.replaceability import (
    Places,
    Selection,
    Subsets,
    _alone,
    candidates,
    largest_above,
)


@pytest.fixture(scope="module")
def opened():
    """Few samples of which three features of twelve decide the class, and the problem."""
    X = np.random.default_rng(0).normal(size=(60, 12))
    y = X[:, :3].sum(axis=1) > 0
    data, problem = LOFE(n_jobs=1).fit(X, y).reopened(X, y)
    return data, problem.replaced(alpha=0.2)


def test_best_features_of_a_place_are_solved_for(opened):
    data, problem = opened
    place = Places(data, problem, Workers(1), max_iter=200).beside((0,), (0, 1))
    subsets = Subsets(data, problem, Workers(1), tol=1e-5, max_iter=200)
    assert place.empty == pytest.approx(subsets.solve(np.array([0])).objective, abs=1e-3)
    exact = [subsets.solve(np.array([0, k])).objective for k in range(1, 12)]
    best = 1 + np.argsort(exact)[:2]
    assert sorted(best) == [1, 2]
    found = dict(zip(place.tried.tolist(), place.objectives, strict=True))
    assert [found[k] for k in best] == pytest.approx([exact[k - 1] for k in best], abs=1e-3)
    assert 0 not in found
    assert all(value < place.empty for value in found.values())


def test_estimates_are_close_to_what_is_solved(opened, monkeypatch):
    data, problem = opened
    places = Places(data, problem, Workers(1), max_iter=200)
    exact = places.beside((0,), (0,))
    monkeypatch.setattr(replaceability, "SOLVED_FOR", 1)
    place = Places(data, problem, Workers(1), max_iter=200).beside((0,), (0,))
    estimated = dict(zip(place.tried.tolist(), place.objectives, strict=True))
    assert len(exact.tried) > 3
    for k, objective in zip(exact.tried.tolist(), exact.objectives, strict=True):
        assert estimated[k] == pytest.approx(objective, abs=1.5)


def test_one_weight_beside_margins_that_stay(opened):
    _, problem = opened
    rng = np.random.default_rng(1)
    margins, Z = rng.normal(size=60), rng.normal(0.2, 0.3, size=(5, 60))
    objectives, weights = _alone(problem, margins, Z)
    for z, objective, weight in zip(Z, objectives, weights, strict=True):
        twin = minimize_scalar(
            lambda u, z=z: np.logaddexp(0, -margins - u * z).sum() + problem.alpha * u,
            (0, 50),
            (0, 50),
        )
        assert objective == pytest.approx(twin.fun, rel=1e-6)
        assert weight == pytest.approx(twin.x, abs=1e-2)


def test_partner_of_a_pair_is_seen_with_the_neighbors_of_the_pair():
    X, y = datasets.make_xor(100, n_irrelevant=30, random_state=0, return_X_y=True)
    places = Places(*LOFE().fit(X, y).reopened(X, y), Workers(1), max_iter=200)
    with_both, alone = places.beside((0,), (0, 1)), places.beside((0,), (0,))
    assert with_both.tried[np.argmin(with_both.objectives)] == 1
    assert with_both.objectives.min() < 0.5 * alone.objectives.min(initial=alone.empty)


def test_largest_gradients_are_those_above_alpha():
    c = np.array([3.0, 1.0, 2.5, 2.0, -1.0])
    assert largest_above(c, 2.0, 3).tolist() == [0, 2]
    assert largest_above(c, 1.5, 2).tolist() == [0, 2]
    assert largest_above(c, 1.5, 9).tolist() == [0, 2, 3]


@pytest.mark.parametrize("together", [1, 100])
def test_copies_of_selected_features_are_candidates_in_their_place(together, monkeypatch):
    X, y = datasets.make_xor(100, n_irrelevant=8, random_state=0, return_X_y=True)
    X = np.hstack([X, X[:, :2] + np.random.default_rng(0).normal(0, 0.1, (100, 2))])
    data, problem = LOFE().fit(X, y).reopened(X, y)
    monkeypatch.setattr(replaceability, "GRADIENT_BYTES", together * 16 * 100**2)
    subsets = Subsets(data.columns(np.arange(2)), problem, Workers(1), tol=1e-5, max_iter=200)
    w = subsets.solve(np.arange(2)).w
    without = np.diag([subsets.solve(np.array([k])).w.item() for k in (1, 0)])[:, ::-1]
    found = candidates(data, problem, Selection(np.arange(2), w, without), 2)
    assert w.min() > 1
    assert [10 + k in some for k, some in enumerate(found)] == [True, True]
    assert all(not {0, 1} & set(some) and len(some) <= 4 for some in found)
