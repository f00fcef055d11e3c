"""Every experiment, on little data, through the command line."""

import json
import shutil

import pytest

from reproduce import EXPERIMENTS, experiment_named
from reproduce.__main__ import main
from reproduce.experiment import Plan


def made(name, folder, *options):
    main([name, "--quick", "--jobs", "1", "--folder", str(folder), *options])
    path = folder / "results" / f"{name}.json"
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_quick_results_and_their_page(name, data_home, tmp_path):
    path, content = made(name, tmp_path)
    what = experiment_named(name)
    assert len(content["records"]) == len(what.tasks(Plan(1, quick=True)))
    page = (tmp_path / "README.md").read_text()
    assert f"## {what.title}" in page
    assert "A quick trial" in page
    assert "nan" not in page
    for figure in what.figures:
        assert f"(results/{figure}.png)" in page
        assert (path.parent / f"{figure}.png").is_file()


def test_an_interrupted_experiment_gives_the_same_table(data_home, tmp_path):
    path, whole = made("irelief-table2", tmp_path / "whole")
    target = tmp_path / "part" / "results" / path.name
    target.parent.mkdir(parents=True)
    part = {**whole, "records": whole["records"][::3]}
    target.write_text(json.dumps(part))
    _, again = made("irelief-table2", tmp_path / "part")
    assert without_times(again) == without_times(whole)
    _, fresh = made("irelief-table2", tmp_path / "part", "--fresh")
    assert without_times(fresh) == without_times(whole)
    shutil.rmtree(tmp_path / "part")


def without_times(content):
    return [
        (key, {name: value for name, value in record.items() if not name.endswith("seconds")})
        for key, record in content["records"]
    ]


def test_the_page_alone_is_made_of_what_is_stored(data_home, tmp_path):
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
