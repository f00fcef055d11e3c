import re
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss import LOFE
from hitmiss.estimators.target_kinds import NOTHING, PerSample, samples_of, with_samples
from hitmiss.targets.classes import Classes

Y = Classes(np.array([0, 0, 1, 1]), np.array(["ill", "well"]))


def test_what_says_nothing_leaves_the_target_alone():
    assert with_samples(Y, NOTHING) is Y
    nothing = PerSample(groups=list("abcd"), strata=["x"] * 4, covariates=[[1.0, 2.0]] * 4)
    assert with_samples(Y, nothing) is Y


def test_groups_strata_and_covariates_become_a_comparability():
    samples = PerSample(
        groups=[1, 2, 2, 3], strata=pd.Series(list("aaab")), covariates=[0, 2, 4, 2]
    )
    with pytest.warns(UserWarning, match="left out of the loss"):
        target = with_samples(Y, samples)
    C = target.comparability(np.arange(4), np.arange(4))
    far = np.exp(-2 / np.std([0, 2, 4, 2]))
    np.testing.assert_allclose(C[0], [0, far, far**2, 0])
    np.testing.assert_allclose(C[1], [far, 0, 0, 0])


def test_a_constant_covariate_says_nothing_beside_another():
    both = with_samples(Y, PerSample(covariates=[[0, 5], [2, 5], [4, 5], [2, 5]]))
    one = with_samples(Y, PerSample(covariates=[0, 2, 4, 2]))
    np.testing.assert_array_equal(both.comparable.covariates, one.comparable.covariates)


def test_weights_of_classes_multiply_those_of_samples():
    y, weights = Classes(np.array([0, 0, 0, 1, 1])), [1.0, 2, 3, 4, 5]
    target = with_samples(y, PerSample(weights), "balanced")  # 5/6 and 5/4 by class
    np.testing.assert_allclose(target.weights, [5 / 6, 10 / 6, 15 / 6, 5, 25 / 4])
    assert with_samples(Y, NOTHING, {"ill": 3.0}).weights.tolist() == [3, 3, 1, 1]


def test_samples_of_a_target_are_those_that_made_it():
    samples = PerSample([1.0, 2, 3, 4], [0, 1, 2, 2], None, [[0.0], [2], [4], [2]])
    with pytest.warns(UserWarning, match="left out"):
        target = with_samples(Y, samples)
    found = samples_of(target)
    assert found.sample_weight.tolist() == [1, 2, 3, 4]
    assert found.groups.tolist() == [0, 1, 2, 2]
    assert found.strata is None
    assert list(found.of(np.array([1])).given()) == ["sample_weight", "groups", "covariates"]
    assert samples_of(Y) == NOTHING


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ({"groups": [1, 2, 3]}, "groups has 3 values for 4 samples; give one for each"),
        ({"groups": [[1, 2]] * 4}, "groups must hold one value for each sample; its shape is"),
        ({"groups": 3}, "groups has 1 value for 4 samples"),
        ({"strata": ["a", None, "b", "b"]}, "strata holds no value in row 1; leave"),
        ({"strata": [0.0, 1.0, np.nan, 1.0]}, "strata holds no value in row 2"),
        ({"strata": pd.array([1, 2, 3, None], "Int64")}, "strata holds no value in row 3"),
        ({"covariates": ["old"] * 4}, "covariates must be numbers; give categories as strata"),
        ({"covariates": [0.0, np.inf, 1, 2]}, "covariates holds inf in row 1, column 0"),
        ({"covariates": [1.0, 2.0]}, "covariates has 2 values for 4 samples"),
        ({"sample_weight": [1.0, -1, 1, 1]}, "`sample_weight`: -1 in row 1"),
        ({"sample_weight": [1.0, np.nan, 1, 1]}, "sample_weight holds nan in row 1"),
        ({"sample_weight": [0.0] * 4}, "at least one non-zero number"),
        ({"sample_weight": [1.0] * 3}, "sample_weight has 3 values for 4 samples"),
        ({"groups": [1, 1, 2, 2]}, "No sample has a hit and a miss that may be compared"),
        ({"strata": [1, 1, 2, 2]}, "No sample has a hit and a miss that may be compared"),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(samples, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        LOFE().fit([[0.0], [1.0], [2.0], [3.0]], list("aabb"), **samples)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("even", "class_weight must be None, 'balanced' or a dictionary"),
        ({"a": -1.0}, "class_weight must hold finite weights of at least 0"),
        ({"a": 0.0, "b": 0.0}, "one of them above"),
    ],
)
def test_errors_of_class_weights(class_weight, message):
    with pytest.raises(ValueError, match=message):
        LOFE(class_weight=class_weight).fit([[0.0], [1.0], [2.0], [3.0]], list("aabb"))


def test_zero_weights_of_all_that_have_a_margin():
    weights = [0.0, 0.0, 1.0]
    with (
        pytest.warns(UserWarning, match="single sample"),
        pytest.raises(ValueError, match="zero for every sample that has a hit and a miss"),
    ):
        LOFE().fit([[0.0], [1.0], [2.0]], list("aab"), sample_weight=weights)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (
            {"groups": list("pqrrr")},
            "All samples of class 'b' are of the group 'r'; 3 of 5 samples have no hit",
        ),
        (
            {"strata": [1, 1, 1, 1, 2]},
            "Stratum '2' holds one class only; 1 of 5 samples has no hit or no miss",
        ),
        ({"strata": [1, 1, 1, 2, 1]}, "Stratum '2' holds one class only; 1 of 5"),
    ],
)
def test_warnings_name_who_is_left_out(samples, message):
    y = Classes(np.array([0, 0, 1, 1, 1]), np.array(["a", "b"]))
    with pytest.warns(UserWarning, match=re.escape(message)):
        with_samples(y, PerSample(**samples))


@given(
    st.lists(st.sampled_from(["a", "b", None, "", 1, 2.5, float("nan")]), min_size=4, max_size=4)
)
def test_any_groups_are_taken_or_refused_with_a_reason(groups):
    codes = np.array([0, 1, 0, 1])
    missing = any(label is None or label != label for label in groups)
    names = np.array([str(label) for label in groups])
    same = codes[:, None] == codes
    other = names[:, None] != names
    margins = (same & other).any(axis=1) & (~same & other).any(axis=1)
    expected = nullcontext()
    if missing:
        expected = pytest.raises(ValueError, match="groups holds no value")
    elif not margins.any():
        expected = pytest.raises(ValueError, match="No sample has a hit")
    elif not margins.all():
        expected = pytest.warns(UserWarning, match="left out")
    with expected:
        with_samples(Classes(codes), PerSample(groups=groups))
