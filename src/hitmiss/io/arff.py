"""Tables from ARFF files, as WEKA writes them."""

import re
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

from scipy.io import arff

from hitmiss._util.errors import InputError, parsing
from hitmiss.io.layout import Layout
from hitmiss.io.table import Table
from hitmiss.io.typed_columns import Column, table_from_columns


def read_arff(path: Path, layout: Layout) -> Table:
    """Table of the numeric and nominal attributes of an ARFF file."""
    with parsing(path, "an ARFF file"), TextIOWrapper(layout.open(path), encoding="utf-8") as f:
        # SciPy keeps classes as ASCII bytes, so other characters take a detour.
        text = "".join(f).encode("ascii", "xmlcharrefreplace").decode("ascii")
        data, attributes = arff.loadarff(StringIO(text))
        names = attributes.names()
        if not names:
            raise InputError(f"{path} cannot be read as an ARFF file: it declares no attributes.")
        columns = [_column(data[name]) for name in names]
    return table_from_columns([_unquoted(name) for name in names], columns, layout)


def _column(values: Any) -> Column:
    if values.dtype.kind == "f":
        return values
    return [_unquoted(value.decode("ascii")) for value in values.tolist()]


def _unquoted(text: str) -> str:
    """The text without the quotes that SciPy leaves around some names and values."""
    text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text
