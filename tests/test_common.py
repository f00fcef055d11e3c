"""The common checks: what every public estimator promises, whatever its method.

`make test` checks one estimator of each base, `make test-rest` the others. What all of them share,
as the validation of data, is checked through one of each base alone: it is the same code.
"""

import inspect
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

import hitmiss
from hitmiss import datasets

# Estimators that need arguments, or take long without: public name -> a function that makes one.
FACTORIES = {
    "FDRSelector": lambda: hitmiss.FDRSelector(hitmiss.ReliefF(), n_permutations=9),
    "LOFECV": lambda: hitmiss.LOFECV(2.0, 3, cv=2, n_jobs=1),
    "Markers": lambda: hitmiss.Markers(hitmiss.ReliefF()),
    "OnlineLOFE": lambda: hitmiss.OnlineLOFE(n_passes=3),
}

# One of each base: of what weighs by neighbors, soft, hard or energies, of streams, of single
# features, and of what wraps others.
OF_EACH_BASE = {
    *("LOFE", "LOFERegressor", "ReliefF", "FREL", "OnlineLOFE"),
    *("FisherScore", "Ensemble", "FDRSelector"),
}


def of_each_base(items):
    """One of each base among the estimators."""
    return [item for item in items if type(item).__name__ in OF_EACH_BASE]


def of_no_new_base(items):
    """The others."""
    return [item for item in items if type(item).__name__ not in OF_EACH_BASE]


def estimators():
    """One of every public estimator of classes."""
    return [item for item in public_estimators() if item.explains == "classes"]


def of_numbers():
    """One of every public estimator of numbers."""
    return [item for item in public_estimators() if item.explains == "numbers"]


def public_estimators():
    """One of every public estimator; those of survival are tested where they are."""
    public = {name: getattr(hitmiss, name) for name in hitmiss._LAZY}
    classes = {
        name: item
        for name, item in public.items()
        if inspect.isclass(item) and issubclass(item, BaseEstimator)
    }
    return [repeatable(FACTORIES.get(name, item)()) for name, item in classes.items()]


def repeatable(estimator):
    return estimator.set_params(**{k: 0 for k in estimator.get_params() if k == "random_state"})


def those_with(*parameters):
    return [item for item in estimators() if set(parameters) <= item.get_params().keys()]


def selecting(estimator, k):
    """A copy that selects k features."""
    names = {"max_features", "n_features"} & estimator.get_params().keys()
    return clone(estimator).set_params(**{names.pop(): k})


def strict(estimator):
    """A copy that takes nothing but numbers, all of which are there."""
    copy = clone(estimator)
    if "base" in copy.get_params() and copy.base is None:
        copy.set_params(base=copy._base())
    none = {"missing": "error", "categorical": None}
    last = {name: name.split("__")[-1] for name in copy.get_params()}
    return copy.set_params(**{name: none[end] for name, end in last.items() if end in none})


def expected_failures(estimator):
    """Check -> why this estimator cannot pass it."""
    keeps_all = type(estimator).__name__ == "BackwardElimination"  # of so few features
    if keeps_all or not has_fit_parameter(estimator, "sample_weight"):
        return {}
    reason = "a repeated sample is its own nearest hit, a weighted one is not"
    kinds = ("dense", "sparse") if estimator.__sklearn_tags__().input_tags.sparse else ("dense",)
    found = {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}
    if is_classifier(estimator):
        reason = "weights of classes are those of the loss; predictions know no frequencies"
        found["check_class_weight_classifiers"] = reason
    return found


def parameters(estimator):
    """All parameters, as text: estimators among them are not equal to their copies."""
    return {name: repr(value) for name, value in estimator.get_params().items()}


def classifiers():
    return [estimator for estimator in estimators() if is_classifier(estimator)]


def over(items):
    names = [type(item).__name__ for item in items]
    each = [
        pytest.param(item, marks=() if name in OF_EACH_BASE else pytest.mark.full, id=name)
        for item, name in zip(items, names, strict=True)
    ]
    return pytest.mark.parametrize("estimator", each)


@pytest.fixture(scope="module", autouse=True)
def one_blas_thread():
    with threadpool_limits(1, user_api="blas"):
        yield


