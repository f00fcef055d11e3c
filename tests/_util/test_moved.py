"""Old public import paths keep working for one release, and name the new way."""

import subprocess
import sys

import pytest

from hitmiss._util.moved import MOVED


def run_python(code, *options):
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True)


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_name_is_the_module_that_has_moved(old, new):
    found = run_python(f"import {old}, {new}, sys; print(sys.modules['{old}'] is {new})")
    assert found.stdout == "True\n"
    assert f"<string>:1: DeprecationWarning: {old} is now {new};" in found.stderr


@pytest.mark.parametrize("name", ["adata", "methods", "models", "sources"])
@pytest.mark.parametrize("code", ["import hitmiss; hitmiss.{}", "from hitmiss import {}"])
def test_an_old_name_is_an_attribute_of_the_package(name, code):
    assert "DeprecationWarning" in run_python(code.format(name)).stderr


def test_an_old_name_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "hitmiss.demo"], capture_output=True, text=True, check=True
    )
    assert "Found 2 of 10,002 features" in done.stdout
    sentence = "DeprecationWarning: hitmiss.demo is now hitmiss.cli.demo;"
    assert done.stderr.count(sentence) == 1


def test_a_class_reached_both_ways_is_one():
    code = (
        "from hitmiss.sources.parquet import ParquetSource as old;"
        "from hitmiss.data.sources.parquet import ParquetSource as new; print(old is new)"
    )
    assert run_python(code).stdout == "True\n"


def test_nothing_but_the_old_names_is_intercepted():
    assert (
        "No module named 'hitmiss.sauces'"
        in run_python(
            "try:\n    import hitmiss.sauces\nexcept ImportError as error:\n    print(error)"
        ).stdout
    )
    assert not run_python("import hitmiss, hitmiss.registry", "-W", "error").stderr
