"""Sums over a block of numbers, or of missing and nominal values, by the kernels of both."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.scaling import Rule, Scaling
from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.distances import add_pair_distances
from hitmiss.kernels.margins import margin_vectors
from hitmiss.kernels.sums import (
    column_sums,
    column_sums_two,
    difference_sums,
    difference_sums_two,
    pair_sums,
)

# Sum of a row of pair weights, as a share of their absolute values, that is a zero blurred by
# rounding in single precision and by neighbors left out: it is 0 or 1 but for these.
BALANCED = 1e-6


def add_distances(block: NDArray, rule: Rule | None, start: int, stop: int, D: NDArray) -> None:
    """Distances of all pairs of rows, as in `add_pair_distances`."""
    add_pair_distances(block, *(rule or NUMBERS), start, stop, block.dtype.type(1), D)


def add_sums(block: NDArray, rule: Rule | None, *rest: Any) -> None:
    """Sums of differences, as in `difference_sums`."""
    difference_sums(block, *(rule or NUMBERS), *rest)


def add_sums_two(block: NDArray, rule: Rule | None, *rest: Any) -> None:
    """Sums of differences under two weights, as in `difference_sums_two`."""
    difference_sums_two(block, *(rule or NUMBERS), *rest)


def add_by_column(block: NDArray, matrices: Sequence[NDArray], totals: NDArray) -> None:
    """Sums of differences of numbers by `column_sums`, for each of several weights, two at once.

    Parameters
    ----------
    block : ndarray
        A packed block; features of zeros make their number a multiple of four.
    matrices : sequence of ndarray
        Weights of the pairs.
    totals : ndarray of shape (n_matrices, n_features)
        To which the sums are added.
    """
    n_samples, width = block.shape
    columns = np.zeros((width + -width % 4, n_samples), block.dtype)
    columns[:width] = block.T
    found = np.zeros((len(matrices), len(columns)))
    for k in range(0, len(matrices) - 1, 2):
        column_sums_two(columns, *matrices[k : k + 2], *found[k : k + 2])
    if len(matrices) % 2:
        column_sums(columns, matrices[-1], found[-1])
    totals += found[:, :width]


def add_list_sums(block: NDArray, rule: Rule | None, *rest: Any) -> None:
    """Sums of differences over a list of pairs, as in `pair_sums`."""
    pair_sums(block, *(rule or NUMBERS), *rest)


def fill_margins(
    block: NDArray, rule: Rule | None, Q: NDArray, balance: NDArray | None, *rest: Any
) -> None:
    """Margin vectors, as in `margin_vectors`.

    Parameters
    ----------
    block : ndarray
        A packed block.
    rule : Rule or None
        How its values differ that are no numbers.
    Q : ndarray
        Weights of the pairs.
    balance : ndarray or None
        As from `balance_of`.
    *rest
        First and last row, and where the margins go.
    """
    margin_vectors(block, *(rule or NUMBERS), Q, balance, *rest)


def balance_of(Q: NDArray, scaling: Scaling) -> NDArray | None:
    """``sum_i Q_ni`` of every row n, exactly 0 where only rounding keeps it from that.

    Parameters
    ----------
    Q : ndarray
        Weights of the pairs.
    scaling : Scaling
        Of the data; without missing or nominal values the balance is not needed: None.

    Examples
    --------
    >>> balance_of(np.array([[0.1, 0.2, -0.3], [0.5, 0.0, 0.5]]), Scaling(gap=np.ones(1)))
    array([0., 1.])
    """
    if scaling.gap is None and scaling.cap is None:
        return None
    balance = Q.sum(axis=1, dtype=float)
    rounding = BALANCED * np.abs(Q).sum(axis=1, dtype=float)
    return np.where(np.abs(balance) <= rounding, 0.0, balance).astype(Q.dtype)
