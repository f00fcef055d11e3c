import numpy as np
import pytest

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.estimators.validation import scaled_features
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.tuning import by_evidence
from hitmiss.targets.classes import Classes


def solver(X, y, **settings):
    settings = {"explore": True, "tol": 1e-5, "max_iter": 200} | settings
    features = scaled_features(X, "range", Workers(1))
    starts = [features.n_features**-0.5, 1.0]
    problem = Problem(Classes(y), 1.0, 1.0)
    return FixedPoints(features, problem, starts, record=lambda **_: None, **settings)


@pytest.mark.full
def test_the_strength_does_not_depend_on_where_the_search_begins(waveform):
    task = solver(*waveform)
    found = [by_evidence(task, 2.0, "evidence", begin) for begin in (0.03, 1.0)]
    alphas = np.array([tuned.alpha for tuned in found])
    np.testing.assert_allclose(alphas, alphas[1], rtol=0.05)
    assert all(tuned.evidence.n_improper == 0 for tuned in found)
    weights = np.array([tuned.w for tuned in found])
    assert np.ptp(weights, axis=0).max() < 0.05 * weights.max()


def test_the_bound_asks_for_a_weaker_penalty():
    data = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    task = solver(*data, tol=1e-3)
    local, bound = (by_evidence(task, 2.0, kind).alpha for kind in ("evidence", "bound"))
    assert bound < 0.5 * local


def test_evidence_finds_pure_interactions_and_nothing_else():
    X, y = datasets.make_xor(200, n_irrelevant=100, random_state=0, return_X_y=True)
    model = LOFE(alpha="evidence").fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
    assert model.optimality_gap_ < 1e-3
    assert np.isfinite(model.log_evidence_)
    assert model.n_improper_ == 0


def test_data_without_any_signal_keep_no_feature():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 300)), rng.permutation(np.repeat([0, 1], 50))
    task = solver(X, y)
    tuned = by_evidence(task, 2.0, "evidence", begin=0.2)
    assert not tuned.w.any()
    assert np.count_nonzero(task.solve(2.0, 0.2).w) > 10
