import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from sklearn.base import BaseEstimator

from hitmiss.plotting._rounding import LARGEST_DRAWN, on_grid
from hitmiss.report import figure_data, render, summarize
from hitmiss.report.charts import Axis, bar_chart, histogram, line_chart, scatter_chart
from hitmiss.report.feature_columns import class_columns
from hitmiss.report.figure_data import explanation_data, margin_data
from hitmiss.report.fitted import Names, rank_correlations, read_fitted
from hitmiss.report.html_figures import DRAW
from hitmiss.report.panel_chart import Curve, dot_panels, step_panels
from hitmiss.report.panel_data import half_data, strip_data
from hitmiss.report.scales import Scale
from tests.plotting.degenerate import (
    classes,
    degenerate,
    exchanged,
    history,
    table,
    together,
    twice,
)

NUMBERS = re.compile(r' (?:d|cx|cy|r|x|y|x[12]|y[12]|width|height|transform|viewBox)="([^"]*)"')
FEATURES = 12  # enough for the curve of all weights
NAMES = [f"f{j}" for j in range(FEATURES)]


class Fixed(BaseEstimator):
    """A selector of all features, with degenerate weights and a degenerate history."""

    def __init__(self, explains="classes"):
        self.explains = explains

    def fit(self, values):
        self.weights_ = np.resize(np.abs(values), FEATURES)
        self.history_, self.alpha_path_ = history(values), np.abs(values)
        self.sigma_, self.scale, self.selection_frequency_ = 1.0, "range", self.weights_ > 0
        return self

    def get_support(self):
        return np.ones(FEATURES, bool)


def finite(markup):
    """The markup, after a look for coordinates that are NaN or infinite."""
    found = NUMBERS.findall(markup)
    assert not [text for text in found if "nan" in text or "inf" in text]
    return markup


def margins_of(values):
    """Data of the figure of margins, as if these were those of the samples."""
    names = Names(NAMES, [str(n) for n in range(len(values))], ["x", "y"])
    estimator = Fixed().fit(np.ones(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_data, "sample_margins", lambda *_, **__: np.array(values))
        data = np.ones((len(values), FEATURES)), classes(values)
        return margin_data(estimator, read_fitted(estimator), data, names)


@given(pair=twice())
def test_margins_equal_but_for_rounding_are_counted_and_named_alike(pair):
    one, two = map(margins_of, pair)
    for key in ("counts", "n_negative"):
        assert one[key] == two[key]
    assert [row["sample"] for row in one["closest"]] == [row["sample"] for row in two["closest"]]
    assert sum(row["margin"] < 0 for row in one["closest"]) == min(one["n_negative"], 5)
    for found, margins in zip((one, two), pair, strict=True):
        assert (np.diff(np.array(found["edges"]) / np.abs(found["edges"]).max()) > 0).all()
        shown = np.where(on_grid(margins) == 0, 0.0, margins)
        assert found["edges"][0] <= shown.min() <= shown.max() <= found["edges"][-1]
    finite(DRAW["margins"](one))


def test_margins_of_no_sample_are_no_figure():
    assert margins_of(np.full(3, np.nan)) is None
    assert margins_of([np.nan, 0.5, 0.5])["n_negative"] == 0


@given(values=degenerate())
def test_every_chart_has_finite_coordinates(values):
    floats, names = values.tolist(), [str(n) for n in range(len(values))]
    order = np.arange(len(values)).tolist()
    finite(bar_chart(names, floats, [True] * len(names), title="t", label="l"))
    finite(scatter_chart((floats, floats), classes(values), ["x", "y"], ["a", "b"], title="t"))
    finite(dot_panels(["a"], [(floats, floats[::-1])], title="t"))
    times = np.sort(np.abs(values)).tolist()
    finite(step_panels(["a"], [[Curve(times, floats, "")] * 2], ["x", "y"], title="t"))
    finite(histogram([*sorted(floats), 2e308], {"x": order}, title="t", label="l"))
    for log in (False, True):
        finite(line_chart({"": (order, floats)}, Axis("x"), Axis("y", log=log), title="t"))


@given(pair=twice())
def test_ticks_do_not_depend_on_the_last_bit(pair):
    assume(np.abs(pair).max() <= LARGEST_DRAWN)  # larger ones are at the end of the axis
    for zero in (False, True):
        one, two = (Scale(values.tolist(), 0, 100, zero=zero).ticks for values in pair)
        assert len(one) == len(two)
        np.testing.assert_allclose(one, two, rtol=1e-9)


@given(pair=twice(min_size=2))
def test_halves_and_columns_do_not_depend_on_the_last_bit(pair):
    rows, both = np.arange(2), []
    for values in pair:
        X, codes, time = table(values), classes(values), np.arange(len(values)) + 1.0
        halves = half_data(X, (time, time > 0), rows, NAMES)
        highest = class_columns((X, codes), ["x", "y"], [], rows)[0].values.tolist()
        strips = strip_data(X, time, rows, NAMES)
        both.append((halves and halves["curves"], highest, strips and strips["numbers"]))
    assert both[0] == both[1]


def test_a_feature_constant_but_for_rounding_has_neither_a_class_nor_a_correlation():
    x = np.where(np.arange(6) % 2, 0.3, 0.1 + 0.2)
    rows = np.arange(1)
    assert class_columns((x[:, None], np.arange(6) % 2), ["x", "y"], [], rows)[0].values == [""]
    assert np.isnan(rank_correlations(x[:, None], np.arange(6), rows)).all()
    assert np.isnan(rank_correlations(np.arange(6.0)[:, None], x, rows)).all()


@pytest.mark.parametrize("explains", ["classes", "numbers", "survival"])
@settings(max_examples=20)
@given(values=degenerate(min_size=3, missing=True))
def test_every_report_is_a_page_with_finite_coordinates(explains, values):
    X, known = np.tile(table(values), FEATURES // 2), np.nan_to_num(values)
    times = np.column_stack([classes(values), np.abs(known)])
    y = {"classes": classes(values), "numbers": known, "survival": times}[explains]
    some = known[:4]
    explanation = {"synergy": together(some), "substitutes": exchanged(some)}
    summary = summarize(Fixed(explains).fit(known), X, y, explanation=explanation)
    finite(render(summary))
    assert explanation_data(explanation, NAMES)["synergy"]["names"] == NAMES[: len(some)]
