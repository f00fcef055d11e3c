"""Comparability: none within a group or across strata, less with other covariates."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hitmiss.targets.classes import Classes
from hitmiss.targets.target import PairTarget, Target, at


class Comparable:
    r"""Comparability of pairs of samples.

    .. math:: C_{ni} = [g_n \ne g_i] \, [s_n = s_i] \, \exp\Bigl(-\sum_k |c_{nk} - c_{ik}|\Bigr)

    Parameters
    ----------
    groups : ndarray of shape (n_samples,), optional
        Integers from 0; samples of one group, such as a donor, are no neighbors.
    strata : ndarray of shape (n_samples,), optional
        Integers from 0; neighbors come from the same stratum, such as a batch.
    covariates : ndarray of shape (n_samples, n_covariates), optional
        Each in units of its kernel width, the standard deviation.

    Examples
    --------
    >>> donors = Comparable(groups=np.array([0, 0, 1]))
    >>> donors.between(np.arange(3), np.arange(3))
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 1., 0.]])
    """

    def __init__(
        self,
        groups: NDArray | None = None,
        strata: NDArray | None = None,
        covariates: NDArray | None = None,
    ):
        self.groups, self.strata, self.covariates = groups, strata, covariates

    def between(self, rows: NDArray, cols: NDArray) -> NDArray:
        """C of the samples `rows` and the samples `cols`."""
        C = np.ones((len(rows), len(cols)))
        if self.strata is not None:
            C *= self.strata[rows][:, None] == self.strata[cols]
        if self.groups is not None:
            C *= self.groups[rows][:, None] != self.groups[cols]
        if self.covariates is not None:
            far = np.zeros(C.shape)
            for c in self.covariates.T:
                far += np.abs(c[rows][:, None] - c[cols])
            C *= np.exp(-far)
        return C

    def of(self, rows: NDArray) -> "Comparable":
        """The same of some samples."""
        return Comparable(at(self.groups, rows), at(self.strata, rows), at(self.covariates, rows))

    def digest(self) -> bytes:
        """Bytes that differ for others."""
        parts = (self.groups, self.strata, self.covariates)
        return b"|".join(b"" if a is None else np.asarray(a, float).tobytes() for a in parts)


class Compared(PairTarget):
    """A target of which not every pair of samples may be compared.

    Parameters
    ----------
    target : Classes or PairTarget
        What is to be explained, with the weights of the samples.
    comparable : Comparable
        Who may be compared.

    Examples
    --------
    The third sample has a hit, but only of its own group:

    >>> target = Compared(
    ...     Classes(np.array([0, 0, 1, 1])), Comparable(groups=np.array([0, 1, 2, 2]))
    ... )
    >>> target.has_hit
    array([ True,  True, False, False])
    """

    comparable: Comparable

    def __init__(self, target: Target, comparable: Comparable):
        self.target, self.comparable, self.overlaps = target, comparable, target.overlaps

    def __len__(self) -> int:
        return len(self.target)

    @property
    def weights(self) -> NDArray | None:  # type: ignore[override]
        """Weights of the samples in a loss or an average; None if all are 1."""
        return self.target.weights

    @property
    def classes(self) -> Classes:
        """The classes, if the target is one of classes."""
        return self.target.classes

    @property
    def answers(self) -> NDArray:
        """The y of every sample, as `fit` takes it."""
        return self.target.answers

    @property
    def miss_classes(self) -> NDArray:
        """The classes, if the target is one of classes: their misses may be taken apart."""
        return self.target.miss_classes

    @cached_property
    def kinds(self) -> NDArray:
        """Kinds of the target within each stratum."""
        if self.comparable.strata is None:
            return self.target.kinds
        return joint(self.target.kinds, self.comparable.strata)

    @cached_property
    def has_hit(self) -> NDArray:
        """Whether each sample has a hit and a miss that may be compared with it."""
        if (codes := self.target.codes) is None:
            return super().has_hit
        # Of classes this is counting: hits, and all, in the stratum, less those in the group.
        nowhere = np.zeros(len(self), np.intp)
        strata = nowhere if self.comparable.strata is None else self.comparable.strata
        own = np.arange(len(self)) if self.comparable.groups is None else self.comparable.groups
        own = joint(strata, own)
        hits = count(joint(strata, codes)) - count(joint(own, codes))
        return (hits > 0) & (count(strata) - count(own) - hits > 0)

    @property
    def alone(self) -> Target:
        """The target inside, without the comparability."""
        return self.target

    def compared_like(self, other: Target) -> Target:
        """Another target of the same samples, with the comparability of this one."""
        return Compared(other, self.comparable)

    def of(self, rows: NDArray) -> "Compared":
        """The target of some samples."""
        return Compared(self.target.of(rows), self.comparable.of(rows))

    def relabeled(self, order: NDArray) -> "Compared":
        """The target in another order of samples; weights and comparability stay in place."""
        return Compared(self.target.relabeled(order), self.comparable)

    def weighted(
        self, sample_weight: NDArray | None, class_weight: NDArray | None = None
    ) -> "Compared":
        """The same with weights of the samples, and by class if there are classes."""
        return Compared(self.target.weighted(sample_weight, class_weight), self.comparable)

    def digest(self) -> bytes:
        """Bytes that differ for other targets."""
        return self.target.digest() + self.comparable.digest()

    def likeness(self, rows: NDArray, cols: NDArray) -> NDArray:
        """Likeness of the samples `rows` and the samples `cols`, in [0, 1]."""
        return self.target.likeness(rows, cols)

    def comparability(self, rows: NDArray, cols: NDArray) -> NDArray:
        """Comparability of these samples, in [0, 1]."""
        C, more = self.comparable.between(rows, cols), self.target.comparability(rows, cols)
        return C if more is None else C * more


def joint(one: NDArray, other: NDArray) -> NDArray:
    """Integers from 0 for the pairs of two codes that occur."""
    width = int(other.max(initial=0)) + 1
    return np.unique(one * width + other, return_inverse=True)[1]


def count(codes: NDArray) -> NDArray:
    """Of each sample, how many have its code."""
    return np.bincount(codes)[codes]
