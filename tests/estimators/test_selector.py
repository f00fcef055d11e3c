"""Every selector: missing and nominal values, and the statistics of its weigher."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer

import hitmiss
from hitmiss import Markers, ReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import UnlikeRows
from hitmiss.data.scaling import Rule
from hitmiss.estimators import frel
from hitmiss.estimators.local_learning import LocalLearning
from hitmiss.estimators.prediction import by_distances
from hitmiss.estimators.selector import Weighed, weighs
from hitmiss.estimators.target_kinds import ForClasses
from hitmiss.registry import methods
from hitmiss.targets.classes import Classes, encode_labels
from hitmiss.weighting.simba import Ascent, linear

MAKERS = {
    "LOFE": lambda: hitmiss.LOFE(),
    "LOFE paper": lambda: hitmiss.LOFE(4.0, solver="paper", max_iter=500),
    "LOFE references": lambda: hitmiss.LOFE(max_references=40),
    "LOFE evidence": lambda: hitmiss.LOFE(alpha="evidence", tol=1e-3),
    "LOFECV": lambda: hitmiss.LOFECV(2.0, 3, cv=2, n_jobs=1),
    "Relief": hitmiss.Relief,
    "ReliefF": hitmiss.ReliefF,
    "ReliefF pairwise": lambda: hitmiss.ReliefF(missing="pairwise"),
    "SURF": hitmiss.SURF,
    "SURFStar": hitmiss.SURFStar,
    "MultiSURF": hitmiss.MultiSURF,
    "MultiSURFStar": hitmiss.MultiSURFStar,
    "IRelief": hitmiss.IRelief,
    "FREL": hitmiss.FREL,
    "FREL energies": lambda: hitmiss.FREL("square"),
    "Lmba": hitmiss.Lmba,
    "Simba": lambda: hitmiss.Simba(n_passes=2, n_restarts=1, random_state=0),
    "FisherScore": hitmiss.FisherScore,
    "KolmogorovSmirnov": hitmiss.KolmogorovSmirnov,
    "Ensemble": lambda: hitmiss.Ensemble(hitmiss.ReliefF(), 3, n_jobs=1, random_state=0),
    "BackwardElimination": lambda: hitmiss.BackwardElimination(n_features=3),
    "TuRF pairwise": lambda: hitmiss.TuRF(hitmiss.ReliefF(missing="pairwise"), 3),
    "FDRSelector": lambda: hitmiss.FDRSelector(hitmiss.ReliefF(), n_permutations=9, random_state=0),
}
# These read more than margins: energies of hits and misses apart, or roots of squares. One
# feature at a time, there are no neighbors and no margins: gaps are left out.
OTHERWISE = ("FREL energies", "Lmba", "Simba")
UNIVARIATE = ("FisherScore", "KolmogorovSmirnov")
SLOW = ("LOFE evidence", "LOFECV", "LOFE paper", "Ensemble", "FDRSelector", "BackwardElimination")
over = pytest.mark.parametrize("name", MAKERS)
over_quick = pytest.mark.parametrize("name", [name for name in MAKERS if name not in SLOW])
over_nominal = pytest.mark.parametrize("name", [name for name in MAKERS if name not in UNIVARIATE])


def small(n_samples=60, seed=0):
    """Two informative features, two of noise, and some values missing."""
    X, y = datasets.make_twonorm(n_samples, n_irrelevant=0, random_state=seed, return_X_y=True)
    X = np.column_stack([X[:, :2] * 3, np.random.default_rng(seed).normal(size=(n_samples, 3))])
    X[np.random.default_rng(seed + 1).random(X.shape) < 0.1] = np.nan
    return X, y


@over
@pytest.mark.filterwarnings("ignore:No feature has a q-value")
def test_what_is_observed_in_two_samples_says_nothing(name):
    X, y = small()
    X[:, 4] = np.nan
    X[[3, 7], 4] = 0.0, 1.0  # their one difference is the mean one
    everywhere = np.column_stack([X, np.full(len(X), np.nan)])
    fitted = MAKERS[name]().fit(everywhere, y)
    largest = np.abs(fitted.weights_).max()
    assert largest > 0
    assert fitted.weights_[5] == 0
    if name not in (*OTHERWISE, *UNIVARIATE):
        assert abs(fitted.weights_[4]) <= 1e-9 * largest
    assert fitted.n_missing_.tolist() == [*np.isnan(X).sum(axis=0), 60]


# Where margins are added up over pairs, the mean difference stands among the misses and, with the
# other sign, among the hits: what is left of their sum is rounding.
ROUNDING = 1e-12
SUMS = ("Relief", "SURF", "Ensemble", "BackwardElimination", "FDRSelector")
NEUTRAL = [name for name in MAKERS if name not in (*OTHERWISE[:2], *UNIVARIATE)]


@pytest.mark.parametrize("feature", [0, 1])
@pytest.mark.parametrize("name", NEUTRAL)
@pytest.mark.filterwarnings("ignore:No feature has a q-value")
def test_samples_that_miss_a_feature_have_no_margin_there(name, feature):
    X, y = small()  # the two features are the informative ones
    X[3:13, feature] = np.nan
    gaps = np.isnan(X[:, feature])
    known, alone = (
        MAKERS[name]().fit(X, y, sample_weight=weight)
        for weight in (np.full(len(y), 100.0), np.where(gaps, 100.0, 0.0))
    )
    exactly = not any(word in name for word in SUMS) or "pairwise" in name
    check_neutral(known, alone, feature, 0 if exactly else ROUNDING)


def check_neutral(known, alone, feature, bound):
    """What is fitted to all samples sees the feature, to samples without a value it does not."""
    assert np.abs(known.weights_[feature]) > 0
    weights = np.abs(alone.weights_)
    assert weights.max() > 0
    assert weights[feature] <= bound * weights.max()
    if hasattr(alone, "scores_") and hasattr(alone, "optimality_gap_"):  # gradients of LOFE
        assert abs(alone.scores_[feature]) <= ROUNDING
        assert abs(known.scores_[feature]) > 0.1


@pytest.mark.parametrize(
    "name", ["LOFERegressor", "LOFESurvival", "RReliefF", "RSURF", "RMultiSURF", "RIRelief"]
)
def test_the_same_of_numbers_and_survival(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = 2 * X[:, 0] + X[:, 1]
    if name == "LOFESurvival":
        y = np.array(list(zip(rng.random(80) < 0.8, np.exp(-y), strict=True)), "?, f8")
    X[5:20, 0] = np.nan
    known, alone = (
        getattr(hitmiss, name)().fit(X, y, sample_weight=weight)
        for weight in (np.full(80, 100.0), np.where(np.isnan(X[:, 0]), 100.0, 0.0))
    )
    check_neutral(known, alone, 0, ROUNDING)


@pytest.mark.parametrize("name", ["FREL", *OTHERWISE[:2]])
def test_energies_of_a_gap_are_the_same_for_hit_and_miss(name, monkeypatch):
    # Squared energies are no function of margins, so that a gap has a part in their gradient, as
    # any feature without a margin has; the margin itself, their difference, is 0. Of several
    # neighbors their shares are rounded.
    kept = []
    found = frel.energy_rows
    monkeypatch.setattr(frel, "energy_rows", lambda *given: kept.append(found(*given)) or kept[0])
    X, y = small()
    MAKERS[name]().fit(X, y)
    rows, n = np.asarray(kept[0]), len(y)
    margins = rows[n:] - rows[:n] if len(rows) == 2 * n else rows
    assert margins.shape == X.shape
    assert np.abs(margins[np.isnan(X)]).max() <= (ROUNDING if name == "Lmba" else 0)
    assert margins[~np.isnan(X)].any()


def test_a_gap_has_no_gradient_in_simba():
    X = np.array([[0.0, np.nan], [1.0, 0.5], [4.0, 1.0], [5.0, np.nan]])
    rows = UnlikeRows(X, Rule(np.array([np.nan, 0.5]), None), Workers(1))
    ascent = Ascent(rows, Classes(np.array([0, 0, 1, 1])), None, linear)
    found = [ascent.gradient(np.ones(2), n)[1] for n in range(4)]
    assert found[0] == found[3] == 0
    assert found[1] != 0


@over_quick
def test_every_word_for_missing_is_the_same(name):
    X, y = small()
    expected = MAKERS[name]().fit(X, y)
    frame = pd.DataFrame(X, columns=list("abcde"))
    objects = X.astype(object)
    objects[np.isnan(X)] = None
    nullable = frame.astype(object).where(~frame.isna(), pd.NA)
    for other in (frame.astype("Float64"), objects, np.ma.masked_invalid(X), nullable):
        fitted = MAKERS[name]().fit(other, y)
        np.testing.assert_array_equal(fitted.weights_, expected.weights_)
        chosen = np.asarray(fitted.transform(other), object)
        known = X[:, fitted.get_support()]
        seen = ~np.isnan(known)
        np.testing.assert_array_equal(chosen[seen].astype(float), known[seen])
        assert pd.isna(chosen[~seen]).all()
        if hasattr(fitted, "predict"):
            np.testing.assert_array_equal(fitted.predict(other), expected.predict(X))


@over_quick
def test_threads_layouts_and_complete_features_change_no_bit(name):
    X, y = small()
    one, two = (MAKERS[name]().set_params(n_jobs=k).fit(X, y).weights_ for k in (1, 2))
    by_columns = MAKERS[name]().fit(np.asfortranarray(X), y).weights_
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one, by_columns)


@over
def test_missing_may_be_an_error(name):
    X, y = small()
    strict = MAKERS[name]()
    names = [n for n in strict.get_params() if n.split("__")[-1] == "missing"]
    if not names:
        strict.set_params(base=hitmiss.IRelief())
        names = ["base__missing"]
    strict.set_params(**dict.fromkeys(names, "error"))
    with pytest.raises(ValueError, match=r"X contains NaN in row \d+, feature 0 \(5 of 5 features"):
        strict.fit(X, y)
    with pytest.raises(ValueError, match=r"X contains inf"):
        MAKERS[name]().fit(np.where(np.isnan(X), np.inf, X), y)


def words(n_samples=80, seed=0):
    """Words and numbers; `tissue` and `dose` tell the classes apart."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_samples)
    tissue = np.where(rng.random(n_samples) < 0.9, np.array(["lung", "skin"])[y], "liver")
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=n_samples),
            "tissue": tissue,
            "dose": rng.normal(size=n_samples) + 3 * y,
            "site": pd.Categorical(rng.choice(["a", "b", "c", "d"], n_samples)),
            "flag": rng.random(n_samples) < 0.5,
        }
    )
    frame.loc[3, "tissue"], frame.loc[4, "site"], frame.loc[5, "dose"] = None, np.nan, np.nan
    return frame, y


