import numpy as np
import pytest

from benchmarks.quality.judges import JUDGES, LENGTHS
from benchmarks.quality.measures import Evidence
from reproduce.experiments.lofe.table2_methods import AUTO
from reproduce.harness.experiment import Key
from reproduce.pages.lofe import table2_orders
from reproduce.pages.lofe.table2_checks import checks, limit
from tests.reproduce.pages.lofe.table2_results import CASE, with_auto


def default_checks(records):
    return [check for check in checks(records) if (check.aim or "").startswith("lofe default")]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"error": 4.5}, ""),
        ({"error": 5.5, "widened": 4.9}, "γ: 4.9 with γ p / k, within the limit"),
        ({"error": 5.5, "widened": 5.2}, "γ: 5.2 with γ p / k, in part"),
        ({"error": 5.5, "plain": 3.2}, "the samples: the SVM on the original features differs by"),
        ({"error": 5.5}, "no reason found"),
    ],
)
def test_the_defaults_have_the_published_limit_and_a_reason_where_they_miss_it(options, why):
    error, *outcomes = default_checks(with_auto(**options))
    assert error.held == (options["error"] < 5)
    assert error.why.startswith(why)
    assert bool(error.why) == bool(why)
    assert [check.held for check in outcomes].count(True) == (5 if options["error"] < 5 else 1)


def test_checks_of_the_defaults_are_open_until_all_runs_are_there():
    records = with_auto(4.5)
    del records[Key(CASE, AUTO, 9)]
    assert {check.held for check in default_checks(records)} == {None}


def test_errors_beyond_the_limit_are_bold():
    text = table2_orders.orders_part(with_auto(4.5), [CASE], limit)
    (row,) = [line for line in text.split("\n") if line.startswith(f"| {CASE} |")]
    assert row.startswith("| twonorm | 5.0 | **6.0(0.0)** |")
    assert row.endswith("| 4.5(0.0) |")


def test_the_order_is_chosen_without_the_sets_of_the_table():
    methods, names = list(table2_orders.CANDIDATES), ["ida_twonorm", "ida_german"]
    errors = np.full((len(methods), 2, len(JUDGES), len(LENGTHS)), 0.5)
    errors[1, 0], errors[3, 1] = 0.1, 0.2  # by mean margin on twonorm, "auto" by weight on german
    nothing = np.zeros((len(methods), 2))
    evidence = Evidence(methods, names, errors, nothing, nothing, nothing, {})
    text = table2_orders.choice(evidence)
    assert text.startswith("α and order are chosen on other data: the 1 sets of")
    assert text.endswith('The best of these is α "auto" by weight, number 1 of all.')
    assert not table2_orders.choice(evidence._replace(methods=["forest"] * 5))
