"""Problems that several solvers are tried on, their answers by scipy, and parts made by users."""

import numpy as np
from scipy.optimize import minimize

from hitmiss.losses import LOSSES, Weighted

SHAPES = [(15, 60), (40, 6)]  # fewer samples than features, and more
SMOOTH = [name for name, loss in LOSSES.items() if loss.smooth]


class SquaredHinge:
    """A loss as a user writes it, with what a loss must have and no more."""

    reads, smooth = "margins", True

    def value(self, margins):
        return np.maximum(1 - margins, 0) ** 2

    def derivative(self, margins):
        return -2 * np.maximum(1 - margins, 0)


class BentSquaredHinge(SquaredHinge):
    """The same, saying how it bends."""

    def curvature(self, margins):
        return np.where(margins < 1, 2.0, 0.0)


class Absolute:
    """Neither smooth nor a hinge."""

    name, reads, smooth = "absolute", "margins", False

    def value(self, margins):
        return np.abs(1 - margins)

    def derivative(self, margins):
        return np.sign(margins - 1)

    def curvature(self, margins):
        return np.zeros_like(margins)


class ElasticNet:
    """A penalty as a user writes it, with what a penalty must have and no more."""

    def __init__(self, l1, l2, *, positive=False):
        self.l1, self.l2, self.positive = l1, l2, positive

    def value(self, w):
        return self.l1 * np.abs(w).sum() + self.l2 * w @ w

    def prox(self, w, step):
        shrunk = np.sign(w) * np.maximum(np.abs(w) - step * self.l1, 0)
        return np.maximum(shrunk, 0 if self.positive else -np.inf) / (1 + 2 * step * self.l2)


def problem(loss, shape=(15, 60), seed=0, dtype=float):
    """Rows, and the weighted loss, an object or a name, that reads them."""
    rng, loss = np.random.default_rng(seed), LOSSES[loss] if isinstance(loss, str) else loss
    hits = rng.random(shape)
    misses = rng.random(shape) + 0.3 * (np.arange(shape[1]) < 3)
    A = misses - hits if loss.reads == "margins" else np.vstack([hits, misses])
    share = rng.random(shape[0])
    return A.astype(dtype), Weighted(loss, np.resize(share / share.sum(), len(A)))


def objective(A, loss, penalty, w):
    return loss.value(A @ w).sum() + penalty.value(w)


def by_lbfgs(A, loss, *, l1=0.0, l2=0.0, positive):
    """The minimum with ``l1 sum |w| + l2 sum w^2`` by L-BFGS-B.

    Without a bound w is the difference of two positive parts, so that |w| has a derivative.
    """
    split = l1 > 0 and not positive
    B = np.hstack([A, -A]) if split else A
    bound = (0, None) if positive or split else (None, None)
    w = np.zeros(B.shape[1])
    for _ in range(3):  # it may end early, by a line search that rounding on some machines misleads
        w = minimize(
            lambda w: (
                loss.value(B @ w).sum() + l1 * w.sum() + l2 * w @ w,
                loss.derivative(B @ w) @ B + l1 + 2 * l2 * w,
            ),
            w,
            jac=True,
            method="L-BFGS-B",
            bounds=[bound] * B.shape[1],
            options={"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-10},
        ).x
    return loss.value(B @ w).sum() + l1 * w.sum() + l2 * w @ w
