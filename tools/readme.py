"""The README for a package index, which shows it without the files beside it.

Hatchling calls this when it builds: links and pictures that are relative in the repository become
addresses of the repository.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")
PLACES = {"": "https://github.com/hitmiss/hitmiss/blob/main/"}
PLACES["!"] = "https://raw.githubusercontent.com/hitmiss/hitmiss/main/"  # a picture, not its page


def absolute(text: str) -> str:
    """The text with addresses in place of relative links."""
    return RELATIVE.sub(lambda m: f"{m[1]}[{m[2]}]({PLACES[m[1]]}{m[3]})", text)


class Readme(MetadataHookInterface):
    """What hatchling looks for."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README of the package."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text)}
