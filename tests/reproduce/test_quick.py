"""Every experiment, on little data, through the command line."""

import json
import re

import pytest

from reproduce.__main__ import main
from reproduce.experiments.batches import bladder_data
from reproduce.harness.experiment import Plan
from reproduce.harness.runner import run
from reproduce.harness.store import Store
from reproduce.pages.contents import NAMES, section_named

WITHOUT_DATA = ("lofe-fig2", "lofe-spiral", "online-fig1")  # they make their own
FETCHED = ("batches-bladder",)  # they fetch their own


def made(name, folder, *options):
    main([name, "--quick", "--jobs", "1", "--folder", str(folder), *options])
    path = folder / "results" / f"{name}.json"
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_quick_results_without_real_data(name, tmp_path, monkeypatch):
    monkeypatch.delenv("HITMISS_DATA", raising=False)
    check_quick(name, tmp_path)


@pytest.mark.parametrize("name", FETCHED)
def test_quick_results_of_fetched_data(name, tmp_path):
    if not bladder_data.cache().exists():  # a test downloads nothing
        pytest.skip(f"python -m reproduce {name} --quick fetches the data first")
    check_quick(name, tmp_path)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_DATA + FETCHED])
def test_quick_results_and_their_page(name, data_home, tmp_path):
    check_quick(name, tmp_path)


def check_quick(name, folder):
    """All records, a page with pictures, and no numbers that are none."""
    path, content = made(name, folder)
    what = section_named(name)
    assert len(content["records"]) == len(what.experiment.tasks(Plan(1, quick=True)))
    page = (folder / "README.md").read_text()
    assert f"## {what.title}" in page
    assert "A quick trial" in page
    assert not re.search(r"\bnan\b", page)
    for figure in what.figures:
        assert f"(results/{figure}.png)" in page
        assert (path.parent / f"{figure}.png").is_file()


def test_an_interrupted_experiment_gives_the_same_table(data_home, tmp_path):
    section, plan = section_named("irelief-table2"), Plan(1, quick=True)
    what = section.experiment
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
    assert section.body(again.records) == section.body(whole.records)


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


def test_every_task_needs_only_tasks_of_its_plan():
    for name in NAMES:
        for plan in (Plan(2), Plan(1, quick=True)):
            tasks = section_named(name).experiment.tasks(plan)
            keys = {task.key for task in tasks}
            assert len(keys) == len(tasks)
            assert all(set(task.needs) <= keys for task in tasks)
            assert all(need.run <= task.key.run for task in tasks for need in task.needs)
