import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hitmiss import kernels
from hitmiss._util import progress
from hitmiss._util.progress import Compilation
from hitmiss.kernels.jit import kernel


def test_without_a_place_for_the_cache_it_compiles_all_the_same():
    made: dict = {}
    exec("def twice(x):\n    return 2 * x", made)  # in no file, so that numba has no place for it
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR to a folder that can be written"):
        twice = kernel(made["twice"])
    assert twice(21) == 42


FIRST_AND_LATER = """
import numpy as np
from hitmiss._util.progress import COMPILATION
from hitmiss.kernels.neighbors import signed_probabilities
rng = np.random.default_rng(0)
D, y, Q = rng.random((301, 301)), rng.integers(0, 2, 301), np.empty((301, 301))
with COMPILATION.shown():
    signed_probabilities(D, y, 0.3, 0, 301, Q)
print(hash(Q.tobytes()))
"""


@pytest.fixture(scope="module")
def first_and_later(tmp_path_factory):
    """Two processes, of which the first one compiles a kernel."""
    cache = str(tmp_path_factory.mktemp("cache"))
    how = os.environ | {"NUMBA_CACHE_DIR": cache, "PYTHONHASHSEED": "0"}
    call = [sys.executable, "-c", FIRST_AND_LATER]
    options = {"env": how, "capture_output": True, "text": True, "check": True}
    return [subprocess.run(call, **options) for _ in range(2)]


def test_a_kernel_from_the_disk_gives_the_bits_of_one_just_compiled(first_and_later):
    first, later = first_and_later
    assert first.stdout == later.stdout


def test_the_first_process_says_that_it_compiles_and_a_later_one_need_not(first_and_later):
    first, later = first_and_later
    said = r"compiling the inner loops, once \.\.\.\ncompiled in \d+\.\d s\n"
    assert re.fullmatch(said, first.stderr)
    assert later.stderr == ""


@pytest.fixture
def clock(monkeypatch):
    """Stopped at 100 seconds; tests set `clock.now`."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def compile_for(compilation, clock, seconds):
    """Compile a kernel, and inside another one that it calls."""
    compilation.begin()
    compilation.begin()
    clock.now += seconds / 2
    compilation.end()
    clock.now += seconds / 2
    compilation.end()


def test_compilation_is_said_once_and_its_time_when_the_work_has_ended(clock, capsys):
    compilation = Compilation()
    with compilation.shown(), compilation.shown():
        compile_for(compilation, clock, 2)
        clock.now += 50
        compile_for(compilation, clock, 3)
    assert capsys.readouterr().err == "compiling the inner loops, once ...\ncompiled in 5.0 s\n"
    with compilation.shown():
        compile_for(compilation, clock, 1)
    assert capsys.readouterr().err == ""


def test_what_shows_no_progress_compiles_in_silence(clock, capsys):
    compilation = Compilation()
    compile_for(compilation, clock, 2)
    with compilation.shown():
        assert capsys.readouterr().err == ""
        compile_for(compilation, clock, 1)
    assert capsys.readouterr().err.endswith("compiled in 1.0 s\n")


def decorated(path):
    """Functions of a file that are compiled -> their decorator, and the names that they call."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            calls = {ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
            yield node.name, ast.unparse(node.decorator_list[0]), calls


def test_what_a_kernel_calls_is_part_of_it():
    files = Path(kernels.__file__).parent.glob("*.py")
    found = [function for path in files for function in decorated(path)]
    called = set().union(*(calls for _, _, calls in found))
    assert {"difference", "exp_negative", "signed_row"} <= called
    apart = [name for name, how, _ in found if name in called and how == "kernel"]
    assert apart == []
