import pytest

from hitmiss import LOFE, IRelief, OnlineIRelief, Simba, datasets
from hitmiss.plotting import convergence_lines, plot_convergence
from tests.plotting.looks import drawn, legend_labels, texts

HISTORY = [
    {"start": "soft", "objective": 3.0, "gap": 1.0},
    {"start": "soft", "objective": 1.0, "gap": 0.0},
    {"start": "ones", "objective": 2.0, "gap": 0.5},
]


def test_lines_are_those_of_the_starts():
    value, lines = convergence_lines(HISTORY)
    assert value == "objective"
    assert {start: line.tolist() for start, line in lines.items()} == {
        "soft": [3.0, 1.0],
        "ones": [2.0],
    }


def test_an_unknown_value_is_an_error_that_lists_the_known():
    with pytest.raises(ValueError, match="no 'size'; it has 'start', 'objective', 'gap'"):
        convergence_lines(HISTORY, "size")


def test_starts_are_in_the_legend_and_gaps_on_a_log_axis():
    ax = drawn(plot_convergence(HISTORY, value="gap"))
    assert legend_labels(ax) == ["soft", "ones"]
    assert (ax.get_yscale(), ax.get_ylabel(), ax.get_xlabel()) == ("log", "gap", "iteration")
    assert drawn(plot_convergence(HISTORY)).get_yscale() == "linear"


def test_objectives_far_apart_are_on_a_log_axis():
    history = [{"objective": 1000.0}, {"objective": 1.0}]
    assert convergence_lines(history).log
    assert not convergence_lines([*history, {"objective": -1.0}]).log
    assert drawn(plot_convergence(history)).get_yscale() == "log"


def test_an_empty_history_is_said_to_be_empty():
    assert texts(drawn(plot_convergence([]))) == ["The history is empty."]


@pytest.mark.parametrize("estimator", [LOFE(), IRelief(), OnlineIRelief(), Simba(random_state=0)])
def test_the_history_of_every_iterated_method_can_be_drawn(estimator):
    X, y = datasets.make_clusters(60, random_state=0, return_X_y=True)
    history = estimator.fit(X, y).history_
    ax = drawn(plot_convergence(history))
    assert sum(len(line.get_xdata()) for line in ax.lines) == len(history)
