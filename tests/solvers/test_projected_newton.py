import numpy as np

from hitmiss.penalties import L2
from hitmiss.solvers.projected_newton import projected_newton
from tests.solvers.problems import objective, problem


def test_the_gap_bounds_the_error():
    A, loss = problem("log", (30, 200))
    penalty = L2(1e-4)
    best = projected_newton(A, loss, penalty, tol=1e-12, max_iter=100)
    for n in range(8):
        rough = projected_newton(A, loss, penalty, tol=0, max_iter=n)
        value = objective(A, loss, penalty, rough.w)
        excess = value - objective(A, loss, penalty, best.w)
        assert excess <= rough.gap**2 * value * (1 + 1e-9)
        distance = np.linalg.norm(rough.w - best.w)
        assert distance <= rough.gap * np.sqrt(value / penalty.alpha) * (1 + 1e-9)