def small():
    """Three classes, 60 samples; features 0 and 1 are relevant, three are not."""
    return datasets.make_clusters(60, n_irrelevant=3, random_state=0, return_X_y=True)


def fitted_state(estimator):
    """Everything `fit` has set, each as bytes."""
    items = vars(estimator).items()
    return {name: pickle.dumps(value) for name, value in items if name not in PARAMETERS}


PARAMETERS = {name for estimator in estimators() for name in estimator.get_params()}


def outputs(estimator, X):
    """What a fitted estimator says of X, by method."""
    methods = ("transform", "predict", "predict_proba", "decision_function", "margins")
    return {name: getattr(estimator, name)(X) for name in methods if hasattr(estimator, name)}


def scikit_learn_checks(items):
    """Every check of scikit-learn's for each of the estimators."""
    warned = (
        "ignore:All weights are zero",
        "ignore:No features were selected",
        "ignore:No feature has a q-value",
        "ignore:Labels can be exchanged",
        "ignore:No feature marks",
    )

    def checked(test):
        checks = parametrize_with_checks(items, expected_failed_checks=expected_failures)
        return pytest.mark.filterwarnings(*warned)(checks(test))

    return checked


@scikit_learn_checks(of_each_base([*estimators(), *of_numbers()]))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.full
@scikit_learn_checks(of_no_new_base([*estimators(), *of_numbers()]))
def test_scikit_learn_checks_of_the_others(estimator, check):
    check(estimator)


@over(estimators())
def test_in_a_pipeline(estimator):
    X, y = small()
    names = np.array([f"gene{j}" for j in range(5)])
    pipeline = make_pipeline(StandardScaler(), selecting(estimator, 2), KNeighborsClassifier(3))
    pipeline.fit(X, y)
    chosen = pipeline[1].get_support()
    assert chosen.sum() == 2
    np.testing.assert_array_equal(pipeline[:-1].get_feature_names_out(names), names[chosen])
    expected = KNeighborsClassifier(3).fit(StandardScaler().fit_transform(X)[:, chosen], y)
    assert pipeline.score(X, y) == expected.score(StandardScaler().fit_transform(X)[:, chosen], y)


@over(estimators())
def test_in_a_grid_search(estimator):
    X, y = small()
    pipeline = Pipeline([("selector", estimator), ("classifier", KNeighborsClassifier(3))])
    choices = [selecting(estimator, k) for k in (1, 3)]
    search = GridSearchCV(pipeline, {"selector": choices}, cv=3, error_score="raise").fit(X, y)
    assert search.cv_results_["mean_test_score"].max() == search.best_score_ > 0.5
    assert search.best_estimator_[0].get_support().sum() in (1, 3)


