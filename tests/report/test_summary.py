import inspect
import json
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, SelectKBest

import hitmiss
from hitmiss import LOFE, Ensemble, FisherScore, LOFERegressor, ReliefF, datasets
from hitmiss.metrics import Score, stability_report
from hitmiss.report import render, summarize

CLASSES = [getattr(hitmiss, name) for name in hitmiss._LAZY]
EVERY = [c for c in CLASSES if inspect.isclass(c) and issubclass(c, BaseEstimator)]
SELECTORS = [c for c in EVERY if c().explains == "classes"]

QUICK = {"LOFECV": {"sigmas": 2.0, "alphas": 3, "cv": 2}}


def small(n_irrelevant=3):
    """Three classes, 60 samples; features 0 and 1 are relevant."""
    return datasets.make_clusters(60, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def without_versions(summary):
    return {key: value for key, value in summary.items() if key != "versions"}


@pytest.mark.parametrize("kind", SELECTORS)
def test_every_selector_has_a_summary_and_a_report(kind):
    X, y = small()
    estimator = kind(**QUICK.get(kind.__name__, {}))
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    summary = summarize(estimator.fit(X, y), X, y)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["found"]["n_selected"] == estimator.get_support().sum()
    names = summary["table"]["columns"][0]["values"]
    assert names == [f"x{j}" for j in estimator.ranking_]
    assert f"<h1>Features selected by {kind.__name__}</h1>" in render(summary)


def test_selectors_of_scikit_learn_have_one_too():
    X, y = small()
    selector = SelectKBest(k=2).fit(X, y)
    summary = summarize(selector, X, y)
    best = np.argsort(-selector.scores_)
    assert summary["found"]["selected"] == [f"x{j}" for j in best[:2]]
    assert "SelectKBest" in render(summary)


def test_what_a_certified_fit_says():
    X, y = small()
    lofe = LOFE().fit(X, y)
    summary = summarize(lofe, X, y, method="lofe", seconds=1.5)
    assert summary["certainty"] == {
        "optimality_gap": lofe.optimality_gap_,
        "converged": True,
        "n_iter": lofe.n_iter_,
        "objective": lofe.objective_,
        "loo_error": lofe.loo_error_,
        "guessing_error": pytest.approx(2 / 3),
        "loo_score": None,
        "measure": "error",
        "cross_validation": None,
        "stability": None,
        "test": None,
        "attribution": None,
    }
    assert summary["asked"]["classes"] == [{"label": str(k), "n_samples": 20} for k in range(3)]
    assert {"name": "alpha", "value": "'auto'", "default": True} in summary["asked"]["parameters"]
    counts = np.sum([row["n"] for row in summary["figures"]["margins"]["counts"]], axis=1)
    assert counts.tolist() == [20, 20, 20]
    html = render(summary)
    assert "The weights are exact over all features (optimality gap " in html
    assert "That does not say that the features are the true ones." in html
    assert "This is too low: the features were chosen with the same samples." in html
    assert "Always guessing the largest class errs in 66.7%." in html
    assert "The error on new samples was not measured." in html
    assert "selected, in 1.5 seconds." in html


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (0.2, "Always guessing the largest class errs in 66.7%. The features were"),
        (0.6, "Not clearly better than always guessing the largest class: 66.7%. The features"),
        (0.8, "Not clearly better than always guessing the largest class: 66.7%. The features"),
    ],
)
def test_a_cross_validated_error_is_judged(error, sentence):
    X, y = small()
    found = summarize(ReliefF().fit(X, y), X, y, cross_validation={"error": error, "n_folds": 4})
    html = render(found)
    assert f'<p class="value">{error:.1%}</p>' in html
    assert sentence in html
    assert "selected anew in each of 4 folds." in html


def test_changed_parameters_are_no_defaults():
    X, y = small()
    rows = summarize(ReliefF(n_neighbors=5).fit(X, y), X, y)["asked"]["parameters"]
    changed = [row["name"] for row in rows if not row["default"]]
    assert changed == ["n_neighbors"]


def test_samples_on_the_wrong_side_are_named():
    X, y = small()
    y[7] = (y[7] + 1) % 3
    names = [f"patient {n}" for n in range(60)]
    summary = summarize(LOFE().fit(X, y), X, y, sample_names=names)
    closest = summary["figures"]["margins"]["closest"][0]
    assert (closest["sample"], closest["label"]) == ("patient 7", str(y[7]))
    assert closest["margin"] < 0
    assert f"<bdi>patient 7 ({y[7]})</bdi>" in render(summary)


@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_all_zero_weights():
    X, y = small()
    summary = summarize(LOFE(alpha=1e6).fit(X, y), X, y)
    assert (summary["found"]["n_selected"], summary["found"]["selected"]) == (0, [])
    assert summary["figures"]["largest"] is None
    assert "<strong>0 of 5 features</strong>" in render(summary)


def test_one_feature():
    X, y = small()
    summary = summarize(LOFE().fit(X[:, :1], y), X[:, :1], y)
    assert summary["found"]["selected"] == ["x0"]
    render(summary)


