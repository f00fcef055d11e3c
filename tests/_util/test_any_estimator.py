import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hitmiss import LOFE, Ensemble, FisherScore, TuRF
from hitmiss._util.any_estimator import check_taken, given, some_of, taken, takes


def test_what_is_given_and_taken():
    values = given(groups=[1, 2], strata=None, sample_weight=[3.0, 4.0])
    assert values == {"groups": [1, 2], "sample_weight": [3.0, 4.0]}
    assert taken(LogisticRegression(), values) == {"sample_weight": [3.0, 4.0]}
    assert some_of(values, np.array([1]))["groups"].tolist() == [2]
    check_taken(LOFE(), values)
    with pytest.raises(ValueError, match="LogisticRegression takes no groups; leave it out"):
        check_taken(LogisticRegression(), values)


def test_an_estimator_around_another_takes_what_that_takes():
    assert takes(Ensemble(), "groups")
    assert takes(TuRF(), "covariates")
    assert not takes(Ensemble(LogisticRegression()), "groups")
    assert takes(Ensemble(LogisticRegression()), "sample_weight")
    assert not takes(FisherScore(), "groups")
