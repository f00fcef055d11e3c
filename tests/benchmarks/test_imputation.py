import sys

import numpy as np
import pytest

from benchmarks import __main__ as pages
from benchmarks import imputation
from benchmarks.imputation import excess, stored_draws, wrong_by_sample
from benchmarks.truth import store
from benchmarks.truth.store import Store


def test_the_error_bar_is_that_of_the_samples():
    ours, theirs = np.array([[1, 1, 0, 0], [1, 0, 0, 0]]), np.zeros((2, 4))
    more, error = excess(ours, theirs)
    assert more == 1.5
    assert error == pytest.approx(np.std([1, 0.5, 0, 0], ddof=1) * 2)
    assert excess(np.repeat(ours, 10, axis=0), np.zeros((20, 4))) == pytest.approx((more, error))


def test_every_sample_is_left_out_once(monkeypatch):
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = rng.normal(size=(40, 6)).astype(np.float32)
    X[:, 0] += 8 * y
    X[rng.random(X.shape) < 0.1] = np.nan
    monkeypatch.setattr(imputation, "N_FOLDS", 4)
    found = wrong_by_sample(X, y, 0)
    assert list(found) == [
        (model, name) for model in imputation.MODELS for name in imputation.FILLED
    ]
    known = ~np.isnan(X[:, 0])
    assert all(not wrong[known].any() for wrong, _ in found.values())
    assert all(wrong.shape == (40,) for wrong, _ in found.values())


# One sample of 40 more has a standard error of 1, four have 1.9.
@pytest.mark.parametrize(("more", "met"), [(0, True), (1, True), (4, False)])
def test_more_wrong_samples_are_not_met_where_that_is_required(more, met):
    X, none = np.zeros((40, 2)), np.zeros(40, bool)
    ours = np.arange(40) < more
    draw = {(model, name): (none, 1.0) for model in imputation.MODELS for name in imputation.FILLED}
    draws = [{**draw, **{(model, "ours"): (ours, 1.0) for model in imputation.MODELS}}]
    *needed, fixed = (imputation._beside(X, 0.3, model, draws) for model in imputation.MODELS)
    assert [one["met"] for one in needed] == [met, met]
    assert (fixed["met"], fixed["required"]) == (None, "")
    assert f"ours {more:.1f}, the mean filled in 0.0, by 5 neighbors 0.0;" in fixed["note"]


def test_what_is_stored_is_not_run_again(monkeypatch, tmp_path):
    X, y = np.zeros((6, 2)), np.arange(6) % 2
    wrong = np.array([False, True, False, False, True, False])
    calls = []

    def run(X, y, seed):
        calls.append(seed)
        return {("LOFE", "ours"): (wrong, 0.25)}

    monkeypatch.setattr(imputation, "wrong_by_sample", run)
    stored_draws(X, y, Store("imputation", tmp_path), n_draws=1)
    found = stored_draws(X, y, Store("imputation", tmp_path), n_draws=2)
    assert calls == [0] * 3 + [1] * 3
    assert list(found) == list(imputation.SHARES)
    for share in found:
        assert len(found[share]) == 2
        kept, spent = found[share][0]["LOFE", "ours"]
        assert kept.tolist() == wrong.tolist()
        assert spent == 0.25


def test_errors_are_of_all_machines_and_times_of_one(monkeypatch, tmp_path):
    X, y, wrong = np.zeros((6, 2)), np.arange(6) % 2, np.zeros(6, bool)
    found = {
        (model, name): (wrong, 0.25) for model in imputation.MODELS for name in imputation.FILLED
    }
    monkeypatch.setattr(imputation, "wrong_by_sample", lambda *_: found)
    for n, machine in ((2, "a (zen5)"), (3, "another (zen3)")):
        monkeypatch.setattr(store, "cpu", lambda machine=machine: machine)
        draws = stored_draws(X, y, Store("imputation", tmp_path), n_draws=n)[0.0]
        found = dict.fromkeys(found, (wrong, 4.0))
    assert len(draws) == 3
    row = imputation._beside(X, 0.0, next(iter(imputation.MODELS)), draws)
    assert (row["ours_s"], row["peer_s"]) == (0.25, 0.25)


def test_without_the_data_what_is_stored_stays(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("HITMISS_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "imputation"])
    monkeypatch.setattr(pages, "replace_section", None)
    pages.main()
    assert "Nothing to run here" in capsys.readouterr().out
