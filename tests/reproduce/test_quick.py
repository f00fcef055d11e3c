"""Every experiment, on little data, through the command line."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from reproduce import EXPERIMENTS, experiment_named
from reproduce.__main__ import main
from reproduce.harness.experiment import Plan
from reproduce.harness.runner import run
from reproduce.harness.store import Store

ROOT = Path(__file__).parents[2]
WITHOUT_DATA = ("lofe-fig2", "lofe-spiral", "online-fig1")  # they make their own


def made(name, folder, *options):
    main([name, "--quick", "--jobs", "1", "--folder", str(folder), *options])
    path = folder / "results" / f"{name}.json"
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_quick_results_without_real_data(name, tmp_path, monkeypatch):
    monkeypatch.delenv("HITMISS_DATA", raising=False)
    check_quick(name, tmp_path)


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in WITHOUT_DATA])
def test_quick_results_and_their_page(name, data_home, tmp_path):
    check_quick(name, tmp_path)


def check_quick(name, folder):
    """All records, a page with pictures, and no numbers that are none."""
    path, content = made(name, folder)
    what = experiment_named(name)
    assert len(content["records"]) == len(what.tasks(Plan(1, quick=True)))
    page = (folder / "README.md").read_text()
    assert f"## {what.title}" in page
    assert "A quick trial" in page
    assert not re.search(r"\bnan\b", page)
    for figure in what.figures:
        assert f"(results/{figure}.png)" in page
        assert (path.parent / f"{figure}.png").is_file()


def test_an_interrupted_experiment_gives_the_same_table(data_home, tmp_path):
    what, plan = experiment_named("irelief-table2"), Plan(1, quick=True)
    whole = Store(tmp_path / "whole.json", what.protocol)
    run(what, plan, whole, report=lambda line: None)

    def interrupt(line):
        if line.startswith("4/"):
            raise KeyboardInterrupt

    path = tmp_path / "part.json"
    with pytest.raises(KeyboardInterrupt):
        run(what, plan, Store(path, what.protocol), report=interrupt)
    assert len(Store(path, what.protocol).records) == 4
    again = Store(path, what.protocol)
    run(what, plan, again, report=lambda line: None)
    assert without_times(again) == without_times(whole)
    assert what.page(again.records) == what.page(whole.records)


def without_times(store):
    return {
        key: {name: value for name, value in record.items() if not name.endswith("seconds")}
        for key, record in store.records.items()
    }


def test_a_quick_trial_begins_anew(tmp_path):
    path, first = made("lofe-fig2", tmp_path)
    path.write_text(json.dumps({**first, "protocol": {"quick": True}, "records": []}))
    _, again = made("lofe-fig2", tmp_path)
    assert len(again["records"]) == len(first["records"])
    assert again["protocol"] == first["protocol"]


def test_the_page_alone_is_made_of_what_is_stored(tmp_path):
    path, _ = made("lofe-fig2", tmp_path)
    before = (tmp_path / "README.md").read_bytes(), path.read_bytes()
    (tmp_path / "README.md").unlink()
    main(["--page", "--folder", str(tmp_path)])
    assert ((tmp_path / "README.md").read_bytes(), path.read_bytes()) == before


def test_full_plans_are_listed_with_their_times(capsys):
    main([])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(EXPERIMENTS)
    assert all("tasks, about" in line for line in lines)


def test_every_task_needs_only_tasks_of_its_plan():
    for name in EXPERIMENTS:
        for plan in (Plan(2), Plan(1, quick=True)):
            tasks = experiment_named(name).tasks(plan)
            keys = {task.key for task in tasks}
            assert len(keys) == len(tasks)
            assert all(set(task.needs) <= keys for task in tasks)
            assert all(need.run <= task.key.run for task in tasks for need in task.needs)


def test_an_unknown_name_gets_one_sentence():
    with pytest.raises(SystemExit, match="There is no experiment 'lofe-table3'; choose from lofe"):
        main(["lofe-table3"])


@pytest.mark.parametrize("runs", ["0", "-1", "1.5", "many"])
def test_a_number_of_runs_is_at_least_one(runs, capsys):
    with pytest.raises(SystemExit):
        main(["lofe-fig2", f"--runs={runs}"])
    assert f"'{runs}' is not a number of at least 1" in capsys.readouterr().err


def test_results_of_other_settings_get_one_sentence(tmp_path):
    path = tmp_path / "results" / "lofe-fig2.json"
    Store(path, {"quick": False, "sigma": 1.0}).add(("spiral", "1", 0), {"seconds": 0.0})
    with pytest.raises(SystemExit, match=r"was made with other settings; delete it or pass --fr"):
        main(["lofe-fig2", "--folder", str(tmp_path)])


def test_make_runs_all_of_them_though_a_folder_has_the_name():
    command = ["make", "-n", "reproduce"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "-m reproduce all\n" in shown
