"""Synthetic datasets with known relevant features, irrelevant features, and real datasets."""

from hitmiss.datasets.generators import (
    make_clusters,
    make_ringnorm,
    make_spiral,
    make_twonorm,
    make_waveform,
)
from hitmiss.datasets.interactions import make_parity, make_xor
from hitmiss.datasets.irrelevant import add_irrelevant
from hitmiss.datasets.real import fetch, load
from hitmiss.datasets.responses import (
    make_additive,
    make_friedman,
    make_product,
    make_ring,
    make_survival,
)

__all__ = [
    "add_irrelevant",
    "fetch",
    "load",
    "make_additive",
    "make_clusters",
    "make_friedman",
    "make_parity",
    "make_product",
    "make_ring",
    "make_ringnorm",
    "make_spiral",
    "make_survival",
    "make_twonorm",
    "make_waveform",
    "make_xor",
]
