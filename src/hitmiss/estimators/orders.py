"""Orders of the features of LOFE: what `ranking_` follows."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import comparable
from hitmiss.estimators.selector import best_first


def by_weight(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """By weight, those without one by their score: features that say the same share a weight."""
    return best_first(weights, scores)


def by_margin(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """By mean margin: also those whose weight went to others that say the same."""
    return best_first(margins, scores)


def by_both(weights: NDArray, scores: NDArray, margins: NDArray) -> NDArray:
    """Features with a weight first, by their part of the mean margin, then the others by margin.

    The mean margin of the samples is the sum of weight times mean margin over the features. What
    was selected leads, and what it stands for follows.
    """
    parts = comparable(weights * np.maximum(margins, 0.0))
    return np.lexsort((-comparable(margins), -parts, weights <= 0))


ORDERS: dict[str, Callable[[NDArray, NDArray, NDArray], NDArray]] = {
    "weight": by_weight,
    "margin": by_margin,
    "both": by_both,
}
