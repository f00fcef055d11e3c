import ast
from pathlib import Path

import numpy as np
import pytest

from hitmiss import kernels
from hitmiss.kernels.difference import difference

TINY = 2.0**-30  # 1 - TINY is not 1 in double precision, but it is in single precision


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (3.0, 5.0, 2.0),
        (5.0, 3.0, 2.0),
        (1.0, TINY, 1 - TINY),
        (np.float32(1), TINY, 1 - TINY),
        (np.float32(1), np.float32(TINY), 1.0),
        (np.inf, 1.0, np.inf),
        (np.nan, 1.0, np.nan),
    ],
)
def test_by_hand(a, b, expected):
    np.testing.assert_equal(difference(a, b), expected)


def is_difference(node):
    """Whether a node of a syntax tree is ``abs(... - ...)``."""
    called = isinstance(node, ast.Call) and ast.unparse(node.func) == "abs"
    return called and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Sub)


def test_it_is_written_once():
    files = Path(kernels.__file__).parent.glob("*.py")
    written = [f.name for f in files if any(map(is_difference, ast.walk(ast.parse(f.read_text()))))]
    assert written == ["difference.py"]
