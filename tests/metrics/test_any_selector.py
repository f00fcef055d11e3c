import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hitmiss import ReliefF, datasets
from hitmiss.metrics import ImportanceSelector, compare_selectors
from hitmiss.metrics.any_selector import importances_of, ranking_of, support_of


class Known:
    """An estimator whose fitted attributes are given."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


def test_importances_by_hand():
    coefficients = Known(coef_=np.array([[1.0, -3.0, 0.0], [1.0, 0.0, -0.5]]))
    np.testing.assert_array_equal(importances_of(coefficients), [2, 3, 0.5])
    assert ranking_of(coefficients).tolist() == [1, 0, 2]
    assert support_of(coefficients).tolist() == [True, True, False]  # above 5.5 / 3
    forest = Known(feature_importances_=np.array([0.1, 0.7, 0.2]))
    assert support_of(forest).tolist() == [False, True, False]


def test_ranks_and_rankings_are_told_apart():
    ranks = Known(ranking_=np.array([3, 1, 1, 2]), coef_=np.array([[9.0, 1.0, 2.0, 0.0]]))
    assert ranking_of(ranks).tolist() == [2, 1, 3, 0]
    assert ranking_of(Known(ranking_=np.array([3, 0, 1, 2]))).tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize(
    "estimator",
    [
        RandomForestClassifier(20, random_state=0),
        LogisticRegression(),
        SelectKBest(k=4),
        RFE(LogisticRegression(), n_features_to_select=4),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
        ReliefF(max_features=4),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_estimator_is_compared(estimator):
    X, y = datasets.make_twonorm(60, n_irrelevant=10, random_state=0, return_X_y=True)
    both = compare_selectors({"it": estimator}, X, y, n_folds=2, n_repeats=2, verbose=False)
    (found,) = both
    assert 0 < len(found.selected) <= 30
    assert found.curve.errors[-1] < 0.3
    assert found.standard_error >= 0
    assert len(found.curve_standard_errors) == len(found.curve_stability) == len(found.curve.errors)
    assert (np.abs(found.curve_stability[:-1]) <= 1).all()
    ranked = ImportanceSelector(estimator, max_features=5).fit(X, y)
    assert sorted(ranked.ranking_) == list(range(30))
    assert set(ranked.get_support(indices=True)) == set(ranked.ranking_[:5])


def test_an_estimator_without_importances_is_named():
    X, y = datasets.make_twonorm(30, n_irrelevant=3, random_state=0, return_X_y=True)
    with pytest.raises(ValueError, match="KNeighborsClassifier has no coef_"):
        ImportanceSelector(KNeighborsClassifier()).fit(X, y)


def test_standard_errors_by_hand():
    X, y = datasets.make_twonorm(40, n_irrelevant=3, random_state=0, return_X_y=True)
    one = next(compare_selectors({"r": ReliefF()}, X, y, n_folds=4, verbose=False))
    two = next(compare_selectors({"r": ReliefF()}, X, y, n_folds=4, n_repeats=2, verbose=False))
    other = next(
        compare_selectors({"r": ReliefF()}, X, y, n_folds=4, random_state=1, verbose=False)
    )
    assert two.error == pytest.approx((one.error + other.error) / 2)
    assert two.standard_error == pytest.approx(abs(one.error - other.error) / 2)


@parametrize_with_checks([ImportanceSelector(LogisticRegression())])
def test_scikit_learn_takes_it(estimator, check):
    check(estimator)


def test_a_last_bit_decides_no_ranking():
    for toward in (0.0, 1.0):
        fitted = LogisticRegression()
        fitted.coef_ = np.array([[0.3, np.nextafter(0.3, toward), 0.4]])
        assert ranking_of(fitted).tolist() == [2, 0, 1]