@over(classifiers())
def test_a_classifier_in_a_grid_search_by_itself(estimator):
    X, y = small()
    search = GridSearchCV(clone(estimator), {"scale": ["range", None]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.85


@pytest.mark.parametrize(("library", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
@over(estimators())
def test_frames_in_and_out(estimator, library, frame):
    X, y = small()
    names = [f"gene{j}" for j in range(5)]
    table = frame({name: X[:, j] for j, name in enumerate(names)})
    plain = selecting(estimator, 2).fit(X, y)
    selector = selecting(estimator, 2).set_output(transform=library).fit(table, y)
    np.testing.assert_array_equal(selector.feature_names_in_, names)
    np.testing.assert_array_equal(selector.weights_, plain.weights_)
    out = selector.transform(table)
    assert isinstance(out, frame)
    assert list(out.columns) == list(np.array(names)[plain.get_support()])
    np.testing.assert_array_equal(out.to_numpy(), plain.transform(X))
    for name, value in outputs(plain, X).items():
        np.testing.assert_array_equal(outputs(selector, table)[name], value)


@over(estimators())
def test_labels_as_a_series_of_strings(estimator):
    X, y = small()
    labels = np.array(["healthy", "ill", "worse"])[y]
    expected = clone(estimator).fit(X, y).weights_
    for series in (pd.Series(labels), pd.Series(labels, dtype="category"), labels.tolist()):
        fitted = clone(estimator).fit(X, series)
        np.testing.assert_array_equal(fitted.weights_, expected)
        np.testing.assert_array_equal(fitted.classes_, ["healthy", "ill", "worse"])


@over(estimators())
def test_clone_keeps_the_parameters_and_nothing_else(estimator):
    X, y = small()
    params = parameters(estimator)
    fitted = clone(estimator).fit(X, y)
    assert parameters(fitted) == params
    twin = clone(fitted)
    assert parameters(twin) == params
    assert not [name for name in vars(twin) if name not in params]


@over(estimators())
def test_a_pickled_copy_says_the_same(estimator):
    X, y = small()
    fitted = selecting(estimator, 2).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    assert parameters(copy) == parameters(fitted)
    for name, value in outputs(fitted, X).items():
        np.testing.assert_array_equal(outputs(copy, X)[name], value)
    np.testing.assert_array_equal(copy.fit(X, y).weights_, fitted.weights_)


@over(estimators())
def test_shared_attributes(estimator):
    X, y = small()
    fitted = clone(estimator).fit(X, y)
    assert fitted.n_features_in_ == fitted.weights_.size == 5
    np.testing.assert_array_equal(fitted.classes_, [0, 1, 2])
    largest = max(fitted.weights_.max(), 0) or 1  # of SURF* all may be negative
    np.testing.assert_allclose(fitted.feature_importances_ * largest, fitted.weights_)
    np.testing.assert_array_equal(np.sort(fitted.ranking_), range(5))
    followed = fitted.weights_
    if getattr(fitted, "order", None) == "both":  # by their part of the mean margin
        followed = followed * np.maximum(fitted.mean_margins_, 0)
    assert np.all(np.diff(followed[fitted.ranking_]) <= 0)


@over(those_with("n_jobs"))
def test_the_number_of_threads_changes_no_bit(estimator):
    X, y = datasets.make_clusters(120, n_irrelevant=500, random_state=0, return_X_y=True)
    one, two = (clone(estimator).set_params(n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.weights_, two.weights_)


def with_value(value, row=7, column=2):
    X, _ = small()
    X[row, column] = value
    return X


# What is wrong -> X, y and what the error says.
BAD = {
    "NaN": lambda X, y: (with_value(np.nan), y, "NaN in row 7, feature 2"),
    "inf": lambda X, y: (with_value(np.inf), y, r"inf.* in row 7, feature 2"),
    "minus inf": lambda X, y: (with_value(-np.inf), y, r"inf.* in row 7, feature 2"),
    "NaN in single precision": lambda X, y: (
        with_value(np.nan).astype("f4"),
        y,
        "row 7, feature 2",
    ),
    "NaN in a named column": lambda X, y: (
        pd.DataFrame(with_value(np.nan), columns=list("abcde")),
        y,
        "NaN in row 7, feature 'c'",
    ),
    "one class": lambda X, y: (X, np.zeros(60), "1 class.* at least 2 classes"),
    "no class with two samples": lambda X, y: (X[:3], y[:3], "No class has two samples"),
    "no samples": lambda X, y: (X[:0], y[:0], r"0 sample\(s\)"),
    "one sample": lambda X, y: (X[:1], y[:1], r"1 sample"),
    "no features": lambda X, y: (X[:, :0], y, r"0 feature\(s\)"),
    "one dimension": lambda X, y: (X[:, 0], y, "2D array"),
    "three dimensions": lambda X, y: (X[:, :, None], y, "dim 3"),
    "mismatched lengths": lambda X, y: (X, y[:-1], r"inconsistent.*60, 59"),
    "no labels": lambda X, y: (X, None, "requires y"),
    "NaN among the labels": lambda X, y: (
        X,
        np.r_[np.nan, y[1:]],
        "y holds no label in row 0",
    ),
    "measurements as labels": lambda X, y: (X, X[:, 0], "continuous"),
    "labels in two columns": lambda X, y: (X, np.c_[y, y], "1d array"),
    "strings": lambda X, y: (np.full((60, 2), "low"), y, "not a number"),
    "strings among objects": lambda X, y: (with_object("low"), y, "not a number"),
    "complex numbers": lambda X, y: (X + 1j, y, "Complex"),
}


def with_object(value):
    X = small()[0].astype(object)
    X[7, 2] = value
    return X


@pytest.mark.filterwarnings("ignore:The number of unique classes")  # scikit-learn's own hint
@pytest.mark.parametrize("case", BAD)
@over(of_each_base(estimators()))
def test_bad_data_are_refused_in_a_sentence(estimator, case):
    X, y, message = BAD[case](*small())
    with pytest.raises((ValueError, TypeError), match=message):
        strict(estimator).fit(X, y)


@over(estimators())
def test_a_sparse_matrix_is_fitted_as_it_is_or_refused_in_a_sentence(estimator):
    X, y = small()
    if estimator.__sklearn_tags__().input_tags.sparse:
        sparse = clone(estimator).fit(scipy.sparse.csr_array(X), y)
        np.testing.assert_array_equal(sparse.weights_, clone(estimator).fit(X, y).weights_)
    else:
        with pytest.raises(TypeError, match="dense"):
            clone(estimator).fit(scipy.sparse.csr_array(X), y)


REFUSED_EARLY_AND_LATE = ["NaN", "one class", "mismatched lengths", "complex numbers"]


@pytest.mark.parametrize("case", REFUSED_EARLY_AND_LATE)
@over(of_each_base(estimators()))
def test_a_fit_that_fails_leaves_nothing_half_done(estimator, case):
    X, y, _ = BAD[case](*small())
    fresh = strict(estimator)
    with pytest.raises(ValueError):  # noqa: PT011
        fresh.fit(X, y)
    with pytest.raises(NotFittedError):
        fresh.transform(small()[0])


@pytest.mark.parametrize("case", REFUSED_EARLY_AND_LATE)
@over(of_each_base(estimators()))
def test_a_refit_that_fails_leaves_the_fitted_estimator_as_it_was(estimator, case):
    good, labels = small()
    X, y, message = BAD[case](good, labels)
    fitted = selecting(strict(estimator), 2).fit(good[:, :4], labels - 1)
    state, before = fitted_state(fitted), outputs(fitted, good[:, :4])
    with pytest.raises(ValueError, match=message):
        fitted.fit(X, y)
    after = fitted_state(fitted)
    assert not [name for name in state | after if state.get(name) != after.get(name)]
    for name, value in before.items():
        np.testing.assert_array_equal(outputs(fitted, good[:, :4])[name], value)


@over(those_with("max_features"))
def test_a_parameter_that_is_wrong_leaves_nothing_half_done(estimator):
    X, y = small()
    bad = clone(estimator).set_params(max_features=6)
    with pytest.raises(ValueError, match="max_features=6 is more than the 5 features"):
        bad.fit(X, y)
    with pytest.raises(NotFittedError):
        bad.transform(X)


WRONG = {
    "sigma": [-1, 0, np.nan],
    "alpha": [-1, 0, np.nan],
    "tol": [-1, 0],
    "max_iter": [0, -1, 1.5],
    "max_features": [0, -1, 2.5],
    "threshold": [-0.1, "mean"],
    "scale": ["unit", 1],
    "n_jobs": [0],
    "memory": ["much", 0, -1, 2.5],
}


@pytest.mark.parametrize(("parameter", "value"), [(p, v) for p in WRONG for v in WRONG[p]])
def test_wrong_parameters_are_named(parameter, value):
    X, y = small()
    for estimator in of_each_base(those_with(parameter)):
        wrong = clone(estimator).set_params(**{parameter: value})
        with pytest.raises(ValueError, match=parameter):
            wrong.fit(X, y)


@over([each for each in estimators() if type(each).__name__ != "Markers"])  # which refuses it
def test_a_class_with_one_sample_is_left_out_with_a_warning(estimator):
    X, y = small()
    with pytest.warns(UserWarning, match=r"Class 9 has a single sample"):
        fitted = clone(estimator).fit(X, np.r_[9, y[1:]])
    assert np.isfinite(fitted.weights_).all()
    np.testing.assert_array_equal(np.sort(fitted.ranking_), range(5))


@over(of_each_base(estimators()))
def test_a_frame_of_sparse_columns_is_refused_with_a_cure(estimator):
    X, y = small()
    frame = pd.DataFrame(X).astype(pd.SparseDtype(float, 0.0))
    with pytest.raises(TypeError, match=r"pass X\.sparse\.to_dense\(\), or X\.sparse\.to_coo\(\)"):
        clone(estimator).fit(frame, y)


@over(estimators())
def test_one_feature(estimator):
    X, y = small()
    fitted = clone(estimator).fit(X[:, :1], y)
    assert fitted.weights_.shape == (1,)
    assert np.isfinite(fitted.weights_).all()
    assert selecting(estimator, 1).fit_transform(X[:, :1], y).shape == (60, 1)


@pytest.mark.parametrize("scale", ["range", None])
@over(those_with("scale"))
def test_constant_features_weigh_nothing(estimator, scale):
    X, y = small()
    X = np.insert(X, [0, 3], [7.0, 0.0], axis=1)
    weights = clone(estimator).set_params(scale=scale).fit(X, y).weights_
    np.testing.assert_allclose(weights[[0, 4]], 0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:All weights are zero", "ignore:No feature has a q-value")
@pytest.mark.filterwarnings("ignore:No feature marks classes")
@pytest.mark.parametrize("value", [0.0, 1.0, -1e300])
@over(estimators())
def test_nothing_but_constant_features(estimator, value):
    X, y = np.full((60, 3), value), small()[1]
    fitted = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(fitted.weights_, 0)
    np.testing.assert_array_equal(np.sort(fitted.ranking_), range(3))


@pytest.mark.filterwarnings("ignore:All weights are zero")
@over(estimators())
def test_duplicate_rows_across_classes(estimator):
    X, y = small()
    for n in (10, 60):
        twice, labels = np.vstack([X, X[:n]]), np.r_[y, (y[:n] + 1) % 3]
        assert np.isfinite(clone(estimator).fit(twice, labels).weights_).all()


@over(estimators())
def test_duplicate_rows_within_classes(estimator):
    X, y = small()
    weights = clone(estimator).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2)).weights_
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("factor", [1e300, 1e-300, [1e300, 1e-300, 1, 1e-300, 1e300]])
@over(those_with("scale"))
def test_extreme_values_do_not_matter_when_scaled(estimator, factor):
    X, y = small()
    expected = clone(estimator).fit(X, y)
    fitted = clone(estimator).fit(X * factor, y)
    np.testing.assert_allclose(fitted.weights_, expected.weights_, rtol=1e-4, atol=1e-6)
    if is_classifier(fitted):
        np.testing.assert_array_equal(fitted.predict(X * factor), expected.predict(X))


@pytest.mark.filterwarnings("ignore:All weights are zero", "ignore:IRelief did not converge")
@pytest.mark.parametrize("factor", [1e300, 1e-300, 1e307])
@over(those_with("scale"))
def test_extreme_raw_values_get_an_answer_or_one_sentence(estimator, factor):
    X, y = small()
    raw, message = clone(estimator).set_params(scale=None), ""
    try:
        assert np.isfinite(raw.fit(X * factor, y).weights_).all()
    except ValueError as error:
        message = str(error)
    assert re.search("^$|overflow.*scale='range'", message)


@over(classifiers())
def test_bad_data_are_refused_by_predict(estimator):
    X, y = small()
    fitted = strict(estimator).fit(X, y)
    with pytest.raises(ValueError, match=r"4 features, but .* is expecting 5"):
        fitted.predict(X[:, :4])
    with pytest.raises(ValueError, match="NaN"):
        fitted.predict(with_value(np.nan))
    with pytest.raises(NotFittedError):
        clone(estimator).predict(X)


def verbose_ones():
    return [item for item in public_estimators() if "verbose" in item.get_params()]


@over(verbose_ones())
def test_a_verbose_fit_shows_its_progress_and_a_quiet_one_nothing(estimator, capsys, monkeypatch):
    monkeypatch.setattr("hitmiss._util.progress.CLOCK_AFTER", 0.0)
    X, y = data_for(estimator)
    clone(estimator).set_params(verbose=True).fit(X, y)
    assert " s\n" in capsys.readouterr().err
    clone(estimator).fit(X, y)
    assert capsys.readouterr().err == ""


def test_every_estimator_can_show_its_progress():
    assert len(verbose_ones()) == len(public_estimators())


# Estimators that do not say beforehand how long a fit may take -> why.
WITHOUT_ESTIMATE = {
    "Ensemble": "a bar of its members has the time left",
    "FDRSelector": "a bar of permutations, decoys or subsamples has the time left",
    "FisherScore": "compares no pairs: time is that of reading the data",
    "KolmogorovSmirnov": "compares no pairs: time is that of sorting every feature",
    "LOFECV": "a bar of the folds has the time left",
    "Markers": "a bar of the classes has the time left",
    "OnlineIRelief": "a bar of each pass has the time left; compares with its memory only",
    "OnlineLOFE": "a bar of each pass has the time left; compares with its memory only",
}


@over([each for each in verbose_ones() if type(each).__name__ not in WITHOUT_ESTIMATE])
def test_a_long_fit_says_beforehand_how_long_it_may_take(estimator, capsys, monkeypatch):
    monkeypatch.setattr("hitmiss._util.progress.LONG", 0.0)
    X, y = data_for(estimator)
    clone(estimator).set_params(verbose=True).fit(X, y)
    name, size = type(estimator).__name__, f"{len(X)} samples and {X.shape[1]} features"
    assert capsys.readouterr().err.startswith(f"{name}: {size}, usually ")


def test_only_those_with_a_reason_give_no_estimate():
    silent = {
        type(estimator).__name__
        for estimator in public_estimators()
        if getattr(estimator, "_pair_nanoseconds", None) is None
    }
    assert silent == WITHOUT_ESTIMATE.keys()


def data_for(estimator):
    """Samples, and what the estimator explains."""
    return {"classes": small, "numbers": numbers, "survival": times}[estimator.explains]()


def times():
    """Censored times that go with two features of four, 60 samples."""
    return datasets.make_survival(60, n_irrelevant=2, random_state=0, return_X_y=True)


def numbers():
    """A product of two features among five, 120 samples."""
    return datasets.make_product(120, n_irrelevant=3, random_state=0, return_X_y=True)


@over(of_numbers())
def test_a_selector_of_numbers_in_a_grid_search(estimator):
    X, y = numbers()
    pipeline = Pipeline([("selector", estimator), ("regressor", KNeighborsRegressor(3))])
    choices = [selecting(estimator, k) for k in (2, 5)]
    search = GridSearchCV(pipeline, {"selector": choices}, cv=3, error_score="raise").fit(X, y)
    assert search.best_estimator_[0].get_support(indices=True).tolist() == [0, 1]


@pytest.mark.parametrize(("library", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
@over(of_numbers())
def test_frames_and_series_of_numbers(estimator, library, frame):
    X, y = numbers()
    table = frame({f"gene{j}": X[:, j] for j in range(5)})
    plain = selecting(estimator, 2).fit(X, y)
    selector = selecting(estimator, 2).set_output(transform=library).fit(table, pd.Series(y))
    np.testing.assert_array_equal(selector.weights_, plain.weights_)
    for name, value in outputs(plain, X).items():
        np.testing.assert_array_equal(outputs(selector, table)[name], value)


@over(of_numbers())
def test_numbers_copies_threads_and_storage_change_no_bit(estimator):
    X, y = numbers()
    fitted = clone(estimator).set_params(n_jobs=1).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted)).set_params(n_jobs=2)
    for name, value in outputs(fitted, X).items():
        np.testing.assert_array_equal(outputs(again, X)[name], value)
    for given in (X, scipy.sparse.csr_array(X), np.asfortranarray(X)):
        np.testing.assert_array_equal(again.fit(given, y).weights_, fitted.weights_)


BAD_NUMBERS = {
    "constant": (lambda y: np.ones(120), "y is 1 for all samples"),
    "NaN": (lambda y: np.r_[np.nan, y[1:]], "y contains NaN in row 0"),
    "infinity": (lambda y: np.r_[y[1:], np.inf], "y contains infinity in row 119"),
    "words": (lambda y: np.repeat(["ill", "well"], 60), "y must hold numbers"),
    "two columns": (lambda y: np.c_[y, y], "1d array"),
    "mismatched lengths": (lambda y: y[:-1], r"inconsistent.*120, 119"),
    "no numbers": (lambda y: None, "requires y"),
}


@pytest.mark.parametrize("case", BAD_NUMBERS)
@over(of_each_base(of_numbers()))
def test_bad_numbers_are_refused_and_leave_nothing_half_done(estimator, case):
    X, y = numbers()
    make, message = BAD_NUMBERS[case]
    fresh = clone(estimator)
    with pytest.raises(ValueError, match=message):
        fresh.fit(X, make(y))
    with pytest.raises(NotFittedError):
        fresh.transform(X)
