"""Newton in the span of the rows, for smooth losses with an L2 penalty and few rows."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from hitmiss.solvers.needs import Needs
from hitmiss.solvers.projected_newton import projected_newton
from hitmiss.solvers.solution import Solution
from hitmiss.solvers.tolerances import COLUMNS, SMALLEST_VARIANCE

if TYPE_CHECKING:
    from hitmiss.losses import Loss
    from hitmiss.penalties import L2

NEEDS = Needs(
    loss=("value", "derivative", "curvature"),
    penalty=("pure_l2", "lower", "value", "gradient", "violation"),
    bound=False,
    wide=True,
    in_memory=False,
)


def span_newton(
    A: NDArray, loss: "Loss", penalty: "L2", *, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimize ``sum_r loss(A_r . w) + alpha |w|^2`` exactly, for fewer rows than features.

    The penalty rules out any part of w that no row sees, so ``w = A' U b / s`` where
    ``A A' = U s^2 U'``; then ``A w = U s b`` and ``|w| = |b|``. What remains is the same problem
    with as many weights as rows, however many features there are.

    Parameters
    ----------
    A, loss, penalty, tol, max_iter
        As in `projected_newton`; `penalty` without a bound.

    Returns
    -------
    Solution
    """
    variance, U = eigh(gram(A))
    seen = variance > SMALLEST_VARIANCE * max(variance[-1], np.finfo(float).tiny)
    if not seen.any():
        return Solution(np.zeros(A.shape[1]), 0, 0.0, True)
    s, U = np.sqrt(variance[seen]), U[:, seen]
    rotated = projected_newton(U * s, loss, penalty, tol=tol, max_iter=max_iter)
    return rotated._replace(w=transposed_times(A, U @ (rotated.w / s)))


def gram(A: NDArray) -> NDArray:
    """``A A'`` in double precision."""
    K = np.zeros((len(A), len(A)))
    for start in range(0, A.shape[1], COLUMNS):
        part = A[:, start : start + COLUMNS].astype(float)
        K += part @ part.T
    return K


def transposed_times(A: NDArray, a: NDArray) -> NDArray:
    """``A' a`` in double precision."""
    parts = range(0, A.shape[1], COLUMNS)
    return np.concatenate([a @ A[:, k : k + COLUMNS].astype(float) for k in parts])
