"""Labels exchanged between samples: within strata, and by groups as wholes."""

from math import lgamma, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import distinct_codes
from hitmiss._util.errors import warn

CALIBRATIONS = 5  # permuted labels from which a method learns what noise reaches, beside those of
# the test: largest gradients of LOFE differ by a fifth between them, so that their mean is good to
# a tenth


class Exchange:
    """Random orders of labels that are as likely as the true one if nothing is there.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels, numbers, or events and times in two columns.
    groups : array-like of shape (n_samples,), optional
        Samples of one group, such as the cells of a donor, stay together. If every group has one
        label, groups exchange their labels; otherwise the labels of a group, in the order of its
        samples, go to another group of the same size.
    strata : array-like of shape (n_samples,), optional
        Labels are exchanged only between samples, or groups, of the same stratum.

    Examples
    --------
    >>> exchange = Exchange(["a", "a", "b", "b"], groups=[1, 1, 2, 2])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> sorted({"".join(y[exchange.draw(np.random.default_rng(seed))]) for seed in range(9)})
    ['aabb', 'bbaa']
    """

    def __init__(
        self, y: ArrayLike, groups: ArrayLike | None = None, strata: ArrayLike | None = None
    ):
        codes = distinct_codes("y", _joined(y))
        n = len(codes)
        group = np.arange(n) if groups is None else distinct_codes("groups", groups, n)
        stratum = np.zeros(n, int) if strata is None else distinct_codes("strata", strata, n)
        self._members = _members(group)
        _check_nested(self._members, stratum)
        self._constant = all(len(np.unique(codes[rows])) == 1 for rows in self._members)
        sizes = np.array([len(rows) for rows in self._members])
        of_group = np.array([stratum[rows[0]] for rows in self._members])
        kind = of_group if self._constant else of_group * (sizes.max() + 1) + sizes
        self._alike = _members(kind)  # groups that exchange their labels
        known: dict[bytes, int] = {}  # labels of a group -> a number
        labels = (codes[rows[:1] if self._constant else rows] for rows in self._members)
        self._label = np.array([known.setdefault(each.tobytes(), len(known)) for each in labels])
        self._n_samples = n
        if self.log_n_orders < log(2) / 2:  # a single order
            raise ValueError(
                "No two groups can exchange their labels: all of a stratum have the same, or those "
                "with several labels each differ in size; leave out groups or strata."
            )

    @property
    def log_n_orders(self) -> float:
        """Logarithm of the number of different label vectors that may be drawn."""
        total = 0.0
        for alike in self._alike:
            counts = np.unique(self._label[alike], return_counts=True)[1]
            total += lgamma(len(alike) + 1) - sum(lgamma(count + 1) for count in counts)
        return total

    def in_place(self) -> NDArray:
        """The order of the labels as they are."""
        return np.arange(self._n_samples)

    def draw(self, rng: np.random.Generator) -> NDArray:
        """An order, so that ``y[order]`` are the exchanged labels."""
        order = np.empty(self._n_samples, int)
        for alike in self._alike:
            for to, source in zip(alike, rng.permutation(alike), strict=True):
                taken = self._members[source]
                order[self._members[to]] = taken[0] if self._constant else taken
        return order

    def warn_if_few(self, n_permutations: int) -> None:
        """Warn if there are hardly more different labels than permutations."""
        if self.log_n_orders < log(1 + n_permutations):
            n = round(np.exp(self.log_n_orders))
            warn(
                f"Labels can be exchanged in {n} ways only, so that no p-value is below "
                f"{1 / n:.2g} in truth; more groups are needed for more."
            )


def _joined(y: Any) -> NDArray:
    """Labels in one dimension: of several columns, a number for every row that differs."""
    array = np.asarray(y)
    if array.ndim != 2 or array.shape[1] < 2:
        return array
    columns = [np.unique(column, return_inverse=True)[1] for column in array.T]
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def _members(codes: NDArray) -> list[NDArray]:
    """Indices of every distinct value, ascending."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _check_nested(members: list[NDArray], stratum: NDArray) -> None:
    n_split = sum(len(np.unique(stratum[rows])) > 1 for rows in members)
    if n_split:
        raise ValueError(
            f"{n_split} of {len(members)} groups lie in several strata; whole groups exchange "
            "labels, and within a stratum, so test with groups or with strata alone."
        )
