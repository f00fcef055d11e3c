import pytest

from reproduce.harness.experiment import Experiment, Key, Plan, Task
from reproduce.harness.runner import duration, estimate
from reproduce.harness.store import Store
from tests.reproduce.made_up import FIRST, experiment, finished, tasks, work


def test_what_is_needed_comes_first(tmp_path):
    found = finished(tmp_path / "a.json", experiment())
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

    what = Experiment("made-up", pairs, noted)
    finished(tmp_path / "a.json", what, runs=3)
    assert done == [(run, method) for run in range(3) for method in ("first", "second")]


def test_processes_change_nothing(tmp_path):
    assert finished(tmp_path / "one.json", experiment()) == finished(
        tmp_path / "two.json", experiment(), jobs=2
    )


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    path, calls = tmp_path / "a.json", []

    def interrupted(key, plan, needed):
        calls.append(key)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return work(key, plan, needed)

    with pytest.raises(KeyboardInterrupt):
        finished(path, experiment(work=interrupted))
    assert len(Store(path, {"quick": False}).records) == 2
    found = finished(path, experiment(work=interrupted))
    assert found == finished(tmp_path / "whole.json", experiment())
    assert len(calls) == 6  # five tasks, of which one twice


def test_more_runs_keep_the_earlier_ones(tmp_path):
    few = finished(tmp_path / "a.json", experiment(), runs=2)
    many = finished(tmp_path / "a.json", experiment(), runs=4)
    assert few.items() < many.items()


def test_the_estimate_counts_what_is_left():
    all_of_it = tasks(Plan(7))
    assert estimate(experiment(), all_of_it, all_of_it[:2], jobs=2) == (
        "made-up: 8 tasks, about 2 min with 2 jobs; 2 to do, about 30 s."
    )
    assert duration(3 * 3600) == "3.0 h"


def test_a_task_that_needs_what_no_task_gives_is_an_error(tmp_path):
    lost = Experiment("made-up", lambda plan: tasks(plan)[:-1], work)
    with pytest.raises(ValueError, match="made-up: run 0 needs results that no task gives"):
        finished(tmp_path / "a.json", lost)
