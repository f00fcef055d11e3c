import numpy as np
import pytest

from hitmiss import LOFE, LOFERegressor, Markers, ReliefF
from hitmiss.cli._shared.plan import Depth, Wanted, check_reachable, plan

Y = np.arange(40) % 2
ALL = {"cross-validation": 5, "permutations": 20, "attribution": 0, "subsamples": 20}


def numbers(wanted, seconds, y=Y, estimator=None):
    return plan(wanted, estimator or LOFE(), seconds, y).numbers


def test_what_fits_into_a_minute_is_measured():
    assert numbers(Wanted(), 0.1) == ALL
    assert numbers(Wanted(), 1.0) == ALL | {"subsamples": 0}  # 8 + 50 s, and 31 s would follow
    assert numbers(Wanted(), 1.25) == ALL | {"permutations": 0}  # 10 + 63 s
    assert numbers(Wanted(), 1.0, estimator=ReliefF()) == ALL  # a permutation is one fit
    assert numbers(Wanted(), 100.0) == dict.fromkeys(ALL, 0)


@pytest.mark.parametrize("estimator", [LOFE("auto"), LOFERegressor("auto"), Markers(LOFE("auto"))])
def test_a_permutation_with_a_kernel_width_of_its_own_takes_fewer_fits(estimator):
    """A fit that chooses a width takes longer, and so does a permutation, but not as much."""
    found = plan(Wanted(n_permutations=20), estimator, 3.0, Y)
    assert found.seconds["permutations"] == pytest.approx(120)
    assert plan(Wanted(n_permutations=20), LOFE(), 3.0, Y).seconds["permutations"] == 150


def test_what_is_left_out_is_said_with_its_cost():
    remark = plan(Wanted(), LOFE(), 1.25, Y).remark
    assert remark == (
        "Not measured within a minute: permutations (about 2 min); --thorough measures everything."
    )
    assert plan(Wanted(), LOFE(), 0.1, Y).remark is None
    assert plan(Wanted(depth=Depth.quick), LOFE(), 0.1, Y).remark is None


def test_quick_and_thorough_do_not_ask_for_the_time():
    assert numbers(Wanted(depth=Depth.quick), 0.001) == dict.fromkeys(ALL, 0)
    assert numbers(Wanted(depth=Depth.thorough), 1000.0) == ALL


@pytest.mark.parametrize("depth", list(Depth))
def test_what_is_asked_for_is_measured_in_any_case(depth):
    found = numbers(Wanted(3, 99, 7, depth), 1000.0)
    assert found == ALL | {"cross-validation": 3, "permutations": 99, "subsamples": 7}
    assert numbers(Wanted(n_permutations=0, depth=depth), 0.1)["permutations"] == 0


def test_what_is_asked_for_takes_no_time_from_the_rest():
    assert numbers(Wanted(n_permutations=1000), 1.0) == ALL | {"permutations": 1000}
    assert numbers(Wanted(n_subsamples=99), 1.25)["permutations"] == 0  # 63 s by themselves


def test_small_classes_have_fewer_folds():
    assert numbers(Wanted(), 0.1, np.repeat([0, 1], [3, 9]))["cross-validation"] == 3
    assert numbers(Wanted(), 0.1, np.repeat([0, 1], [1, 9]))["cross-validation"] == 2
    assert numbers(Wanted(), 0.1, np.array([0, 1]))["cross-validation"] == 0


def test_a_rate_that_no_q_value_can_reach():
    check_reachable(0.1, None)
    check_reachable(0.001, 0)  # no test
    check_reachable(0.1, 9)
    with pytest.raises(ValueError, match=r"--fdr 0.1 needs --permutations 9 or more\.$"):
        check_reachable(0.1, 8)
    with pytest.raises(ValueError, match=r"--fdr 0.01 needs --permutations 99 or more\.$"):
        check_reachable(0.01, None)
