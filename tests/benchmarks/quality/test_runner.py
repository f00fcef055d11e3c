import shutil

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from benchmarks.machine import cpu
from benchmarks.quality import judges, runner, sets
from benchmarks.quality.measures import stored
from benchmarks.quality.page import made_with, page
from benchmarks.quality.requirements import rows
from benchmarks.truth import store
from benchmarks.truth.store import Store
from hitmiss import datasets

METHODS = ["lofe", "lofe-tuned", "relieff", "f-test"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two repeats of two small sets, in two runs."""
    folder, lines = tmp_path_factory.mktemp("quality"), []

    def load(name):
        seed = sets.SETS.index(name)
        return datasets.make_twonorm(60, n_irrelevant=100, random_state=seed, return_X_y=True)

    def report(line, flush):
        lines.append(line)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "load", load)
        patch.setitem(judges.JUDGES, "forest", lambda: RandomForestClassifier(5, random_state=0))
        for repeats in (1, 2):
            runner.run(folder, sets.SETS[:2], METHODS, repeats, report=report)
    return folder, lines


def test_a_second_run_does_only_what_is_missing(results):
    _, lines = results
    assert len(lines) == len(set(lines)) == 2 * 2 * len(METHODS)


def test_the_evidence_has_all_methods_and_sets(results):
    evidence = stored(results[0])
    assert (evidence.methods, evidence.sets) == (METHODS, list(sets.SETS[:2]))
    assert evidence.errors.shape == (4, 2, 3, 4)
    assert (evidence.errors < 0.4).all()  # every method finds some of twenty features
    assert evidence.mean_ranks.sum() == pytest.approx(1 + 2 + 3 + 4)
    assert set(evidence.repeats.values()) == {2}
    assert ((evidence.stability > 0) & (evidence.stability < 1)).all()


def test_the_page_names_every_method_and_set(results):
    text = page(stored(results[0]))
    assert text.count("\n| ") == 2 + 4 + 2  # two heads, methods and sets
    assert "2 repeats of each of 2 sets" in text
    assert all(name in text for name in sets.SETS[:2])


def test_times_are_of_one_machine(results, monkeypatch, tmp_path):
    former = stored(results[0])
    folder = shutil.copytree(results[0], tmp_path / "results")
    record = Store("lofe", folder).records[sets.SETS[0], 1]
    again = {key: record[key] for key in ("errors", "lists")}
    monkeypatch.setattr(store, "cpu", lambda: "another (zen3)")
    Store("lofe", folder).add(sets.SETS[0], 2, seconds=1e6, **again)
    assert (stored(folder).seconds == former.seconds).all()
    text = "\n".join(made_with(folder))
    assert "another (zen3), " in text
    assert f"one only: {cpu()}." in text
    assert made_with(tmp_path) == []


def test_requirements_are_decided(results, tmp_path):
    found = rows(stored(results[0]))
    assert [row["met"] in (True, False) for row in found] == 3 * [True]
    assert rows(stored(tmp_path)) == []
    assert "So far" not in page(stored(tmp_path))


def test_every_sample_of_a_small_set_is_tested_once(monkeypatch):
    X = np.arange(40.0)[:, None] * [1.0, 2.0]
    monkeypatch.setattr(sets, "load", lambda name: (X, np.arange(40) % 2))
    parts = sets.parts("ida_thyroid", 0)
    assert len(parts) == sets.N_FOLDS
    assert all(part.X.shape[1] == 2 + sets.N_IRRELEVANT for part in parts)
    tested = np.concatenate([part.X_test for part in parts])
    kept = [k for k in range(tested.shape[1]) if set(tested[:, k]) == set(X[:, 0])]
    assert len(kept) == 1
