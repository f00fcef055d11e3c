"""A target of numbers: samples are the more alike the nearer their ranks."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from hitmiss.targets.target import PairTarget, Target, at, weight_bytes

KINDS = 10  # of numbers, from small to large: of a part of the samples, each has its share


class Numbers(PairTarget):
    r"""The number of every sample.

    .. math:: S_{ni} = \exp(-|r_n - r_i| / \tau)

    with r the ranks over the number of samples; equal numbers share the mean of their ranks. Of two
    values that is nearly 1 or 0, and exactly so here: they are two classes.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The numbers, finite and not all equal.
    tau : float
        How far likeness reaches, as a share of the samples.
    ranks : ndarray of shape (n_samples,), optional
        The scale on which numbers are alike, by default their ranks.
    sample_weight : ndarray of shape (n_samples,), optional
        Weights of the samples in a loss or an average.

    Examples
    --------
    >>> target = Numbers(np.array([1.0, 5.0, 1.0, 90.0]), tau=1.0)
    >>> target.likeness(np.array([0]), np.arange(4)).round(2)
    array([[1.  , 0.69, 1.  , 0.54]])
    """

    def __init__(
        self,
        values: NDArray,
        tau: float = 0.1,
        *,
        ranks: NDArray | None = None,
        sample_weight: NDArray | None = None,
    ):
        self.values, self.weights = values, sample_weight
        self.ranks = rankdata(values) / len(values) if ranks is None else ranks
        two_classes = ranks is None and len(np.unique(values)) == 2
        self.tau = 0.0 if two_classes else tau  # the limit: alike if equal

    def __len__(self) -> int:
        return len(self.values)

    @property
    def answers(self) -> NDArray:
        """The number of every sample, as `fit` takes it."""
        return self.values

    @property
    def overlaps(self) -> bool:  # type: ignore[override]
        """Whether a pair may be a hit and a miss at once."""
        return self.tau > 0

    @cached_property
    def kinds(self) -> NDArray:
        """Tenths of the ranks."""
        return tenths(self.ranks)

    def of(self, rows: NDArray) -> Numbers:
        """The numbers of some samples, alike as they are among all."""
        return self._with(self.values[rows], self.ranks[rows], at(self.weights, rows))

    def relabeled(self, order: NDArray) -> Numbers:
        """The numbers in another order; weights of samples stay in place."""
        return self._with(self.values[order], self.ranks[order], self.weights)

    def digest(self) -> bytes:
        """Bytes that differ for other numbers, likeness or weights."""
        return (
            np.append(self.ranks, self.tau).tobytes()
            + self.values.tobytes()
            + weight_bytes(self.weights)
        )

    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """Likeness of the samples `rows` and the samples `cols`, in [0, 1]."""
        far = np.abs(self.ranks[rows][:, None] - self.ranks[cols])
        return np.exp(far / -self.tau) if self.tau > 0 else (far == 0).astype(float)

    def _with(self, values: NDArray, ranks: NDArray, sample_weight: NDArray | None) -> Numbers:
        return Numbers(values, self.tau, ranks=ranks, sample_weight=sample_weight)


def numbers_of(target: Target) -> Numbers:
    """The numbers themselves of a target of numbers, whoever may be compared."""
    return cast(Numbers, target.alone)


def tenths(ranks: NDArray) -> NDArray:
    """Integers from 0 for the tenths of (0, 1] that occur."""
    tenth = np.ceil(ranks * KINDS - 1e-9).astype(np.intp)
    return np.unique(tenth, return_inverse=True)[1]


def checked_numbers(y: ArrayLike) -> NDArray:
    """The numbers as floats in one dimension, or an error that names what is none.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Given by the user.

    Returns
    -------
    ndarray
        Of the shape of y, which is checked elsewhere.

    Examples
    --------
    >>> checked_numbers([1, 2, float("nan")])
    Traceback (most recent call last):
    ...
    ValueError: Input y contains NaN in row 2; leave such samples out, or fill in a number.
    """
    given = np.asarray(y)
    try:
        values = given.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "Unknown label type: y must hold numbers, and it holds "
            f"{_first_strange(given)!r}; use a selector of classes, such as LOFE, for classes."
        ) from error
    if values.ndim == 1:
        check_finite_rows(values, "Input y", "leave such samples out, or fill in a number")
    return values


def check_varied(values: NDArray) -> None:
    """An error if all numbers are equal."""
    if len(values) and (values == values[0]).all():
        raise ValueError(
            f"y is {values[0]:g} for all samples; there must be different numbers to explain."
        )


def check_finite_rows(values: NDArray, name: str, advice: str) -> None:
    """An error that names the rows whose number is NaN or infinite."""
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        kind = "NaN" if np.isnan(values[bad[0]]) else "infinity"
        some = ", ".join(map(str, bad[:5].tolist())) + (", ..." if len(bad) > 5 else "")
        rows = f"row {some}" if len(bad) == 1 else f"{len(bad):,} rows ({some})"
        raise ValueError(f"{name} contains {kind} in {rows}; {advice}.")


def _first_strange(given: NDArray) -> Any:
    for value in given.ravel().tolist():
        try:
            float(value)
        except (TypeError, ValueError):
            return value
    return given.dtype
