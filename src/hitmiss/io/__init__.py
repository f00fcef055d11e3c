"""Tables of samples and features, read from files of many formats."""

from hitmiss.io.formats import SUFFIXES, read_table
from hitmiss.io.missing import check_complete, drop_missing
from hitmiss.io.table import Table

__all__ = ["SUFFIXES", "Table", "check_complete", "drop_missing", "read_table"]
