"""How far a fit travels through the house, and how large the house is: limits that only fall.

A change that needs more files, functions or levels than this for a fit, or more lines, is designed
again; one that needs fewer lowers the numbers here.
"""

import ast
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import hitmiss

ROOT = Path(hitmiss.__file__).parent
# Of a call: files of ours that are entered, functions, and the deepest stack of ours. In Python
# 3.11, where comprehensions are functions too. A few more than on one machine: with another CPU a
# fit may take another step, and enter a function that it did not need here.
LIMITS = {
    "LOFE().fit(X, y)": (35, 265, 18),
    "FDRSelector(LOFE(), random_state=0).fit(X, y)": (42, 350, 24),
    "ReliefF().fit(X, y)": (25, 120, 15),
    "LOFE().fit(from_dask, y)": (40, 295, 19),
}
FILES = {"lofe": 10, "estimators": 24, "kernels": 13, "": 258}
LINES = {"lofe": 1690, "": 22_340}

# The calls are followed in a process of their own, where no other test has left anything behind.
FOLLOWED = """
import sys, threading, warnings
import dask.array
import hitmiss
from hitmiss import LOFE, FDRSelector, ReliefF, datasets

warnings.simplefilter("ignore")
ROOT = hitmiss.__path__[0]
X, y = datasets.make_spiral(n_irrelevant=300, random_state=7, return_X_y=True)
from_dask = dask.array.from_array(X, chunks=(-1, 100))
call = sys.argv[1]
eval(call)  # compiled and imported
files, functions, deepest = set(), set(), 0


def profile(frame, event, _):
    global deepest
    name = frame.f_code.co_filename
    if event != "call" or not name.startswith(ROOT):
        return
    files.add(name)
    functions.add((name, frame.f_code.co_qualname))
    depth, above = 0, frame
    while above is not None:
        depth += above.f_code.co_filename.startswith(ROOT)
        above = above.f_back
    deepest = max(deepest, depth)


threading.setprofile(profile)
sys.setprofile(profile)
eval(call)
sys.setprofile(None)
print(len(files), len(functions), deepest)
"""


@pytest.mark.parametrize("call", LIMITS)
def test_a_fit_travels_no_farther(call):
    command = [sys.executable, "-c", FOLLOWED, call]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    counts = tuple(int(n) for n in found)
    assert all(n <= most for n, most in zip(counts, LIMITS[call], strict=True)), counts


def lines_of_code(path):
    """Lines that hold a token, without docstrings and comments."""
    docs, code = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        holder = isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        )
        if holder and ast.get_docstring(node) is not None:
            docs |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    nothing = ("COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER")
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if tokenize.tok_name[token.type] not in nothing:
                code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - docs)


@pytest.mark.parametrize("room", FILES)
def test_the_house_has_no_more_files(room):
    assert len(list((ROOT / room).rglob("*.py"))) <= FILES[room]


@pytest.mark.parametrize("room", LINES)
def test_the_house_has_no_more_lines(room):
    assert sum(map(lines_of_code, (ROOT / room).rglob("*.py"))) <= LINES[room]


def test_docstrings_and_comments_are_no_lines_of_code(tmp_path):
    path = tmp_path / "some.py"
    path.write_text(
        '"""A module."""\n\nx = (1,\n     2)  # two\n# none\n\n\ndef f():\n    """F."""\n'
    )
    assert lines_of_code(path) == 3
