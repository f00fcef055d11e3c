import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hitmiss import kernels
from hitmiss.kernels.jit import kernel


def test_without_a_place_for_the_cache_it_compiles_all_the_same():
    made: dict = {}
    exec("def twice(x):\n    return 2 * x", made)  # in no file, so that numba has no place for it
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR to a folder that can be written"):
        twice = kernel(made["twice"])
    assert twice(21) == 42


FIRST_AND_LATER = """
import numpy as np
from hitmiss.kernels.neighbors import signed_probabilities
rng = np.random.default_rng(0)
D, y, Q = rng.random((301, 301)), rng.integers(0, 2, 301), np.empty((301, 301))
signed_probabilities(D, y, 0.3, 0, 301, Q)
print(hash(Q.tobytes()))
"""


def test_a_kernel_from_the_disk_gives_the_bits_of_one_just_compiled(tmp_path):
    how = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": "0"}
    call = [sys.executable, "-c", FIRST_AND_LATER]
    first, later = (subprocess.check_output(call, env=how, text=True) for _ in range(2))
    assert first == later


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