@pytest.mark.parametrize("kind", [pd.DataFrame, scipy.sparse.csr_array, np.ndarray.tolist])
def test_frames_sparse_matrices_and_lists_are_read_like_arrays(kind):
    X, y = small()
    lofe = LOFE().fit(X, y)
    expected = without_versions(summarize(lofe, X, y))
    assert without_versions(summarize(lofe, kind(X), y)) == expected


def test_names_seen_in_fit_are_used():
    X, y = small()
    frame = pd.DataFrame(X, columns=["p", "q", "r", "s", "t"])
    summary = summarize(FisherScore().fit(frame, y), frame, y)
    assert sorted(summary["table"]["columns"][0]["values"]) == ["p", "q", "r", "s", "t"]


def test_stability_in_all_the_forms_it_may_have():
    X, y = small()
    estimator = ReliefF(max_features=2).fit(X, y)
    report = stability_report(estimator, X, y, 3, random_state=0, verbose=False)
    plain = report._asdict() | {"weights": None, "supports": report.supports.tolist()}
    for form in (report, plain, json.loads(json.dumps(plain))):
        found = summarize(estimator, X, y, stability=form)
        known = found["certainty"]["stability"]
        assert known["nogueira"]["stability"] == report.nogueira.stability
        assert known["n_subsamples"] == 3
        shares = dict(zip(*found["figures"]["frequency"].values(), strict=True))
        assert shares == {f"x{j}": s for j, s in enumerate(report.supports.mean(axis=0)) if s}
        html = render(found)
        assert f'<p class="value">{report.nogueira.stability:.2f}</p>' in html
        assert "the subsamples overlap, so that a stable list can be stably wrong" in html
        assert "left out (3-nearest-neighbor classifier)" in html


def test_little_known_of_stability_is_enough():
    X, y = small()
    estimator = ReliefF().fit(X, y)
    html = render(summarize(estimator, X, y, stability={"ranking": 0.5, "nogueira": None}))
    assert '<p class="value">unknown</p>' in html
    assert "Rankings (Spearman)" in html


def test_the_frequencies_of_an_ensemble_are_shown():
    X, y = small()
    ensemble = Ensemble(ReliefF(), 3, random_state=0, max_features=2).fit(X, y)
    found = summarize(ensemble, X, y)
    labels = [column["label"] for column in found["table"]["columns"]]
    assert "Selection frequency" in labels
    assert found["figures"]["frequency"]["values"][0] == ensemble.selection_frequency_.max()


def test_methods_side_by_side():
    X, y = small()
    rows = [
        {"method": "lofe", "error": 0.125, "curve": {"n_features": [1, 2], "errors": [0.5, 0.1]}},
        {"method": "f-test", "error": None, "seconds": np.float32(0.5)},
    ]
    summary = summarize(ReliefF().fit(X, y), X, y, comparison=rows)
    assert summary["comparison"] == [
        {"method": "lofe", "error": 0.125},
        {"method": "f-test", "error": None, "seconds": 0.5},
    ]
    assert summary["figures"]["errors"] == {"lofe": {"n_features": [1, 2], "errors": [0.5, 0.1]}}
    html = render(summary)
    assert "<h2>Methods compared</h2>" in html
    assert "Error on samples left out" in html


def test_wrong_input_is_said_in_one_sentence():
    X, y = small()
    estimator = ReliefF().fit(X, y)
    with pytest.raises(ValueError, match=r"of shape \(60, 5\); got \(60, 4\)\.$"):
        summarize(estimator, X[:, :4], y)
    with pytest.raises(ValueError, match=r"feature_names must hold 5 names; got 2\.$"):
        summarize(estimator, X, y, feature_names=["a", "b"])
    with pytest.raises(ValueError, match=r"sample_names must hold 60 names; got 1\.$"):
        summarize(estimator, X, y, sample_names=["a"])
    with pytest.raises(ValueError, match="RandomForestClassifier selects no features"):
        summarize(RandomForestClassifier(5).fit(X, y), X, y)
    with pytest.raises(ValueError, match="RFE has neither weights_ nor"):
        summarize(RFE(RandomForestClassifier(5)).fit(X, y), X, y)
    with pytest.raises(NotFittedError):
        summarize(ReliefF(), X, y)


@pytest.mark.parametrize("unit", [1e-300, 1e-30, 1e30, 1e306])
def test_values_of_any_size(unit):
    X, y = small()
    summary = summarize(LOFE().fit(X * unit, y), X * unit, y)
    expected = summarize(LOFE().fit(X, y), X, y)
    assert summary["found"]["selected"] == expected["found"]["selected"]
    np.testing.assert_allclose(
        summary["figures"]["heat"]["values"], expected["figures"]["heat"]["values"], atol=0.011
    )
    counts = (figures["figures"]["margins"]["counts"] for figures in (summary, expected))
    assert next(counts) == next(counts)
    assert "<h2>Figures</h2>" in render(summary)


