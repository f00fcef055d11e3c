"""The oldest versions of its dependencies that hitmiss supports, as constraints for pip.

Made from the lower bounds in pyproject.toml, so that these are what `make test-oldest` tests.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
# scikit-learn 1.6 hands a generator to pytest, of which pytest 9 warns, and reads names of columns
# from polars by a protocol that polars 1.40 has deprecated.
ALSO = ("pytest<9", "polars<1.40")


def constraints(text: str) -> list[str]:
    """`name==version` for every dependency `name>=version` of the project."""
    required = tomllib.loads(text)["project"]["dependencies"]
    return [re.sub(">=", "==", line) for line in required] + list(ALSO)


if __name__ == "__main__":
    print("\n".join(constraints(PROJECT.read_text(encoding="utf-8"))))
