"""The choice of a solver, and its answers against scipy's."""

import pytest

from hitmiss.losses import LOSSES
from hitmiss.penalties import L1, L2
from hitmiss.solvers.exact import check_solvable, exact
from tests.solvers.problems import SHAPES, SMOOTH, by_lbfgs, objective, problem

each_sign = pytest.mark.parametrize("positive", [False, True])


@each_sign
@pytest.mark.parametrize(("kind", "alpha"), [(L1, 0.05), (L1, 0.005), (L2, 0.05), (L2, 0.001)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SMOOTH)
def test_agrees_with_lbfgs(name, shape, kind, alpha, positive):
    A, loss = problem(name, shape)
    penalty = kind(alpha, positive=positive)
    found = exact(A, loss, penalty, tol=1e-6, max_iter=500)
    assert found.converged
    assert found.gap <= 1e-6
    assert (found.w >= penalty.lower).all()
    value = objective(A, loss, penalty, found.w)
    assert value == pytest.approx(by_lbfgs(A, loss, penalty), rel=1e-6)


def test_pairs_that_cannot_be_done_get_a_sentence():
    hinge = LOSSES["hinge"]
    with pytest.raises(
        ValueError, match=r"solver='exact' cannot do loss='hinge' with penalty='l1'"
    ):
        check_solvable(hinge, L1(1.0, positive=False), "exact")
    with pytest.raises(ValueError, match=r"positive=True.*no derivative at its corner"):
        check_solvable(hinge, L2(1.0, positive=True), "exact")
    with pytest.raises(ValueError, match=r"solver='paper' cannot do.*keeps no bound"):
        check_solvable(LOSSES["log"], L2(1.0, positive=True), "paper")
    other = L2(1.0)
    other.name = "group"
    with pytest.raises(ValueError, match="cannot do loss='log' with penalty='group': it knows"):
        check_solvable(LOSSES["log"], other, "exact")
    for loss in LOSSES.values():
        check_solvable(loss, L1(1.0, positive=False), "paper")
        check_solvable(loss, L2(1.0), "exact")