def test_labels_that_look_alike_stay_apart():
    X, y = small()
    labels = np.array(["a" * 300 + middle + "a" * 300 for middle in "pqr"])[y]
    classes = summarize(LOFE().fit(X, labels), X, labels)["asked"]["classes"]
    assert [row["n_samples"] for row in classes] == [20, 20, 20]
    assert [row["label"][200:] for row in classes] == ["", " (2)", " (3)"]


def test_an_empty_curve_is_not_drawn():
    X, y = small()
    rows = [{"method": "none", "curve": {"n_features": [], "errors": []}}]
    assert summarize(ReliefF().fit(X, y), X, y, comparison=rows)["figures"]["errors"] == {}


def test_the_same_fit_has_the_same_report():
    X, y = small()
    first, second = (render(summarize(LOFE(n_jobs=n).fit(X, y), X, y)) for n in (1, 1))
    assert first == second


@pytest.mark.parametrize("kind", [LOFE, ReliefF])
def test_gaps_and_words_are_counted_and_shown(kind):
    X, y = small()
    frame = pd.DataFrame(X, columns=list("abcde")).assign(kind=np.array(["x", "y", "z"])[y])
    frame.loc[[3, 4], "a"], frame.loc[5, "b"], frame.loc[y == 1, "e"] = np.nan, np.nan, np.nan
    summary = summarize(kind().fit(frame, y), frame, y)
    n = 3 + int((y == 1).sum())
    columns = {"n_missing": n, "n_features_with_missing": 3, "n_nominal": 1}
    assert summary["asked"]["columns"] == columns
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    page = render(summary)
    assert f"{n} values are missing, in 3 features; 1 feature is nominal." in page
    assert "nominal." not in render(summarize(kind().fit(X, y), X, y))


@pytest.mark.parametrize("kind", [c for c in EVERY if c().explains != "classes"])
def test_what_explains_no_classes_has_a_report_of_what_it_explains(kind):
    X, y = datasets.make_additive(60, noise=0.1, n_irrelevant=2, random_state=0, return_X_y=True)
    survival = kind().explains == "survival"
    y = np.column_stack([np.arange(60) % 3 > 0, y - y.min()]) if survival else y
    estimator = kind().fit(X, y)
    summary = summarize(estimator, X, y)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    own = {"halves"} if survival else {"strips"}
    assert own == {"halves", "strips", "margins"} & set(summary["figures"])
    assert own | {"largest", "heat"} <= {k for k, v in summary["figures"].items() if v}
    labels = [column["label"] for column in summary["table"]["columns"]]
    assert labels[-1] == "Rank correlation"
    assert not [label for label in labels if "class" in label]
    html = render(summary)
    asked = "times until the event" if survival else "numbers y"
    assert f"Which of 5 features explain the {asked} of 60 samples, by the method" in html
    assert not re.search(r"\b(class|classes|labels)\b(?!=)", without_code(html))
    if not survival:
        named = render(summarize(estimator, X, y, source={"target": "dose {0}"}))
        assert "explain the numbers y (column &#x27;dose {0}&#x27;) of 60 samples" in named


@pytest.mark.parametrize(
    ("score", "sentence"),
    [
        (0.5, "1 is perfect, guessing has 0. The features were selected anew in each of 4"),
        (0.1, "Not clearly better than guessing: 0. The features were selected anew in each of 4"),
    ],
)
def test_a_cross_validated_score_is_judged(score, sentence):
    X, y = datasets.make_additive(60, noise=0.1, n_irrelevant=2, random_state=0, return_X_y=True)
    lofe = LOFERegressor().fit(X, y)
    found = {**Score(score, 0.1, "R²", 0.0)._asdict(), "n_folds": 4}
    html = render(summarize(lofe, X, y, cross_validation=found))
    assert f'Cross-validated R²</p><p class="value">{score:.2f} ± 0.10</p>' in html
    assert sentence in html
    assert f'Leave-one-out R²</p><p class="value">{lofe.loo_r2_:.2f}</p>' in html
    assert "This is too high: the features were chosen with the same samples. 1 is perfect" in html
    assert 'Cross-validated R²</p><p class="value">not measured' in render(summarize(lofe, X, y))


@pytest.mark.parametrize("kind", [LOFERegressor, FisherScore])
def test_y_may_be_a_column(kind):
    X, y = small()
    estimator = kind().fit(X, y)
    expected = without_versions(summarize(estimator, X, y))
    for column in (y[:, None], pd.DataFrame({"y": y})):
        assert without_versions(summarize(estimator, X, column)) == expected


@pytest.mark.parametrize(
    ("kind", "found", "message"),
    [
        (
            LOFERegressor,
            {"error": 0.2, "n_folds": 5},
            "'score', 'standard_error', 'measure' and 'g",
        ),
        (FisherScore, {"error": 0.2}, "cross_validation must hold 'n_folds' as well; see"),
    ],
)
def test_fields_that_a_cross_validation_lacks_are_named(kind, found, message):
    X, y = small()
    with pytest.raises(ValueError, match=message):
        summarize(kind().fit(X, y), X, y, cross_validation=found)


def without_code(html):
    """The page without its style, its scripts and the attributes of its elements."""
    return re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
