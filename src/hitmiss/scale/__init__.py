"""Data larger than memory, or larger than a machine, behind the questions that blocks answer."""

from hitmiss.scale.opening import open_blocks

__all__ = ["open_blocks"]
