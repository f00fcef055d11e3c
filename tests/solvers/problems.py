"""Problems that several solvers are tried on, and their answers by scipy."""

import numpy as np
from scipy.optimize import minimize

from hitmiss.losses import LOSSES, Weighted

SHAPES = [(15, 60), (40, 6)]  # fewer samples than features, and more
SMOOTH = [name for name, loss in LOSSES.items() if loss.smooth]


def problem(name, shape=(15, 60), seed=0, dtype=float):
    """Rows, and the weighted loss that reads them."""
    rng, loss = np.random.default_rng(seed), LOSSES[name]
    hits = rng.random(shape)
    misses = rng.random(shape) + 0.3 * (np.arange(shape[1]) < 3)
    A = misses - hits if loss.reads == "margins" else np.vstack([hits, misses])
    share = rng.random(shape[0])
    return A.astype(dtype), Weighted(loss, np.resize(share / share.sum(), len(A)))


def objective(A, loss, penalty, w):
    return loss.value(A @ w).sum() + penalty.value(w)


def by_lbfgs(A, loss, penalty):
    """The minimum by L-BFGS-B; L1 without a bound as the difference of two positive parts."""
    split = penalty.name == "l1" and not penalty.positive
    B = np.hstack([A, -A]) if split else A
    slope = penalty.gradient if penalty.name == "l2" else lambda w: np.full_like(w, penalty.alpha)
    bound = (0, None) if penalty.positive or split else (None, None)
    result = minimize(
        lambda w: (objective(B, loss, penalty, w), loss.derivative(B @ w) @ B + slope(w)),
        np.zeros(B.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=[bound] * B.shape[1],
        options={"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-10},
    )
    return result.fun
