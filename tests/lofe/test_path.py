import numpy as np
import pytest

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes


def test_a_path_agrees_with_single_fits(waveform):
    X, y = waveform
    alphas = [8.0, 4.0, 2.0, 1.0]
    path = LOFE(alpha=1.0).path(X, y, alphas)
    np.testing.assert_array_equal(path.alphas, alphas)
    for alpha, w, objective in zip(alphas, path.weights, path.objectives, strict=True):
        single = LOFE(alpha=alpha).fit(X, y)
        assert objective <= single.objective_ * (1 + 1e-6)
        if objective >= single.objective_ * (1 - 1e-6):
            np.testing.assert_allclose(w, single.weights_, atol=1e-3 * max(w.max(), 1e-12))
    assert path.converged.all()
    assert (path.optimality_gaps <= 1e-3).all()


def test_a_path_begins_where_every_weight_is_zero(waveform):
    path = LOFE(alpha=1.0).path(*waveform, 6)
    assert len(path.alphas) == 6
    assert (np.diff(path.alphas) < 0).all()
    assert not path.weights[0].any()
    assert path.weights[1:].any(axis=1).all()


def test_a_path_finds_interactions_on_its_way():
    X, y = datasets.make_xor(200, n_irrelevant=60, random_state=0, return_X_y=True)
    path = LOFE(alpha=1.0).path(X, y, [30.0, 10.0, 3.0, 1.0])
    assert np.flatnonzero(path.weights[-1]).tolist() == [0, 1]


def test_a_path_fits_nothing_and_needs_sensible_strengths(waveform):
    model = LOFE(alpha=2.0)
    model.path(*waveform, [5.0])
    assert not hasattr(model, "weights_")
    assert model.alpha == 2.0
    for wrong in ([], [0.0, 1.0], [np.nan], [[1.0]], 0):
        with pytest.raises((ValueError, TypeError), match="alphas"):
            model.path(*waveform, wrong)


def test_an_alpha_that_is_too_strong_is_given_on_the_scale_of_all_samples(monkeypatch):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    features, target = InMemory(X, Workers(1)), Classes(y)
    options = {"explore": False, "tol": 1e-5, "max_iter": 50, "record": lambda **row: None}

    def largest(pairs):
        problem = Problem(target, 2.0, 30.0, pairs=pairs)
        return FixedPoints(features, problem, [1.0], **options).solve(2.0, 30.0).largest_alpha

    expected = largest(AllPairs())
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 100)
    assert largest(RowTiles()) == pytest.approx(expected, rel=0.3)


def test_other_targets_have_the_exchanges_of_the_first(waveform):
    X, y = waveform
    features = InMemory(np.asarray(X, float), Workers(1))
    how = {"explore": False, "tol": 1e-3, "max_iter": 9, "record": lambda **row: None}
    first, other, third = (
        FixedPoints(features, Problem(Classes((y == k).astype(int)), 2.0, 1.0), [1.0], **how)
        for k in range(3)
    )
    first.share(other)  # nothing was found yet
    assert first.exchanges is not other.exchanges
    first.share(third)
    assert third.exchanges is first.exchanges
