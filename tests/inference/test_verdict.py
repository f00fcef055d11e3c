import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.inference import Evidence, verdict_on
from hitmiss.inference.verdict import standard_error

GOOD = {"error": 0.08, "standard_error": 0.03, "guessing_error": 0.35}
BAD = GOOD | {"error": 0.33}
TESTED = {"n_permutations": 20, "n_requested": 20}


def judged(**known):
    return verdict_on(Evidence(100, 10, **known))


@pytest.mark.parametrize(
    ("p_value", "n_significant", "error", "level"),
    [
        (0.05, 4, GOOD, "real"),
        (0.05, 4, {}, "real"),  # the error was not measured
        (0.1, 4, GOOD, "real"),
        (0.05, 0, GOOD, "doubtful"),
        (0.05, 4, BAD, "doubtful"),
        (0.05, 0, BAD, "doubtful"),
        (0.15, 4, GOOD, "doubtful"),  # as with fdr=0.2
        (0.5, 0, GOOD, "doubtful"),
        (0.15, 0, BAD, "nothing"),
        (0.15, 0, {}, "nothing"),
        (None, 0, GOOD, "untested"),
        (None, 0, {}, "untested"),
    ],
)
def test_the_level_follows_from_three_numbers(p_value, n_significant, error, level):
    found = judged(p_value=p_value, n_significant=n_significant, **error, **TESTED)
    assert found.level == level
    assert found.sentence.startswith("Nothing here: ") is (level == "nothing")
    assert found.sentence.startswith("Doubtful: ") is (level == "doubtful")


def test_the_sentence_has_the_numbers():
    found = judged(p_value=1 / 21, n_significant=4, **GOOD, **TESTED)
    numbers = "10 features; error 8 ± 3 % (guessing 35 %), permutation p 0.048; 4 with q ≤ 0.1"
    assert found.sentence == f"{numbers}."
    partly = judged(p_value=1 / 21, n_significant=4, n_significant_selected=1, **GOOD, **TESTED)
    assert partly.sentence == f"{numbers} (1 of them listed)."
    assert judged(p_value=0.7, **BAD, **TESTED).sentence == (
        "Nothing here: permutation p 0.7, error 33 ± 3 %, not clearly better than guessing (35 %); "
        "none of 100 features with q ≤ 0.1."
    )
    assert judged(**GOOD).sentence == "10 features, not tested; error 8 ± 3 % (guessing 35 %)."


def test_an_interrupted_test_says_how_many_permutations_are_done():
    found = judged(p_value=0.5, n_permutations=11, n_requested=20)
    assert "permutation p 0.5 (11 of 20 permutations);" in found.sentence
    assert found.level == "nothing"


def test_few_permutations_that_are_all_worse_do_not_show_that_nothing_is_there():
    found = judged(p_value=1 / 6, n_permutations=5, n_requested=20)
    assert found.level == "doubtful"
    assert "permutation p 0.17 (too few to tell: 5 of 20 permutations)" in found.sentence
    assert judged(p_value=2 / 6, n_permutations=5, n_requested=20).level == "nothing"


def test_one_error_in_ten_samples_by_hand():
    assert standard_error(0.1, 10) == pytest.approx((0.09 / 10) ** 0.5)
    sure = {"error": 0.0, "standard_error": standard_error(0.0, 10), "guessing_error": 0.5}
    assert "error 0 % (guessing 50 %)" in judged(**sure).sentence
    precise = {"error": 0.0123, "standard_error": 0.001, "guessing_error": 0.5}
    assert "error 1.2 ± 0.1 % (guessing 50.0 %)" in judged(**precise).sentence


share = st.floats(0, 1)


@given(share, share, share | st.none(), st.integers(1, 50), st.integers(0, 9))
def test_any_numbers_give_one_sentence(error, guessing, p_value, n, n_significant):
    known = Evidence(20, 9, 0.1, error, standard_error(error, 30), guessing, p_value, n, n + 1)
    found = verdict_on(known._replace(n_significant=n_significant if p_value is not None else 0))
    assert found.sentence.endswith(".")
    assert len(found.sentence.splitlines()) == 1
    assert found.level in ("real", "doubtful", "nothing", "untested")
    if found.level == "nothing":
        assert p_value > 0.1
        assert not n_significant
