import numpy as np
import pytest

from hitmiss import LOFE, LOFERegressor, ReliefF, RReliefF, datasets
from hitmiss.report.quality import facts, judged, own_score

Y = np.arange(100) % 2


def test_a_method_says_what_it_knows():
    X, y = datasets.make_xor(40, random_state=0, return_X_y=True)
    lofe = LOFE().fit(X, y)
    found = facts(lofe, y)
    assert found["loo_error"] == lofe.loo_error_
    assert found["loo_error_note"] == "too low: the features were chosen with the same samples"
    assert facts(ReliefF().fit(X, y), y) == {"guessing_error": 0.5}


@pytest.mark.parametrize(
    ("error", "better"), [(0.0, True), (0.4, True), (0.41, False), (0.6, False)]
)
def test_an_error_is_better_than_guessing_by_two_standard_errors(error, better):
    found = judged(error, 5, Y)  # 0.40 and 0.41, each plus 2 * 0.049, are on either side of 0.5
    assert found["better_than_guessing"] is better
    assert found["standard_error"] == pytest.approx((error * (1 - error)) ** 0.5 / 10)
    assert (found["error"], found["n_folds"]) == (error, 5)


def test_a_score_stands_in_the_place_of_an_error():
    X, y = datasets.make_additive(50, random_state=0, return_X_y=True)
    lofe = LOFERegressor().fit(X, y)
    assert own_score(lofe) == {"measure": "R²", "score": lofe.loo_r2_, "guessing": 0.0}
    assert own_score(RReliefF().fit(X, y)) is None
    assert not {"guessing_error", "loo_error"} & set(facts(lofe, y))
