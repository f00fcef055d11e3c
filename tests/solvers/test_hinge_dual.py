import numpy as np
import pytest
from sklearn.svm import LinearSVC

from hitmiss.penalties import L2
from hitmiss.solvers.hinge_dual import hinge_dual
from tests.solvers.problems import SHAPES, objective, problem


@pytest.mark.parametrize("alpha", [1.0, 0.01, 1e-4])
@pytest.mark.parametrize("shape", SHAPES)
def test_hinge_agrees_with_a_support_vector_machine(shape, alpha):
    A, loss = problem("hinge", shape)
    found = hinge_dual(A, loss, L2(alpha), tol=1e-6, max_iter=100)
    # Its objective is |w|^2 / 2 + C sum of hinges; mirrored rows stand for a second class.
    svm = LinearSVC(C=1, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=200_000)
    svm.fit(np.vstack([A, -A]), np.repeat([1, -1], len(A)), np.tile(loss.weight / (4 * alpha), 2))
    best = objective(A, loss, L2(alpha), svm.coef_[0])
    assert found.converged
    assert objective(A, loss, L2(alpha), found.w) <= best * (1 + 1e-6)
    np.testing.assert_allclose(found.w, svm.coef_[0], rtol=1e-2, atol=1e-3 * abs(found.w).max())
