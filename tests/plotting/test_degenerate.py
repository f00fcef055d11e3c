from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings

from hitmiss.metrics import ErrorCurve, SelectionStability, recovery_curve
from hitmiss.plotting import (
    convergence_lines,
    curve_lines,
    heat_blocks,
    marker_dots,
    neighbor_probabilities,
    plot_alpha,
    plot_convergence,
    plot_error_curve,
    plot_heatmap,
    plot_margins,
    plot_markers,
    plot_neighbors,
    plot_path,
    plot_recovery,
    plot_stability,
    plot_substitutes,
    plot_synergy,
    plot_weights,
    sample_margins,
    synergy_cells,
)
from hitmiss.plotting._rounding import in_largest
from hitmiss.plotting.margins import margin_bins
from tests.plotting.degenerate import (
    classes,
    degenerate,
    exchanged,
    history,
    table,
    together,
    twice,
)
from tests.plotting.looks import drawn


def neighbors(values):
    found = neighbor_probabilities(table(values), classes(values), 0, [1.0, 0.5])
    return plot_neighbors(table(values), found, 0, [0, 1])


def stability(values):
    unknown = SelectionStability(*[np.nan] * 4)
    return plot_stability(SimpleNamespace(supports=np.array([values > 0] * 2), nogueira=unknown))


def shares(values):
    """Errors from 0 to 1 by the number of features."""
    errors = np.abs(in_largest(values))
    return ErrorCurve(np.arange(len(values)) + 1, errors, 0.1, 1)


FIGURES = {
    "alpha": plot_alpha,
    "alpha, positive": lambda values: plot_alpha(np.abs(values)),
    "convergence": lambda values: plot_convergence(history(values)),
    "convergence of the gap": lambda values: plot_convergence(history(values), value="gap"),
    "error curve": lambda values: plot_error_curve({"a": shares(values), "b": shares(values)}),
    "heatmap": lambda values: plot_heatmap(table(values), classes(values), [0, 1]),
    "margins": lambda values: plot_margins(values, classes(values)),
    "markers": lambda values: plot_markers(table(values), classes(values), {0: [0, 1]}),
    "neighbors": neighbors,
    "path": lambda values: plot_path(np.abs(values), table(values)),
    "recovery": lambda values: plot_recovery(recovery_curve(np.append(values, 0.0), [0])),
    "stability": stability,
    "substitutes": lambda values: plot_substitutes(exchanged(values)),
    "synergy": lambda values: plot_synergy(together(values)),
    "weights": plot_weights,
}


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=4)
@given(values=degenerate())
def test_every_figure_is_drawn_on_axes_of_finite_ends(name, values):
    try:
        ax = drawn(FIGURES[name](values))
        for ends in (ax.get_xlim(), ax.get_ylim()):
            assert np.isfinite(ends).all()
            assert ends[0] != ends[1]
    finally:
        plt.close("all")


@pytest.mark.parametrize("name", ["error curve", "recovery"])
def test_no_curve_at_all_is_an_empty_figure(name):
    drawn({"error curve": plot_error_curve, "recovery": plot_recovery}[name]({}))


@given(pair=twice())
def test_bins_signs_and_order_of_margins_do_not_depend_on_the_last_bit(pair):
    one, two = (margin_bins(margins, classes(margins), 2, 30) for margins in pair)
    np.testing.assert_array_equal(one.counts, two.counts)
    np.testing.assert_array_equal(one.n_negative, two.n_negative)
    np.testing.assert_array_equal(one.order, two.order)
    for bins, margins in zip((one, two), pair, strict=True):
        assert bins.counts.sum() == len(margins)
        assert len(bins.edges) <= 31
        assert (np.diff(bins.edges / np.abs(bins.edges).max()) > 0).all()
        assert bins.edges[0] <= margins.min() <= margins.max() <= bins.edges[-1]


@given(pair=twice(min_size=2))
def test_colors_and_sizes_do_not_depend_on_the_last_bit(pair):
    heats = [heat_blocks(table(values), classes(values), [0, 1]) for values in pair]
    np.testing.assert_allclose(heats[0].values, heats[1].values, atol=1e-6)
    dots = [marker_dots(table(values), classes(values), {0: [0, 1]}) for values in pair]
    np.testing.assert_array_equal(dots[0].shares, dots[1].shares)
    np.testing.assert_allclose(dots[0].means, dots[1].means, atol=1e-6)
    cells = [synergy_cells(together(values)) for values in pair]
    np.testing.assert_allclose(cells[0].colors, cells[1].colors, atol=1e-6)
    best = [curve_lines(shares(values))[""].best for values in pair]
    assert best[0] == best[1]
    logs = [convergence_lines(history(values)).log for values in pair]
    assert logs[0] == logs[1]


@given(values=degenerate(min_size=3))
def test_probabilities_of_neighbors_sum_to_one_at_any_distance(values):
    for scale in ("range", None):
        found = neighbor_probabilities(table(values), classes(values), 0, [1.0, 0.5], scale=scale)
        np.testing.assert_allclose([found.hit.sum(), found.miss.sum()], 1)


@given(values=degenerate(min_size=2, missing=True))
def test_margins_and_dots_of_samples_are_finite_or_missing(values):
    for scale in ("range", None):
        margins = sample_margins(table(values), classes(values), [1.0, 0.5], scale=scale)
        assert not np.isinf(margins).any()
    dots = marker_dots(table(values), classes(values), {0: [0, 1]})
    assert np.isfinite(dots.shares).all()
    assert np.isfinite(dots.means).all()
    assert np.isfinite(heat_blocks(table(values), classes(values), [0, 1]).values).all()
