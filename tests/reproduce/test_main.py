"""The command line."""

import subprocess
from pathlib import Path

import pytest

from reproduce.__main__ import main
from reproduce.harness.store import Store
from reproduce.pages.contents import NAMES

ROOT = Path(__file__).parents[2]


def test_full_plans_are_listed_with_their_times(capsys):
    main([])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(NAMES)
    assert all("tasks, about" in line for line in lines)


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


def test_what_cannot_be_run_here_is_skipped_with_its_reason(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    main(["batches-bladder", "--quick", "--folder", str(tmp_path)])
    assert "batches-bladder: skipped, Rscript, apt-get, dpkg-deb not f" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_make_runs_all_of_them_though_a_folder_has_the_name():
    command = ["make", "-n", "reproduce"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "-m reproduce all\n" in shown
