"""The choice of a solver, its answers against scipy's, its errors, and what it needs."""

import re

import numpy as np
import pytest

from hitmiss.losses import LOSSES, Hinge, Logistic, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers import (
    Needs,
    fits,
    hinge_dual,
    missing,
    paper_descent,
    projected_newton,
    prox_gradient,
    prox_newton,
)
from hitmiss.solvers.exact import check_solvable, exact, solver_for
from tests.solvers.problems import (
    SHAPES,
    SMOOTH,
    Absolute,
    BentSquaredHinge,
    ElasticNet,
    SquaredHinge,
    by_lbfgs,
    objective,
    problem,
)

each_sign = pytest.mark.parametrize("positive", [False, True])
each_shape = pytest.mark.parametrize("shape", SHAPES)
WIDE, TALL = (3, 4), (4, 3)


def chosen(loss, penalty, shape=WIDE):
    return solver_for(loss, penalty, shape).solve.__name__


class Linear:
    """Relief's loss; it may be negative."""

    reads, smooth = "margins", True

    def value(self, margins):
        return -margins

    def derivative(self, margins):
        return -np.ones_like(margins)

    def curvature(self, margins):
        return np.zeros_like(margins)


@each_sign
@pytest.mark.parametrize(("kind", "alpha"), [(L1, 0.05), (L1, 0.005), (L2, 0.05), (L2, 0.001)])
@each_shape
@pytest.mark.parametrize("loss", [*SMOOTH, SquaredHinge(), BentSquaredHinge()])
def test_smooth_losses_agree_with_lbfgs(loss, shape, kind, alpha, positive):
    A, loss = problem(loss, shape)
    penalty = kind(alpha, positive=positive)
    found = exact(A, loss, penalty, tol=1e-6, max_iter=500)
    assert found.converged
    assert found.gap <= 1e-6
    assert (found.w >= penalty.lower).all()
    best = by_lbfgs(A, loss, **{penalty.name: alpha}, positive=positive)
    assert objective(A, loss, penalty, found.w) == pytest.approx(best, rel=1e-6)


@each_sign
@each_shape
@pytest.mark.parametrize("loss", [*SMOOTH, SquaredHinge()])
def test_a_penalty_of_a_user_agrees_with_lbfgs(loss, shape, positive):
    A, loss = problem(loss, shape)
    penalty = ElasticNet(0.02, 0.005, positive=positive)
    found = exact(A, loss, penalty, tol=1e-6, max_iter=200)
    assert found.converged
    assert (found.w < 0).any() != positive
    best = by_lbfgs(A, loss, l1=0.02, l2=0.005, positive=positive)
    assert objective(A, loss, penalty, found.w) == pytest.approx(best, rel=1e-6)


@each_shape
def test_a_loss_may_be_negative(shape):
    A, loss = problem(Linear(), shape)
    for penalty in (L2(0.1), ElasticNet(0, 0.1)):
        found = exact(A, loss, penalty, tol=1e-8, max_iter=20)
        assert found.converged
        np.testing.assert_allclose(found.w, loss.weight @ A / 0.2, rtol=1e-7)


def test_every_pair_of_the_library_has_its_solver():
    for name, loss in LOSSES.items():
        for positive in (False, True):
            if name != "hinge":
                assert chosen(loss, L1(1.0, positive=positive)) == "unit_prox_newton"
            l2 = L2(1.0, positive=positive)
            newton = "projected_newton" if positive else "span_newton"
            if name != "hinge":
                assert chosen(loss, l2, WIDE) == newton
                assert chosen(loss, l2, TALL) == "projected_newton"
    assert chosen(Hinge(), L2(1.0), WIDE) == chosen(Hinge(), L2(1.0), TALL) == "hinge_dual"


def test_a_solver_for_one_kind_takes_only_what_says_it_is_of_that_kind():
    assert chosen(Logistic(), ElasticNet(1.0, 1.0)) == "prox_gradient"
    assert chosen(SquaredHinge(), L2(1.0)) == "prox_gradient"
    assert chosen(Logistic(), L2(0.0)) == "prox_gradient"  # Newton's methods divide by alpha

    class Net(L1):
        """Not an L1 penalty any more."""

    class Leaky(Hinge):
        """Not a hinge any more."""

    net, leaky = Net(1.0), Leaky()
    assert chosen(Logistic(), net) == "prox_gradient"
    with pytest.raises(ValueError, match="is no hinge"):
        chosen(leaky, L2(1.0))


def test_a_name_decides_nothing():
    l2, net = L2(1.0), ElasticNet(1.0, 1.0)
    l2.name, net.name = "group", "l1"
    assert chosen(Logistic(), l2) == "span_newton"
    assert chosen(Logistic(), net) == "prox_gradient"


class Bare:
    """A penalty without anything but its value."""

    def value(self, w):
        return 0.0


