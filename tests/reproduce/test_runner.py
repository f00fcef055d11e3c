import pytest

from reproduce.harness.experiment import Experiment, Key, Plan, Task
from reproduce.harness.runner import duration, estimate
from reproduce.harness.store import Store
from tests.reproduce.made_up import FIRST, finished, made, records_of, tasks, work


def test_what_is_needed_comes_first(tmp_path):
    found = finished(tmp_path / "a.json")
    assert len(found) == 5
    assert all(found[key] > found[FIRST] for key in found if key != FIRST)


def test_an_early_run_is_whole_before_a_later_one_begins(tmp_path):
    done = []

    def pairs(plan):
        first = [Task(Key("a", "first", run)) for run in range(plan.runs)]
        return [*(Task(Key("a", "second", t.key.run), (t.key,)) for t in first), *first]

    def noted(key, plan, needed):
        done.append((key.run, key.method))
        return {"value": 0.0}

    what = Experiment("made-up", "Made up", pairs, noted, page=str)
    finished(tmp_path / "a.json", experiment=what, runs=3)
    assert done == [(run, method) for run in range(3) for method in ("first", "second")]


def test_processes_change_nothing(tmp_path):
    assert finished(tmp_path / "one.json") == finished(tmp_path / "two.json", jobs=2)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    path, calls = tmp_path / "a.json", []

    def interrupted(key, plan, needed):
        calls.append(key)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return work(key, plan, needed)

    with pytest.raises(KeyboardInterrupt):
        finished(path, experiment=made(work=interrupted))
    assert len(Store(path, {"quick": False}).records) == 2
    found = finished(path, experiment=made(work=interrupted))
    assert found == finished(tmp_path / "whole.json")
    assert len(calls) == 6  # five tasks, of which one twice


def test_more_runs_keep_the_earlier_ones(tmp_path):
    few = finished(tmp_path / "a.json", runs=2)
    many = finished(tmp_path / "a.json", runs=4)
    assert few.items() < many.items()


def test_results_of_other_settings_are_refused(tmp_path):
    finished(tmp_path / "a.json")
    with pytest.raises(ValueError, match=r"made with other settings; delete it or pass --fresh\."):
        Store(tmp_path / "a.json", {"quick": True})


def test_a_failed_write_leaves_the_old_results(tmp_path):
    path = tmp_path / "a.json"
    before = finished(path)
    store = Store(path, {"quick": False})
    with pytest.raises(TypeError):
        store.add(Key("b", "bad", 0), {"value": object()})
    assert records_of(Store(path, {"quick": False})) == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_the_estimate_counts_what_is_left():
    all_of_it = tasks(Plan(7))
    assert estimate(made(), all_of_it, all_of_it[:2], jobs=2) == (
        "made-up: 8 tasks, about 2 min with 2 jobs; 2 to do, about 30 s."
    )
    assert duration(3 * 3600) == "3.0 h"


def test_a_task_that_needs_what_no_task_gives_is_an_error(tmp_path):
    lost = Experiment("made-up", "Made up", lambda plan: tasks(plan)[:-1], work, page=str)
    with pytest.raises(ValueError, match="made-up: run 0 needs results that no task gives"):
        finished(tmp_path / "a.json", experiment=lost)


def test_every_machine_that_made_results_is_named(tmp_path):
    path = tmp_path / "a.json"
    finished(path, runs=1)
    (here,) = Store(path, {"quick": False}).made
    finished(path, runs=3, here="2020-01-01, another.")
    assert Store(path, {"quick": False}).made == [here, "2020-01-01, another."]
