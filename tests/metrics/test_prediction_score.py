import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, cross_val_predict

from hitmiss import LOFERegressor, LOFESurvival, RReliefF, datasets
from hitmiss.metrics import cross_validated_score


def product(n_samples=120):
    return datasets.make_product(n_samples, n_irrelevant=5, random_state=0, return_X_y=True)


def test_r2_of_all_that_was_left_out():
    X, y = product()
    found = cross_validated_score(LOFERegressor(), X, y, 3, random_state=1, verbose=False)
    cv = KFold(3, shuffle=True, random_state=1)
    predicted = cross_val_predict(LOFERegressor(), X, y, cv=cv)
    means = np.empty(120)
    for train, test in cv.split(X):
        means[test] = y[train].mean()
    expected = 1 - ((y - predicted) ** 2).sum() / ((y - means) ** 2).sum()
    assert found.score == pytest.approx(expected)
    assert (found.measure, found.guessing) == ("R²", 0.0)


def test_a_selector_that_does_not_predict_is_followed_by_neighbors():
    X, y = product()
    good = cross_validated_score(RReliefF(max_features=2), X, y, 3, verbose=False)
    noise = cross_validated_score(RReliefF(max_features=2), X[:, 2:], y, 3, verbose=False)
    assert good.score - 3 * good.standard_error > 0 > noise.score


def test_concordance_and_groups():
    X, y = datasets.make_survival(150, n_irrelevant=5, random_state=0, return_X_y=True)
    groups = np.arange(150) // 2
    found = cross_validated_score(LOFESurvival(alpha=0.3), X, y, 3, groups=groups, verbose=False)
    assert (found.measure, found.guessing) == ("concordance", 0.5)
    assert found.score - 2 * found.standard_error > 0.5


def test_names_of_columns_stand_for_their_values():
    X, y = datasets.make_product(60, n_irrelevant=2, random_state=0, return_X_y=True)
    donor = np.arange(60) // 2
    frame = pd.DataFrame(X).rename(columns=str).assign(dose=y, donor=donor)
    how = {"n_folds": 3, "verbose": False}
    plain = cross_validated_score(LOFERegressor(alpha=0.1), X, y, groups=donor, **how)
    named = cross_validated_score(LOFERegressor(alpha=0.1), frame, "dose", groups="donor", **how)
    assert named == plain
