"""The problem of local learning at one w: neighbors, margins, objective, gradient, gap.

With ``z_n(w)`` the expected margin vector of sample n under the soft neighbors that w defines,

    minimize  F(w) = sum_n a_n loss(w . z_n(w)) + alpha sum_j w_j   over w >= 0,

where the neighbors are held while w is sought: the answer is a fixed point (LOFE eq. 7). Its
certificate is the optimality gap over all features, with the neighbors found under w itself.
"""

from collections.abc import Callable
from copy import copy
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.features import Features, Neighbors, weighted_rows
from hitmiss.kernels.linear import weighted_row_sum
from hitmiss.losses import Logistic, Loss, Weighted
from hitmiss.neighbors.pairs import AllPairs, Pairs
from hitmiss.penalties import L1
from hitmiss.solvers import fits
from hitmiss.solvers.prox_newton import NEEDS
from hitmiss.targets.target import Target


class Problem:
    """Everything but the features. Loss and penalty are checked once, here.

    Parameters
    ----------
    target : Classes or PairTarget
        What is to be explained, with the weights of the samples in the loss.
    sigma, alpha : float
        Kernel width and strength of the penalty.
    loss : Loss
        Convex and smooth, with a curvature; the logistic loss by default.
    penalty : callable
        From a strength to an L1 penalty of that strength on weights of at least 0.
    pairs : Pairs
        How pairs of samples are looked at.
    """

    def __init__(
        self,
        target: Target,
        sigma: float,
        alpha: float,
        *,
        loss: Loss | None = None,
        penalty: Callable[[float], L1] = L1,
        pairs: Pairs | None = None,
    ):
        self.target, self.sigma, self.alpha = target, sigma, alpha
        self.plain_loss: Loss = Logistic() if loss is None else loss
        self.loss: Loss = self.loss_of()  # of all samples, with their weights
        self.penalty, self._penalty_of = penalty(alpha), penalty
        self.pairs: Pairs = AllPairs() if pairs is None else pairs
        ours = loss is None and penalty is L1 and alpha > 0
        if not ours and not (fits(NEEDS, self.plain_loss, self.penalty) and self._is_plain_l1()):
            raise ValueError(
                f"The fixed point cannot be found with {type(self.plain_loss).__name__} and "
                f"{type(self.penalty).__name__}; use a smooth loss that has a curvature, and an L1 "
                "penalty of strength alpha on weights of at least 0."
            )

    def _is_plain_l1(self) -> bool:
        """Whether the penalty is what the optimality condition takes for granted."""
        penalty = self.penalty
        return penalty.pure_l1 == self.alpha and penalty.lower == 0 and hasattr(penalty, "gradient")

    def replaced(
        self, *, sigma: float | None = None, alpha: float | None = None, pairs: Pairs | None = None
    ) -> Self:
        """The same problem with another kernel width, strength of the penalty, or kind of pairs."""
        other = copy(self)
        other.sigma = self.sigma if sigma is None else sigma
        other.pairs = self.pairs if pairs is None else pairs
        if alpha is not None:
            other.alpha, other.penalty = alpha, self._penalty_of(alpha)
        return other

    def of(self, rows: NDArray, pairs: Pairs) -> Self:
        """The same problem of some samples."""
        other = copy(self)
        other.target, other.pairs = self.target.of(rows), pairs
        other.loss = other.loss_of()
        return other

    def loss_of(self, rows: slice | NDArray = slice(None)) -> Loss:
        """The loss of some samples, with their weights."""
        weights, loss = self.target.weights, self.plain_loss
        return loss if weights is None else Weighted(loss, weights[rows])  # type: ignore[arg-type]

    def neighbors(self, features: Features, w: NDArray) -> Neighbors:
        """Soft neighbors under the weights w."""
        return self.pairs.soft(features, w, self.target, self.sigma)

    @property
    def null_objective(self) -> float:
        """The objective of w = 0."""
        return self.objective(np.zeros(len(self.target)), np.zeros(1))

    def objective(self, margins: NDArray, w: NDArray) -> float:
        """Sum of losses plus penalty; samples without a margin are left out."""
        losses = self.loss.value(margins)[self.target.has_hit]
        return float(losses.sum()) + self.penalty.value(w)

    def pull(self, margins: NDArray) -> NDArray:
        """Minus the derivative of each sample's loss: how strongly it pulls its margin up."""
        return np.where(self.target.has_hit, -self.loss.derivative(margins), 0.0)

    @property
    def first_pull(self) -> NDArray:
        """The pull at w = 0, where every margin is zero."""
        return self.pull(np.zeros(len(self.target)))

    @property
    def share(self) -> NDArray:
        """The share of every sample in a mean margin: that of its pull at w = 0 in all."""
        pull = self.first_pull
        return pull / (pull.sum() or 1.0)

    def gap(self, w: NDArray, gradient: NDArray) -> float:
        """Largest violation of the optimality condition over all features, relative to alpha.

        Parameters
        ----------
        w : ndarray of shape (n_features,)
            Weights.
        gradient : ndarray of shape (n_features,)
            ``c_j = sum_n pull_n z_n(j)``. With the L1 penalty the condition is ``c_j = alpha``
            where ``w_j > 0`` and ``c_j <= alpha`` where ``w_j = 0``.
        """
        return float(self.penalty.violation(w, -gradient).max(initial=0.0)) / self.alpha


