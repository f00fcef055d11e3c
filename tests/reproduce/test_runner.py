import numpy as np
import pytest

from reproduce.experiment import Check, Experiment, Key, Plan, Task
from reproduce.page import write_page
from reproduce.runner import duration, estimate, run
from reproduce.store import Store

FIRST = Key("a", "first", 0)


def tasks(plan):
    later = [Task(Key("a", "later", run), (FIRST,)) for run in range(plan.runs)]
    return [*later, Task(FIRST)]


def work(key, plan, needed):
    base = needed[FIRST]["value"] if needed else 0.0
    return {"value": base + float(np.random.default_rng(key.run + 1).random())}


def made(name="made-up", work=work, **options):
    return Experiment(name, "Made up", tasks, work, page=str, seconds=lambda key: 30.0, **options)


def records_of(store):
    return {key: record["value"] for key, record in store.records.items()}


def finished(path, jobs=1, experiment=None, runs=4):
    store = Store(path, {"quick": False})
    run(experiment or made(), Plan(runs), store, jobs=jobs, report=lambda line: None)
    return records_of(store)


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


def test_the_page_is_made_from_stored_results_alone(tmp_path, monkeypatch):
    def draw(records):
        import matplotlib.pyplot as plt

        return plt.subplots()[0]

    what = made("lofe-table2", figures={"picture": draw}, runs=4)
    monkeypatch.setattr("reproduce.page.experiment_named", lambda name: what)
    finished(tmp_path / "results" / "lofe-table2.json", experiment=what)
    page = write_page(tmp_path).read_text()
    assert "Not run yet: `lofe-fig2`, " in page
    assert "## Made up\n\n`lofe-table2`: 5 of 5 tasks, 4 of 4 runs whole, " in page
    assert "![picture](results/picture.png)" in page
    assert (tmp_path / "results" / "picture.png").stat().st_size > 0
    assert "quick trial" not in page
    what.protocol["sigma"] = 3.0
    assert "Outdated: run it again with `--fresh`." in write_page(tmp_path).read_text()


def test_what_holds_is_computed_from_the_results(tmp_path, monkeypatch):
    def checks(records):
        n = len(records)
        yield Check(n >= 5, "at least five records", n)
        yield Check(n >= 6, "at least six records", n)

    what = made("lofe-table2", checks=checks, runs=4, reasons=lambda records: "There are not more.")
    monkeypatch.setattr("reproduce.page.experiment_named", lambda name: what)
    path = tmp_path / "results" / "lofe-table2.json"
    finished(path, experiment=what, runs=4)
    page = write_page(tmp_path).read_text()
    assert "| Made up | 1 of 2 | 5 of 5 tasks, 4 of 4 runs whole | " in page
    assert "\n- Made up: at least six records.\n" in page
    assert "\n- yes: at least five records; found 5.\n" in page
    assert "\n- **no**: at least six records; found 5.\n\nThere are not more.\n" in page
    finished(path, experiment=what, runs=5)
    page = write_page(tmp_path).read_text()
    assert "| Made up | 2 of 2 |" in page
    assert "**no**" not in page
    assert "does not hold" not in page
    assert "There are not more." not in page


def test_an_open_check_is_neither_held_nor_failed(tmp_path, monkeypatch):
    checks = [Check(None, "later", "no run yet"), Check(np.bool_(True), "now", 1)]
    what = made("lofe-table2", checks=lambda records: checks, reasons=lambda records: "Because.")
    monkeypatch.setattr("reproduce.page.experiment_named", lambda name: what)
    finished(tmp_path / "results" / "lofe-table2.json", experiment=what)
    page = write_page(tmp_path).read_text()
    assert "| Made up | 1 of 2, 1 open |" in page
    assert "\n- open: later; found no run yet.\n" in page
    assert "Because." not in page
    assert Check(np.bool_(False), "never", 0).failed


def test_a_task_that_needs_what_no_task_gives_is_an_error(tmp_path):
    lost = Experiment("made-up", "Made up", lambda plan: tasks(plan)[:-1], work, page=str)
    with pytest.raises(ValueError, match="made-up: run 0 needs results that no task gives"):
        finished(tmp_path / "a.json", experiment=lost)


def test_every_machine_that_made_results_is_named(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    finished(path, runs=1)
    (here,) = Store(path, {"quick": False}).made
    monkeypatch.setattr("reproduce.store.machine", lambda: "2020-01-01, another.\n")
    finished(path, runs=3)
    assert Store(path, {"quick": False}).made[0] == here
    assert Store(path, {"quick": False}).made[1].startswith("2020-01-01, another.")


def test_the_page_says_how_much_is_missing(tmp_path, monkeypatch):
    what = made("lofe-table2", runs=4)
    monkeypatch.setattr("reproduce.page.experiment_named", lambda name: what)
    finished(tmp_path / "results" / "lofe-table2.json", experiment=what, runs=3)
    assert "`lofe-table2`: 4 of 5 tasks, 3 of 4 runs whole, " in write_page(tmp_path).read_text()
