"""Datasets with known answers, and irrelevant features to hide the answers among."""

from hitmiss.datasets.generators import (
    make_clusters,
    make_ringnorm,
    make_spiral,
    make_twonorm,
    make_waveform,
)
from hitmiss.datasets.interactions import make_parity, make_xor
from hitmiss.datasets.irrelevant import add_irrelevant

__all__ = [
    "add_irrelevant",
    "make_clusters",
    "make_parity",
    "make_ringnorm",
    "make_spiral",
    "make_twonorm",
    "make_waveform",
    "make_xor",
]
