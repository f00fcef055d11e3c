import numpy as np
import pytest

from hitmiss import FisherScore, Markers, ReliefF
from hitmiss.metrics import Substitutes, Synergy
from hitmiss.report import render
from hitmiss.report.figure_data import explanation_data, figure_data
from hitmiss.report.fitted import Names, read_fitted
from hitmiss.report.summary import summarize

RNG = np.random.default_rng(0)


def figures_of(n_samples, n_classes, n_features=3, **parameters):
    codes = np.arange(n_samples) % n_classes
    X = RNG.normal(size=(n_samples, n_features)) + codes[:, None]
    estimator = FisherScore(**parameters).fit(X, codes)
    names = Names(
        [f"f{j}" for j in range(n_features)],
        [f"s{n}" for n in range(n_samples)],
        [f"c{k}" for k in range(n_classes)],
    )
    return X, estimator, figure_data(estimator, read_fitted(estimator), (X, codes), names)


def test_the_pair_is_the_two_best_features():
    X, estimator, found = figures_of(30, 3)
    pair = found["pair"]
    assert pair["names"] == [f"f{j}" for j in estimator.ranking_[:2]]
    order = np.argsort(np.arange(30) % 3, kind="stable")
    np.testing.assert_allclose(pair["values"][0], X[order, estimator.ranking_[0]], rtol=1e-3)
    assert pair["codes"] == sorted(np.arange(30) % 3)


def test_many_samples_are_thinned_evenly():
    found = figures_of(3_000, 2)[2]
    assert np.bincount(found["pair"]["codes"]).tolist() == [300, 300]
    assert np.shape(found["heat"]["values"]) == (3, 200)
    assert found["heat"]["edges"] == [0, 100, 200]
    assert found["heat"]["n_samples"] == 3_000


def test_a_class_too_small_for_its_share_keeps_a_column():
    y = np.repeat(["a", "rare", "z"], [2_000, 2, 998])
    X = np.random.default_rng(0).normal(size=(3_000, 3)) + (y == "a")[:, None]
    found = summarize(FisherScore(max_features=2).fit(X, y), X, y)["figures"]["heat"]
    assert (np.diff(found["edges"]) > 0).all()
    assert np.shape(found["values"]) == (2, found["edges"][-1])


def test_more_classes_than_colors_have_no_pair():
    assert figures_of(40, 8)[2]["pair"] is None
    assert figures_of(40, 2, max_features=1)[2]["pair"] is None


def test_the_curve_of_weights_goes_from_the_largest_to_the_smallest():
    _, estimator, found = figures_of(20, 2, 2_000)
    ranked = found["ranked"]
    weights = np.sort(estimator.weights_)
    assert ranked["ranks"][0] == 1
    assert ranked["ranks"][-1] == (weights > 0).sum()
    assert ranked["weights"][0] == pytest.approx(weights[-1], rel=1e-3)
    assert ranked["weights"][-1] == pytest.approx(weights[weights > 0][0], rel=1e-3)
    assert len(ranked["ranks"]) <= 300


def test_colors_of_the_heat_map_end():
    values = np.array(figures_of(30, 2)[2]["heat"]["values"])
    assert np.abs(values).max() <= 1
    assert np.abs(values).max() > 0.5


def test_an_explanation_is_shown_as_far_as_there_is_room():
    names, places = [f"f{j}" for j in range(30)], np.arange(12)
    synergy = Synergy(places + 3, names, np.eye(12), 99.0)
    others, rises = [np.arange(20, 25)] * 12, [np.arange(5.0)] * 12
    replaced = Substitutes(places, names, np.full(12, 7.0), others, names, rises, 9.0)
    found = explanation_data({"synergy": synergy, "substitutes": replaced}, names)
    assert found["synergy"]["names"] == names[3:13]
    assert found["synergy"]["colors"][0] == [None, *[0] * 9]
    assert found["synergy"]["n_features"] == found["substitutes"]["n_features"] == 12
    assert found["substitutes"]["substitutes"][:5] == [None, "f20", "f21", "f22", None]
    assert found["substitutes"]["rises"][:5] == [7, 0, 1, 2, 7]
    assert found["substitutes"]["features"].count("f0") == 4
    assert "f8" not in found["substitutes"]["features"]


def test_without_an_explanation_there_is_no_figure_of_it():
    assert explanation_data(None, []) == {"synergy": None, "substitutes": None}
    alone = Synergy(np.array([0]), ["f0"], np.ones((1, 1)), 9.0)
    assert explanation_data({"synergy": alone}, ["f0"])["synergy"] is None


def test_markers_with_a_missing_value_have_their_dots():
    y = np.arange(40) % 2
    X = np.random.default_rng(0).normal(size=(40, 3)) + 3 * np.outer(y, [1, 0, 0])
    X[3, 0] = np.nan
    summary = summarize(Markers(ReliefF(), n_features_per_class=1).fit(X, y), X, y)
    dots = summary["figures"]["markers"]
    assert np.isfinite([dots["shares"], dots["means"]]).all()
    assert "Markers of each class" in render(summary)
