import numpy as np
import pytest

from hitmiss._util.checks import (
    check_choice,
    check_count,
    check_float_dtype,
    check_nonnegative,
    check_positive,
    check_positive_or,
    check_weights,
)


def test_counts_are_returned_as_int():
    assert type(check_count("n", np.int8(3))) is int
    assert check_count("n", 0, 0) == 0
    assert [check_count("n", k, 2, 20) for k in (2, 20)] == [2, 20]


@pytest.mark.parametrize("value", [0, -1, 2.0, True, np.True_, "3", None])
def test_a_count_is_a_whole_number_of_at_least_one(value):
    with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1; got .*\.$"):
        check_count("n", value)


@pytest.mark.parametrize("value", [1, 21])
def test_a_count_out_of_bounds_names_both(value):
    with pytest.raises(ValueError, match=f"n must be a whole number from 2 to 20; got {value}"):
        check_count("n", value, 2, 20)


def test_positive_numbers_are_returned_as_float():
    assert type(check_positive("a", np.float32(0.5))) is float
    assert check_positive("a", np.inf, largest=np.inf) == np.inf


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, True, "1", 1j])
def test_what_is_no_positive_number_is_refused(value):
    with pytest.raises(ValueError, match=r"^a must be a positive number; got .*\.$"):
        check_positive("a", value)
    if not isinstance(value, str):
        with pytest.raises(ValueError, match=r"^a must be a positive number; got .*\.$"):
            check_positive_or("a", value, ("auto",))


def test_words_in_place_of_a_number():
    assert check_positive_or("a", "auto", ("auto", "bound")) == "auto"
    assert check_positive_or("a", 2, ("auto",)) == 2
    with pytest.raises(ValueError, match="a must be a positive number, 'auto' or 'bound'; got 'x'"):
        check_positive_or("a", "x", ("auto", "bound"))


def test_zero_is_not_negative():
    assert check_nonnegative("noise", 0) == 0
    for value in (-0.1, np.nan, np.inf, True, "low"):
        with pytest.raises(ValueError, match="noise must be a finite number of at least 0; got"):
            check_nonnegative("noise", value)


def test_a_weight_for_every_feature():
    assert check_weights("init", [0, 2], 2).tolist() == [0.0, 2.0]
    for value in ([1.0], [[1.0, 1.0]], [1.0, -1.0], [np.inf, 1.0], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="init must hold 2 finite weights of at least 0, one"):
            check_weights("init", value, 2)


def test_choices_are_listed():
    assert check_choice("scale", None, ("range", None)) is None
    for value in ("rank", 0, ["range"], np.array(["range"])):
        with pytest.raises(ValueError, match="scale must be one of 'range', None; got"):
            check_choice("scale", value, ("range", None))


def test_dtypes_of_single_and_double_precision():
    assert check_float_dtype("dtype", float) == check_float_dtype("dtype", "float64") == np.float64
    for value in ("int64", "flout", complex, 7):
        with pytest.raises(ValueError, match="dtype must be float32 or float64; got"):
            check_float_dtype("dtype", value)
