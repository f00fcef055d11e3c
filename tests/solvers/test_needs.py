"""Every solver needs what it says, and no more."""

import numpy as np
import pytest

from hitmiss.losses import LOSSES, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers import (
    hinge_dual,
    projected_newton,
    prox_gradient,
    prox_newton,
    single_pass,
    span_newton,
)
from hitmiss.solvers.needs import Needs, fits, missing
from tests.solvers.problems import problem

# Each solver, called alike, with a loss and a penalty that it can take.
EACH = {
    "prox_newton": (prox_newton, prox_newton.unit_prox_newton, "square", L1(0.1)),
    "hinge_dual": (hinge_dual, hinge_dual.hinge_dual, "hinge", L2(0.1)),
    "span_newton": (span_newton, span_newton.span_newton, "log", L2(0.1)),
    "projected_newton": (
        *(projected_newton, projected_newton.projected_newton),
        *("log", L2(0.1, positive=True)),
    ),
    "prox_gradient": (prox_gradient, prox_gradient.prox_gradient, "log", L1(0.1)),
    "single_pass": (
        single_pass,
        lambda A, loss, penalty: single_pass.single_pass(A, loss, penalty, len(A)),
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
    module, solve, name, penalty = EACH[solver]
    A, loss = problem(name)
    bare_loss = Weighted(Only(loss.loss, module.NEEDS.loss), loss.weight)
    bare_penalty = Curtailed(penalty, module.NEEDS.penalty)
    np.testing.assert_array_equal(solve(A, bare_loss, bare_penalty).w, solve(A, loss, penalty).w)


@each_solver
def test_a_part_without_something_that_is_needed_does_not_fit(solver):
    module, _, name, penalty = EACH[solver]
    needs, loss = module.NEEDS, LOSSES[name]
    names = ("smooth", *needs.loss)
    assert fits(needs, Only(loss, names), Only(penalty, needs.penalty))
    for absent in needs.loss:
        assert not fits(needs, Only(loss, set(names) - {absent}), penalty)
    for absent in needs.penalty:
        assert not fits(needs, loss, Only(penalty, set(needs.penalty) - {absent}))


@each_solver
def test_a_corner_and_a_bound_fit_only_where_they_are_allowed(solver):
    module, _, name, penalty = EACH[solver]
    needs, loss = module.NEEDS, Only(LOSSES[name], module.NEEDS.loss)
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
