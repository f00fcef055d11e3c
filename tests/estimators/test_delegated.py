import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from hitmiss import FDRSelector, FisherScore, ReliefF
from hitmiss.estimators.delegated import allows_nan, with_nominal, with_numbers


def test_every_parameter_of_that_name_is_set():
    given = FDRSelector(ReliefF())
    found = with_nominal(given, [1, 2])
    assert found.base.categorical == [1, 2]
    assert given.base.categorical == "auto"
    assert with_nominal(FisherScore(), [1]).get_params() == FisherScore().get_params()


def test_words_are_codes_only_for_those_who_know():
    X = pd.DataFrame({"a": ["x", "y", "x"], "b": [1.0, 2.0, 3.0]})
    estimator, codes = with_numbers(ReliefF(), X)
    assert estimator.categorical == [0]
    np.testing.assert_array_equal(codes, [[0, 1], [1, 2], [0, 3]])
    forest = RandomForestClassifier()
    assert with_numbers(forest, X) == (forest, X) or with_numbers(forest, X)[1] is X


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (ReliefF(), True),
        (ReliefF(missing="error"), False),
        (FDRSelector(ReliefF()), True),
        (KNeighborsClassifier(), False),
    ],
)
def test_who_takes_gaps(estimator, expected):
    assert allows_nan(estimator) is expected
