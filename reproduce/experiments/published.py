"""Numbers printed in the papers, from published.toml."""

import tomllib
from pathlib import Path

PUBLISHED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def printed(table, case, method):
    """What a published table prints for a method on one case."""
    return table["rows"][case][table["columns"].index(method)]