@pytest.mark.parametrize(
    ("loss", "penalty", "solver", "said"),
    [
        (
            *(Absolute(), L2(1.0), "exact"),
            "solver='exact' cannot do loss='absolute' with penalty='l2': this loss has no "
            "derivative at its corner and is no hinge; use a smooth loss such as 'log', "
            "or solver='paper'.",
        ),
        (
            *(Hinge(), L1(1.0, positive=False), "exact"),
            "solver='exact' cannot do loss='hinge' with penalty='l1': this loss has no derivative "
            "at its corner; use loss='log', or penalty='l2' with positive=False, "
            "or solver='paper'.",
        ),
        (
            *(Hinge(), L2(1.0, positive=True), "exact"),  # the paper's pass cannot do it either
            "solver='exact' cannot do loss='hinge' with penalty='l2' and positive=True: this loss "
            "has no derivative at its corner; use loss='log', or penalty='l2' with positive=False.",
        ),
        (
            *(SquaredHinge(), Bare(), "exact"),
            "solver='exact' cannot do loss='SquaredHinge' with penalty='Bare': the penalty has no "
            "'prox'; add what is missing.",
        ),
        (
            *(Logistic(), L2(1.0, positive=True), "paper"),
            "solver='paper' cannot do loss='log' with penalty='l2' and positive=True: the paper's "
            "pass keeps no bound; use solver='exact' or positive=False.",
        ),
        (
            *(Logistic(), ElasticNet(1.0, 1.0), "paper"),
            "solver='paper' cannot do loss='log' with penalty='ElasticNet': the penalty has no "
            "'gradient' and no 'lower'; add what is missing, or use solver='exact'.",
        ),
    ],
)
def test_pairs_that_cannot_be_done_get_a_sentence(loss, penalty, solver, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        check_solvable(loss, penalty, solver)
    if solver == "exact":
        with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            exact(np.ones(WIDE), Weighted(loss, np.ones(3)), penalty, tol=1e-6, max_iter=9)


def test_pairs_that_can_be_done_pass():
    for loss in LOSSES.values():
        check_solvable(loss, L1(1.0, positive=False), "paper")
        check_solvable(loss, L2(1.0), "exact")
    check_solvable(Absolute(), L2(1.0), "paper")
    check_solvable(SquaredHinge(), ElasticNet(1.0, 1.0, positive=True), "exact")


# Each solver, called alike, with a loss and a penalty that it can take.
EACH = {
    "prox_newton": (prox_newton.NEEDS, prox_newton.unit_prox_newton, "square", L1(0.1)),
    "hinge_dual": (hinge_dual.NEEDS, hinge_dual.hinge_dual, "hinge", L2(0.1)),
    "span_newton": (projected_newton.SPAN_NEEDS, projected_newton.span_newton, "log", L2(0.1)),
    "projected_newton": (
        *(projected_newton.NEEDS, projected_newton.projected_newton),
        *("log", L2(0.1, positive=True)),
    ),
    "prox_gradient": (prox_gradient.NEEDS, prox_gradient.prox_gradient, "log", L1(0.1)),
    "single_pass": (
        paper_descent.NEEDS,
        lambda A, loss, penalty: paper_descent.single_pass(A, loss, penalty, len(A)),
        *("hinge", L1(0.1, positive=False)),
    ),
}
each_solver = pytest.mark.parametrize("solver", EACH)


class Only:
    """Of another object nothing but the attributes that are named."""

    def __init__(self, thing, names):
        for name in names:
            setattr(self, name, getattr(thing, name))


class Curtailed(Only):
    """A penalty whose multiples are as curtailed as it is itself."""

    def __init__(self, penalty, names):
        super().__init__(penalty, names)
        if "times" in names:
            self.times = lambda factor: Curtailed(penalty.times(factor), names)


@each_solver
def test_a_solver_reads_what_it_declares_and_nothing_else(solver):
    needs, solve, name, penalty = EACH[solver]
    A, loss = problem(name)
    bare_loss = Weighted(Only(loss.loss, needs.loss), loss.weight)
    bare_penalty = Curtailed(penalty, needs.penalty)
    np.testing.assert_array_equal(solve(A, bare_loss, bare_penalty).w, solve(A, loss, penalty).w)


@each_solver
def test_a_part_without_something_that_is_needed_does_not_fit(solver):
    needs, _, name, penalty = EACH[solver]
    loss = LOSSES[name]
    names = ("smooth", *needs.loss)
    assert fits(needs, Only(loss, names), Only(penalty, needs.penalty))
    for absent in needs.loss:
        assert not fits(needs, Only(loss, set(names) - {absent}), penalty)
    for absent in needs.penalty:
        assert not fits(needs, loss, Only(penalty, set(needs.penalty) - {absent}))


@each_solver
def test_a_corner_and_a_bound_fit_only_where_they_are_allowed(solver):
    needs, _, name, penalty = EACH[solver]
    loss = Only(LOSSES[name], needs.loss)
    loss.smooth = False
    assert fits(needs, loss, penalty) == (not needs.smooth)
    loss.smooth = True
    bounded = type(penalty)(0.1, positive=True)
    assert fits(needs, loss, bounded) == needs.bound


def test_none_is_as_good_as_missing():
    needs = Needs(loss=("value",), penalty=("prox", "lower"))
    penalty = Only(L1(1.0), ["lower"])
    assert missing(needs.penalty, penalty) == ["prox"]
    penalty.prox = None
    assert missing(needs.penalty, penalty) == ["prox"]
    penalty.prox, penalty.lower = len, 0.0
    assert missing(needs.penalty, penalty) == []