class Point(NamedTuple):
    """All that is known at one w: neighbors Q, margin vectors Z, and what follows from them."""

    w: NDArray
    Q: Neighbors
    Z: NDArray
    pull: NDArray
    objective: float
    gradient: NDArray
    gap: float


class Fit(NamedTuple):
    """The answer: weights of all features, and the gradient and gap that certify them."""

    w: NDArray
    gradient: NDArray
    gap: float
    objective: float
    n_iter: int
    converged: bool
    start: int  # which of the starts led here
    largest_alpha: float  # from which on every start ends at once in w = 0
    sigma: float
    alpha: float
    margins: NDArray | None = None  # mean margins of all features, where the last pass took them


def evaluate(features: Features, problem: Problem, w: NDArray) -> Point:
    """The point at w, its neighbors found anew under w itself."""
    Q = problem.pairs.soft(features, w, problem.target, problem.sigma)
    Z = features.margins(Q)
    margins, gradient = margins_and_gradient(problem, Z, w)
    pull, gap = problem.pull(margins), problem.gap(w, gradient)
    return Point(w, Q, Z, pull, problem.objective(margins, w), gradient, gap)


def margins_and_gradient(problem: Problem, Z: NDArray, w: NDArray) -> tuple[NDArray, NDArray]:
    """``w . z_n`` of every sample, and ``c_j = sum_n pull_n z_n(j)`` of every feature."""
    support = np.flatnonzero(w)
    margins, gradient = np.empty(len(Z)), np.empty(len(w))
    weighted_row_sum(w[support], np.ascontiguousarray(Z[:, support].T), margins)
    weighted_row_sum(problem.pull(margins), Z, gradient)
    return margins, gradient


def weighted_margins(features: Features, Q: Neighbors, *weights: NDArray) -> NDArray:
    """``sum_n a_n z_n(j)`` of every feature j and each a, without the margin vectors z.

    The gradient is this for the pulls of the samples, the mean margin for their shares. Several
    are found in one pass, which takes every difference once.

    Parameters
    ----------
    features : Features
        The data.
    Q : Neighbors
        Signed probabilities of the neighbors.
    *weights : ndarray of shape (n_samples,)
        Of the samples.

    Returns
    -------
    ndarray of shape (n_weights, n_features)
    """
    return features.sums([weighted_rows(Q, a) for a in weights])


def top(values: NDArray, k: int) -> NDArray:
    """Indices, ascending, of the k largest values."""
    if k >= len(values):
        return np.arange(len(values))
    return np.sort(np.argpartition(values, -k)[-k:])
