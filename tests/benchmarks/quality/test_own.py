import numpy as np
import pytest

from benchmarks.quality import own, sets
from benchmarks.quality.methods import METHODS
from benchmarks.truth.store import Store
from hitmiss import LOFE, datasets


def test_the_error_is_that_of_the_predictions_of_all_splits_together():
    X, y = datasets.make_twonorm(90, n_irrelevant=20, random_state=0, return_X_y=True)
    y[80:] = 0  # classes of different sizes
    halves = [sets.Part(X[:45], y[:45], X[45:], y[45:]), sets.Part(X[45:], y[45:], X[:45], y[:45])]
    found = own.predicted(METHODS["lofe"], halves, 0)
    answers = [
        LOFE(tol=1e-4).fit(p.X.astype(np.float32), p.y).predict(p.X_test.astype(np.float32))
        for p in halves
    ]
    wrong = np.concatenate(answers) != np.roll(y, -45)
    errors = [wrong[np.roll(y, -45) == label].mean() for label in (0, 1)]
    assert found["error"] == pytest.approx(np.mean(errors), abs=1e-6)
    assert found["sigmas"] == [2.0, 2.0]


def test_a_second_run_does_only_what_is_missing(tmp_path, monkeypatch):
    X, y = datasets.make_twonorm(60, n_irrelevant=100, random_state=0, return_X_y=True)
    monkeypatch.setattr(sets, "load", lambda name: (X, y))
    lines = []
    for repeats in (1, 2):
        own.run(tmp_path, sets.SETS[:1], repeats, report=lambda line, flush: lines.append(line))
    assert len(lines) == len(set(lines)) == 2 * 2
    assert sorted(Store("lofe-tuned", tmp_path / own.FOLDER).records) == [
        (sets.SETS[0], 0),
        (sets.SETS[0], 1),
    ]
