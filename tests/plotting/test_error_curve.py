from hitmiss.metrics import ErrorCurve
from hitmiss.plotting import curve_lines, plot_error_curve
from tests.plotting.looks import drawn, legend_labels

CURVE = ErrorCurve([100, 1, 10], [0.1, 0.4, 0.1], 0.1, 10)


def test_sizes_ascend_and_the_smallest_of_equals_is_best():
    (line,) = curve_lines(CURVE).values()
    assert line.n_features.tolist() == [1, 10, 100]
    assert line.errors.tolist() == [0.4, 0.1, 0.1]
    assert line.best == 1


def test_methods_and_their_best_are_in_the_legend():
    ax = drawn(plot_error_curve({"lofe": CURVE, "relief": CURVE}))
    assert legend_labels(ax) == ["lofe: 10.0% with 10", "relief: 10.0% with 10"]
    assert ax.get_xscale() == "log"
    assert ax.get_ylim()[0] == 0


def test_few_features_are_on_a_linear_axis():
    ax = drawn(plot_error_curve(ErrorCurve([1], [0.25], 0.25, 1)))
    assert legend_labels(ax) == ["25.0% with 1"]
    assert ax.get_xscale() == "linear"


def test_a_curve_over_another_is_dashed_so_that_both_are_seen():
    curve = ErrorCurve([1, 2, 3], [0.5, 0.2, 0.1], 0.1, 3)
    other = ErrorCurve([1, 2, 3], [0.9, 0.8, 0.7], 0.7, 3)
    ax = drawn(plot_error_curve({"a": curve, "b": curve, "c": other}))
    lines = [line for line in ax.lines if len(line.get_xdata()) > 1]
    assert [line.is_dashed() for line in lines] == [False, True, False]


def test_of_errors_equal_but_for_rounding_the_first_is_the_smallest():
    (line,) = curve_lines(ErrorCurve([1, 2], [0.1 + 0.2, 0.3], 0.3, 2)).values()
    assert line.best == 0