@over_nominal
def test_a_table_of_words_and_numbers(name):
    X, y = words()
    fitted = MAKERS[name]().fit(X, y)
    assert len(fitted.weights_) == len(fitted.ranking_) == fitted.n_features_in_ == 5
    assert fitted.feature_names_in_.tolist() == list(X.columns)
    assert fitted.ranking_[0] in (1, 2)
    assert sorted(fitted.categories_) == [1, 3, 4]
    chosen = fitted.set_output(transform="pandas").transform(X)
    pd.testing.assert_frame_equal(chosen, X[list(chosen.columns)])
    codes = X.copy()
    for column in ("tissue", "site"):
        code = {level: 7 * k for k, level in enumerate(codes[column].unique()[::-1])}
        codes[column] = codes[column].map(code)
        codes[column] = codes[column].where(~X[column].isna()).astype(float)
    again = MAKERS[name]()
    names = [n for n in again.get_params() if n.split("__")[-1] == "categorical"]
    if names:  # declared by name, other codes
        again.set_params(**{key: ["tissue", "site", "flag"] for key in names})
        found = again.fit(codes, y).weights_
        np.testing.assert_allclose(found, fitted.weights_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", ["LOFE", "LOFECV", "LOFE references"])
def test_a_level_that_was_never_seen_differs_from_all(name):
    X, y = words()
    model = MAKERS[name]().fit(X, y)
    assert model.score(X, y) > 0.85
    odd = X.assign(tissue="tongue", dose=np.nan)
    D = np.unique(by_distances(model, odd, lambda D: D).round(9))
    # As far from everything as the next one; nearer only to the sample whose tissue is not known.
    assert len(D) <= 2
    assert set(model.predict(odd)) <= {0, 1}


def test_missing_by_class_is_no_evidence():
    rng, y = np.random.default_rng(0), np.arange(200) % 2
    X = rng.normal(size=(200, 6))
    X[:, 0] += y
    X[:, 5] = rng.choice([-1.0, 1.0], 200) + 0.2 * X[:, 5]  # on or off, whatever the class
    X[(y == 1) & (rng.random(200) < 0.3), 5] = np.nan
    filled = SimpleImputer().fit_transform(X)
    ours, imputed = (hitmiss.LOFE(alpha=1.0).fit(values, y) for values in (X, filled))
    assert np.flatnonzero(ours.weights_).tolist() == [0]
    assert np.flatnonzero(imputed.weights_).tolist() == [0, 5]


def test_what_rounding_leaves_of_a_zero_weight_is_not_selected():
    selector = hitmiss.ReliefF()
    selector.n_features_in_ = 4
    found = Weighed(np.array([0.3, 1e-17, -1e-17, 0.0]))
    assert selector._take(found).get_support().tolist() == [True, False, False, False]


def test_of_weights_that_are_equal_but_for_rounding_the_first_is_taken():
    selector = hitmiss.ReliefF(max_features=1)
    for weights in ([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]):
        selector.n_features_in_ = 2
        assert selector._take(Weighed(np.array(weights))).ranking_.tolist() == [0, 1]
        assert selector.get_support().tolist() == [True, False]


@pytest.mark.parametrize("method", methods().values(), ids=lambda method: method.name)
def test_at_most_three_classes_are_above_an_estimator(method):
    above = [each for each in method.estimator.__mro__[1:] if each.__module__.startswith("hitmiss")]
    assert len(above) <= 3


QUICK = {"random_state": 0, "sigmas": 2.0, "alphas": 3, "cv": 2, "n_passes": 2, "n_restarts": 1}


class ByFirstLetters(ForClasses):
    """Labels that differ by their last letter are alike."""

    def target(self, y):
        return encode_labels(np.array([label[:-1] for label in y]))


class Paired(ReliefF):
    """A method whose target is its own."""

    _kind = ByFirstLetters()


def test_an_estimator_names_the_target_that_it_makes_of_y():
    X, y = datasets.make_twonorm(60, n_irrelevant=5, random_state=0, return_X_y=True)
    kinds = np.array(["well", "ill"])[y]
    finer = [f"{kind}{n % 3}" for n, kind in enumerate(kinds)]
    found = Paired(5).fit(X, finer)
    assert found.classes_.tolist() == ["ill", "well"]
    np.testing.assert_array_equal(found.weights_, ReliefF(5).fit(X, kinds).weights_)
    assert (ReliefF(5).fit(X, finer).weights_ != found.weights_).any()


def weighers():
    """One of every method whose statistic is its weight."""
    for method in methods().values():
        settings = QUICK.keys() & method.parameters.keys()
        estimator = method.estimator(**{name: QUICK[name] for name in settings})
        if weighs(estimator) and not isinstance(estimator, Markers):
            weigher = estimator._weigher()
            if not isinstance(weigher, LocalLearning):  # whose statistic is no weight
                yield estimator


@pytest.mark.parametrize("estimator", list(weighers()), ids=lambda item: type(item).__name__)
@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_the_statistic_of_labels_is_the_weight_under_them(estimator):
    X, y = datasets.make_clusters(45, n_irrelevant=4, random_state=0, return_X_y=True)
    if estimator.explains == "numbers":
        y = X[:, 0] + X[:, 1]
    orders = [np.arange(45), np.random.default_rng(0).permutation(45)]
    found = estimator.opened(X, y).statistics(orders, None)
    for order, statistic in zip(orders, found, strict=True):
        expected = clone(estimator).fit(X, y[order]).weights_
        np.testing.assert_array_equal(statistic.values, expected)
