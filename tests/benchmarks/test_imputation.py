import sys

import numpy as np
import pytest

from benchmarks import __main__ as pages
from benchmarks import imputation
from benchmarks.imputation import excess, wrong_by_sample


def test_the_error_bar_is_that_of_the_samples():
    ours, theirs = np.array([[1, 1, 0, 0], [1, 0, 0, 0]]), np.zeros((2, 4))
    more, error = excess(ours, theirs)
    assert more == 1.5
    assert error == pytest.approx(np.std([1, 0.5, 0, 0], ddof=1) * 2)
    assert excess(np.repeat(ours, 10, axis=0), np.zeros((20, 4))) == pytest.approx((more, error))


def test_every_sample_is_left_out_once(monkeypatch):
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = rng.normal(size=(40, 6)).astype(np.float32)
    X[:, 0] += 6 * y
    X[rng.random(X.shape) < 0.1] = np.nan
    monkeypatch.setattr(imputation, "N_FOLDS", 4)
    found = wrong_by_sample(X, y, 0)
    assert list(found) == ["ours", "the mean filled in", "by 5 neighbors"]
    known = ~np.isnan(X[:, 0])
    assert all(not wrong[known].any() for wrong, _ in found.values())
    assert all(wrong.shape == (40,) for wrong, _ in found.values())


def test_without_the_data_what_is_stored_stays(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HITMISS_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "imputation"])
    monkeypatch.setattr(pages, "replace_section", None)
    pages.main()
    assert "Nothing to run here" in capsys.readouterr().out
