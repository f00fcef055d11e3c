"""The template of the energy-based selectors: neighbors, energies, a loss that is minimized."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import is_dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss.data.features import Features
from hitmiss.estimators.comparing import ComparingSelector, of_single_neighbors
from hitmiss.estimators.per_sample import PerSample
from hitmiss.losses import EnergyLoss, Weighted
from hitmiss.penalties import L1, Penalty
from hitmiss.solvers import Solution
from hitmiss.solvers.exact import exact, solver_for
from hitmiss.solvers.paper_descent import single_pass
from hitmiss.targets.classes import AnyTarget
from hitmiss.weighting.frel import LazyRows, energy_neighbors, energy_rows, miss_to_hit


class EnergyBased(ComparingSelector):
    """Base of FREL and Lmba; a subclass implements `_loss` and `_penalty`."""

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        covariates: ArrayLike | None = None,
    ) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample's loss in the mean; only their ratios matter. A sample of weight
            zero is still the hit or the miss of others.
        groups, strata, covariates : array-like, default=None
            Who may be a neighbor of whom, as in `LOFE.fit`.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, PerSample(sample_weight, groups, strata, covariates))

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        one = self.sigma is None and self.n_neighbors == 1
        return of_single_neighbors() if one else super().fit_takes

    @abstractmethod
    def _loss(self) -> EnergyLoss:
        """The loss; its margin may be None, which is replaced by that of the data."""

    @abstractmethod
    def _penalty(self, A: NDArray) -> Penalty:
        """The penalty, for rows A."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_count("n_neighbors", self.n_neighbors)
        if self.sigma is not None:
            check_positive("sigma", self.sigma)
        check_choice("solver", self.solver, ("exact", "paper"))

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        D = features.distances(np.ones(features.n_features))
        Q = energy_neighbors(D, target, int(self.n_neighbors), self.sigma, features.workers)
        loss: Any = self._loss()
        open_margin = is_dataclass(loss) and getattr(loss, "margin", 0.0) is None
        if open_margin:
            loss = replace(loss, margin=miss_to_hit(D, Q))
        A: Any = energy_rows(features, Q, loss)
        _check_squares(A)
        _check_one_per_row(loss, len(A))
        mean_loss = Weighted(loss, np.resize(_shares(target), len(A)))
        penalty = self._penalty(A)
        if isinstance(A, LazyRows) and self._needs_memory(loss, penalty, A.shape):
            raise ValueError(
                f"{type(self).__name__} fits data of this size only with penalty='l2', "
                "positive=False, solver='exact' and a smooth loss that has a curvature; use these, "
                "or more memory."
            )
        found = self._solve(A, mean_loss, penalty, len(target))
        self.objective_ = float(mean_loss.value(A @ found.w).sum()) + penalty.value(found.w)
        if not np.isfinite(found.w).all():
            raise ValueError(
                f"Weights are not finite: is the derivative of {type(loss).__name__} that of its "
                "value?"
            )
        self._report(found)
        if isinstance(penalty, L1) and not found.w.any():
            _warn_of_zeros(A, mean_loss, penalty)
        return found.w

    def _needs_memory(self, loss: EnergyLoss, penalty: Penalty, shape: tuple[int, int]) -> bool:
        """Whether the solver asks for more than products with the rows."""
        return self.solver == "paper" or solver_for(loss, penalty, shape).needs.in_memory

    def _solve(self, A: NDArray, loss: Weighted, penalty: Any, n_samples: int) -> Solution:
        if self.solver == "paper":
            return single_pass(A, loss, penalty, n_samples)
        return exact(A, loss, penalty, tol=self.tol, max_iter=self.max_iter)

    def _report(self, found: Solution) -> None:
        self.n_iter_, self.converged_ = found.n_iter, found.converged
        self.optimality_gap_ = found.gap
        if not found.converged:
            warn(
                f"{type(self).__name__} did not converge in {found.n_iter} iterations (optimality "
                f"gap {found.gap:.1e}); increase alpha, max_iter or tol.",
                ConvergenceWarning,
            )


def _warn_of_zeros(A: NDArray, loss: Weighted, penalty: L1) -> None:
    gradient = loss.derivative(np.zeros(len(A))) @ A
    largest = float((-gradient if penalty.positive else np.abs(gradient)).max())
    advice = f"; use an alpha below {largest:.3g}" if largest > 0 else ""
    warn(
        f"All weights are zero: alpha={penalty.alpha:g} is too strong for these data, or they say "
        f"nothing about the classes{advice}."
    )


def _check_squares(A: NDArray) -> None:
    """An error if the squared length of a row overflows."""
    largest = max(float(A.max(initial=0.0)), -float(A.min(initial=0.0)))
    if not largest < np.sqrt(np.finfo(float).max / A.size):
        raise ValueError(
            "Squared distances between samples overflow; divide the features by their range "
            "with scale='range', or rescale them."
        )


def _check_one_per_row(loss: EnergyLoss, n_rows: int) -> None:
    """An error if the loss does not answer with one number per row."""
    for method in ("value", "derivative", "curvature"):
        if not hasattr(loss, method):  # the last may be missing
            continue
        shape = np.shape(getattr(loss, method)(np.zeros(n_rows)))
        if shape != (n_rows,):
            raise ValueError(
                f"{type(loss).__name__}.{method} must return as many numbers as it is given, an "
                f"array of shape ({n_rows},); got shape {shape}."
            )


def _shares(target: AnyTarget) -> NDArray:
    """Each sample's share in the mean loss; 0 for those without a hit."""
    counted = np.where(target.has_hit, 1.0 if target.weights is None else target.weights, 0.0)
    return counted / counted.sum()
