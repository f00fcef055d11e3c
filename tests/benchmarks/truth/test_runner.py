"""Every task once, in the order of need."""

import numpy as np
import pytest

from benchmarks.truth import runner
from benchmarks.truth.methods import METHODS, OURS, Method
from benchmarks.truth.scenarios import table
from benchmarks.truth.synthetic import Draw


@pytest.fixture
def oracle(monkeypatch):
    """In place of ours: the first feature at level 0.03, the second at 0.3, the third never."""
    calls = []

    def levels(X, y, seed, groups=None):
        calls.append(seed)
        return np.array([0.03, 0.3, np.inf, *np.ones(X.shape[1] - 3)])

    monkeypatch.setitem(METHODS, OURS, Method(levels, "oracle"))
    return calls


def some():
    return {name: s for name, s in table(quick=True).items() if name in ("xor", "spiral")}


def test_run_goes_on_where_it_stopped(tmp_path, oracle):
    runner.run(some(), [OURS], tmp_path, until=0)
    assert oracle == []
    runner.run({"xor": some()["xor"]}, [OURS], tmp_path, report=lambda *a, **k: None)
    assert oracle == [0, 1]
    runner.run(some(), [OURS], tmp_path, report=lambda *a, **k: None)
    assert oracle == [0, 1, 0, 1]


def test_record_holds_levels_and_truth():
    x = np.arange(8.0)
    draw = Draw(np.column_stack([x % 2, x, x % 3, x]), (x > 3).astype(int), np.array([1]))
    method = Method(lambda X, y, seed, groups: np.array([0.6, 0.2, 0.1, 0.4]), "")
    record = runner.tried(method, draw, 0)
    assert record["q"] == {2: 0.1, 1: 0.2, 3: 0.4}
    assert record["relevant"] == [1]
    assert record["kin"] == {1: [1], 3: [1]}


def test_peers_take_the_first_draws_of_each_scenario_in_turn():
    todo = runner.tasks({n: s for n, s in table().items() if n in ("xor", "additive")}, "boruta")
    assert todo[:3] == [("additive", 0), ("xor", 0), ("additive", 1)]
    assert len(todo) == 2 * METHODS["boruta"].draws


def test_ours_takes_some_draws_of_each_scenario_in_turn():
    scenarios = {n: s for n, s in table().items() if n in ("xor", "additive", "true: tox_171")}
    todo = runner.tasks(scenarios, OURS)
    assert todo[: runner.ROUND] == [("additive", k) for k in range(runner.ROUND)]
    assert todo[runner.ROUND] == ("xor", 0)
    assert todo[2 * runner.ROUND : 2 * runner.ROUND + 4] == [
        *(("true: tox_171", k) for k in range(3)),
        ("additive", runner.ROUND),
    ]
    assert len(set(todo)) == len(todo) == 203
