"""Tables of samples and features, read from files of many formats."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hitmiss.io.formats import SUFFIXES, read_columns, read_table

if TYPE_CHECKING:
    from hitmiss.io.joining import joined as joined
    from hitmiss.io.missing import check_complete as check_complete
    from hitmiss.io.missing import drop_missing as drop_missing
    from hitmiss.io.table import Table as Table

# Public name -> the module that holds it; loaded on first use, since it brings NumPy.
_LAZY = {
    "Table": "hitmiss.io.table",
    "check_complete": "hitmiss.io.missing",
    "drop_missing": "hitmiss.io.missing",
    "joined": "hitmiss.io.joining",
}

__all__ = [
    "SUFFIXES",
    "Table",
    "check_complete",
    "drop_missing",
    "joined",
    "read_columns",
    "read_table",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'hitmiss.io' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
