"""Old public import paths keep working for one release, and name the new way."""

import subprocess
import sys
from importlib import import_module

import pytest

import hitmiss
from hitmiss._util.moved import MOVED


@pytest.fixture
def forgotten(monkeypatch):
    """A function that makes this process forget that it has imported a module."""

    def forget(name):
        parent, _, child = name.rpartition(".")
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.delitem(vars(import_module(MOVED.get(parent, parent))), child, raising=False)

    return forget


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_is_the_module_that_has_moved(forgotten, old, new):
    forgotten(old)
    with pytest.warns(
        DeprecationWarning, match=f"{old} is now {new}; the old name goes in"
    ) as told:
        found = import_module(old)
    assert found is sys.modules[old] is import_module(new)
    assert told[0].filename == __file__


@pytest.mark.parametrize("name", ["adata", "methods", "models", "sources"])
def test_an_old_name_is_an_attribute_of_the_package(forgotten, name):
    forgotten(f"hitmiss.{name}")
    with pytest.warns(DeprecationWarning, match=f"hitmiss.{name} is now"):
        assert getattr(hitmiss, name).__name__ == MOVED[f"hitmiss.{name}"]


def run_python(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)


@pytest.mark.full
def test_an_old_name_runs_as_a_program():
    done = run_python("-m", "hitmiss.demo")
    assert "Found 2 of 10,002 features" in done.stdout
    sentence = "DeprecationWarning: hitmiss.demo is now hitmiss.cli.demo;"
    assert done.stderr.count(sentence) == 1


def test_a_class_reached_both_ways_is_one_and_the_line_of_the_user_is_named():
    code = (
        "from hitmiss.sources.parquet import ParquetSource as old\n"
        "from hitmiss.data.sources.parquet import ParquetSource as new\n"
        "print(old is new)"
    )
    done = run_python("-c", code)
    assert done.stdout == "True\n"
    assert "<string>:1: DeprecationWarning: hitmiss.sources.parquet is now" in done.stderr


@pytest.mark.full
def test_nothing_but_the_old_names_is_intercepted():
    with pytest.raises(ImportError, match=r"No module named 'hitmiss.sauces'"):
        import_module("hitmiss.sauces")
    assert not run_python("-W", "error", "-c", "import hitmiss, hitmiss.registry").stderr
