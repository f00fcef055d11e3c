"""What one has is what a figure takes: a fitted selector, names, positions or a mask."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression

from hitmiss import LOFE, Ensemble, OnlineLOFE, ReliefF, datasets
from hitmiss.metrics import stability_report
from hitmiss.plotting import (
    neighbor_probabilities,
    plot_alpha,
    plot_convergence,
    plot_heatmap,
    plot_margins,
    plot_neighbors,
    plot_path,
    plot_stability,
    plot_weights,
    sample_margins,
)
from hitmiss.plotting._given import feature_positions, weights_of
from tests.plotting.looks import drawn, legend_labels, texts, tick_labels

DATA, Y = datasets.make_xor(100, n_irrelevant=6, random_state=0, return_X_y=True)
X = pd.DataFrame(DATA, columns=[f"gene {c}" for c in "abcdefgh"])


@pytest.fixture(scope="module")
def lofe():
    return LOFE().fit(X, Y)


def test_a_selector_brings_its_weights_and_the_names_of_the_frame(lofe):
    assert set(texts(drawn(plot_weights(lofe)))) == {"gene a", "gene b"}
    np.testing.assert_array_equal(weights_of(lofe), lofe.weights_)


def test_scores_stand_for_weights_where_there_are_none():
    best = SelectKBest(k=2).fit(X, Y)
    np.testing.assert_array_equal(weights_of(best), best.scores_)


def test_margins_of_a_selector_are_those_of_its_distance(lofe):
    expected = sample_margins(X, Y, lofe.weights_, sigma=lofe.sigma_, scale=lofe.scale)
    one, two = drawn(plot_margins(lofe, X, Y)), drawn(plot_margins(expected, Y))
    assert legend_labels(one) == legend_labels(two)
    assert legend_labels(drawn(plot_margins(expected, y=Y))) == legend_labels(one)


def test_a_selector_or_names_or_positions_or_a_mask_give_one_heatmap(lofe):
    first = tick_labels(drawn(plot_heatmap(X, Y, lofe)).yaxis)
    assert sorted(first) == ["gene a", "gene b"]
    names = list(lofe.ranking_[:2])
    for features in (first, names, [int(j) for j in names]):
        assert tick_labels(drawn(plot_heatmap(X, Y, features)).yaxis) == first
    assert tick_labels(drawn(plot_heatmap(X, Y, lofe.get_support())).yaxis) == sorted(first)
    plain = plot_heatmap(DATA, Y, ["r", "q"], names=list("pqrstuvw"))
    assert tick_labels(drawn(plain).yaxis) == ["r", "q"]


def test_neighbors_take_names_and_selectors(lofe):
    found = neighbor_probabilities(X, Y, 0, lofe.weights_)
    ax = drawn(plot_neighbors(X, found, 0, ["gene b", "gene a"]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("gene b", "gene a")
    ax = drawn(plot_neighbors(X, found, 0, lofe))
    assert {ax.get_xlabel(), ax.get_ylabel()} == {"gene a", "gene b"}


def test_histories_paths_and_frequencies_come_from_what_holds_them(lofe):
    drawn(plot_convergence(lofe))
    drawn(plot_path(LOFE().path(X, Y, alphas=3), names=X.columns))
    drawn(plot_alpha(OnlineLOFE(random_state=0).fit(DATA, Y)))
    ensemble = Ensemble(ReliefF(), 3, max_features=2, random_state=0).fit(X, Y)
    ax = drawn(plot_stability(ensemble))
    assert tick_labels(ax.yaxis)[0].startswith("gene ")
    assert ax.get_xlabel() == "share of 3 members that select it"
    report = stability_report(ReliefF(), X, Y, 2, n_features=2, random_state=0, verbose=False)
    assert "2 subsamples" in drawn(plot_stability(report)).get_xlabel()


def test_what_cannot_be_shown_is_said_in_a_sentence(lofe):
    with pytest.raises(NotFittedError):
        plot_weights(LOFE())
    with pytest.raises(TypeError, match="ReliefF has no sigma_, which this figure shows"):
        plot_margins(ReliefF().fit(X, Y), X, Y)
    with pytest.raises(TypeError, match=r"need data: plot_margins\(selector, X, y\)"):
        plot_margins(lofe, Y)
    with pytest.raises(ValueError, match="no feature 'gene z'; did you mean 'gene"):
        plot_heatmap(X, Y, ["gene z"])
    with pytest.raises(TypeError, match="LogisticRegression selects no features"):
        plot_heatmap(X, Y, LogisticRegression().fit(X, Y))


@given(st.lists(st.text(min_size=1), min_size=1, unique=True), st.data())
def test_any_names_lead_to_their_positions(names, data):
    index = data.draw(st.lists(st.integers(0, len(names) - 1), min_size=1))
    chosen = np.array([names[j] for j in index], object)
    found = feature_positions(chosen, np.array(names, object))
    assert found.tolist() == index
