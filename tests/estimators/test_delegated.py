import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hitmiss import (
    BackwardElimination,
    Ensemble,
    FDRSelector,
    FisherScore,
    LOFERegressor,
    LOFESurvival,
    Markers,
    ReliefF,
    RReliefF,
    TuRF,
    datasets,
    report,
)
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
    same, table = with_numbers(forest, X)
    assert same is forest
    assert table is X


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


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (None, "classes"),
        (ReliefF(), "classes"),
        (LOFERegressor(), "numbers"),
        (TuRF(RReliefF()), "numbers"),
        (LOFESurvival(), "survival"),
    ],
)
def test_what_is_explained_is_what_the_base_explains(base, expected):
    for around in (FDRSelector, Ensemble, BackwardElimination, TuRF):
        assert around(base).explains == expected


def test_estimators_of_others_explain_numbers_if_they_are_regressors():
    scaled = make_pipeline(StandardScaler(), Lasso())
    for base, expected in {
        Lasso(): "numbers",
        scaled: "numbers",
        LogisticRegression(): "classes",
    }.items():
        assert FDRSelector(base).explains == Ensemble(base).explains == expected


AROUND = {
    "TuRF": lambda base: TuRF(base, 2),
    "BackwardElimination": lambda base: BackwardElimination(base, 2),
    "Ensemble": lambda base: Ensemble(base, 3, random_state=0, max_features=2),
    "FDRSelector": lambda base: FDRSelector(base, max_features=2, random_state=0),
}


@pytest.mark.full
@pytest.mark.parametrize("kind", [float, int])
@pytest.mark.parametrize("base", [RReliefF(), LOFERegressor()], ids=["RReliefF", "LOFERegressor"])
@pytest.mark.parametrize("around", AROUND)
def test_numbers_around_a_base_of_numbers(around, base, kind):
    X, y = datasets.make_additive(80, n_irrelevant=4, random_state=0, return_X_y=True)
    y = (20 * (y - y.mean()) / y.std()).astype(kind)
    found = AROUND[around](base).fit(X, y)
    assert set(found.get_support(indices=True)) == set(base.fit(X, y).ranking_[:2])
    assert not hasattr(found, "classes_")
    with pytest.raises(ValueError, match="y must hold numbers, and it holds 'a'"):
        AROUND[around](base).fit(X, ["a", "b"] * 40)


@pytest.mark.parametrize("around", ["Ensemble", "FDRSelector"])
def test_numbers_around_a_regressor_of_others(around):
    X, y = datasets.make_additive(80, n_irrelevant=4, random_state=0, return_X_y=True)
    found = AROUND[around](Lasso(0.01)).fit(X, y)
    assert found.weights_.shape == (X.shape[1],)
    assert set(found.ranking_[:1]) == {int(np.abs(Lasso(0.01).fit(X, y).coef_).argmax())}


def test_survival_around_a_base_of_survival():
    X, y = datasets.make_survival(60, n_irrelevant=3, random_state=0, return_X_y=True)
    for around in ("BackwardElimination", "Ensemble"):
        found = AROUND[around](LOFESurvival(alpha=0.3)).fit(X, y)
        assert found.get_support().sum() == 2


def test_a_report_of_numbers_around_a_base():
    X, y = datasets.make_additive(60, n_irrelevant=2, random_state=0, return_X_y=True)
    selector = FDRSelector(RReliefF(), random_state=0, max_features=2).fit(X, y)
    columns = report.summarize(selector, X, y)["table"]["columns"]
    assert "Rank correlation" in [column["label"] for column in columns]


@pytest.mark.parametrize(
    "around",
    [
        FDRSelector(TuRF(ReliefF(missing="pairwise"), 2), n_permutations=9, random_state=0),
        Ensemble(TuRF(ReliefF(missing="pairwise"), 2), 2, random_state=0),
        BackwardElimination(TuRF(ReliefF(missing="pairwise"), 2), 2),
        Markers(TuRF(ReliefF(missing="pairwise"), 2)),
    ],
    ids=lambda item: type(item).__name__,
)
def test_a_rule_of_missing_values_reaches_through_two_wrappers(around):
    X, y = datasets.make_twonorm(40, n_irrelevant=0, random_state=0, return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    assert around.fit(X, y).n_missing_.tolist() == np.isnan(X).sum(axis=0).tolist()
