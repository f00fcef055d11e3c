"""Neighbor rules: from distances and a target to signed probabilities.

``Q[n, i]`` is the probability that i is the nearest miss of n, or minus the probability that it
is the nearest hit, so that ``sum_i Q[n, i] |x_n - x_i|`` is the margin vector of n.
"""

from hitmiss.neighbors.hard import (
    band_neighbors,
    dead_band,
    mean_distance,
    nearest_neighbors,
    ranked_neighbors,
    signed_by_differences,
    single_neighbors,
)
from hitmiss.neighbors.soft import (
    class_distances,
    expected_distance,
    expected_values,
    pair_trust,
    soft_hits,
    soft_neighbors,
    soft_neighbors_by_class,
    trust,
)

__all__ = [
    "band_neighbors",
    "class_distances",
    "dead_band",
    "expected_distance",
    "expected_values",
    "mean_distance",
    "nearest_neighbors",
    "pair_trust",
    "ranked_neighbors",
    "signed_by_differences",
    "single_neighbors",
    "soft_hits",
    "soft_neighbors",
    "soft_neighbors_by_class",
    "trust",
]
