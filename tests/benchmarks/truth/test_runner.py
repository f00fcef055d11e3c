"""Every task once, in the order of need."""

import numpy as np
import pytest

from benchmarks.truth import runner
from benchmarks.truth.methods import ATTRIBUTABLE, METHODS, OURS, Method
from benchmarks.truth.scenarios import table
from benchmarks.truth.store import Store
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


def test_peers_take_a_draw_of_each_scenario_in_turn():
    scenarios = {n: s for n, s in table().items() if n in ("xor", "additive")}
    todo = runner.tasks(scenarios, ["ipss", "boruta"])
    first = [("ipss", "additive", 0), ("ipss", "xor", 0), ("boruta", "additive", 0)]
    assert todo[:3] == first
    assert sum(method == "boruta" for method, _, _ in todo) == 2 * METHODS["boruta"].draws


def test_ours_takes_some_draws_of_each_scenario_in_turn_before_peers():
    scenarios = {n: s for n, s in table().items() if n in ("xor", "additive", "true: tox_171")}
    todo = runner.tasks(scenarios, ["ipss", OURS])
    size, ours = runner.ROUND, todo[:203]
    assert ours[:size] == [(OURS, "additive", k) for k in range(size)]
    assert ours[size] == (OURS, "xor", 0)
    assert ours[2 * size : 2 * size + 4] == [
        *((OURS, "true: tox_171", k) for k in range(3)),
        (OURS, "additive", size),
    ]
    assert {method for method, _, _ in ours} == {OURS}
    assert {method for method, _, _ in todo[203:]} == {"ipss"}


def test_what_goes_on_from_ours_waits_for_its_levels(tmp_path, oracle, monkeypatch):
    taken = []
    after = Method(lambda X, y, seed, levels: taken.append(levels) or levels, "", after=OURS)
    monkeypatch.setitem(METHODS, ATTRIBUTABLE, after)
    only = {"xor": some()["xor"]}
    runner.run(only, [ATTRIBUTABLE], tmp_path, report=lambda *a, **k: None)
    assert taken == []
    runner.run(only, [OURS, ATTRIBUTABLE], tmp_path, report=lambda *a, **k: None)
    np.testing.assert_array_equal(taken[0][:4], [0.03, 0.3, 1, 1])
    assert Store(ATTRIBUTABLE, tmp_path).records["xor", 1]["q"] == {"0": 0.03, "1": 0.3}
