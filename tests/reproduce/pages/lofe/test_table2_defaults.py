import pytest

from reproduce.experiments.lofe.table2_methods import AUTO
from reproduce.harness.experiment import Key
from reproduce.pages.lofe.table2_checks import checks
from reproduce.pages.lofe.table2_defaults import defaults_part
from reproduce.pages.lofe.table2_reasons import reasons
from tests.reproduce.pages.lofe.table2_results import CASE, with_auto


def line_of(text, start):
    (line,) = [line for line in text.split("\n") if line.startswith(start)]
    return line


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        # Errors of 5.5 to 5.59: the mean is 0.545 above the limit, its standard error 0.0096.
        ({"widened": 4.9}, "5.5 ± 0.0 | +56.9 | -0.6 ± 0.0 | 4.9(0.0) | +0.0 | γ: 4.9 with"),
        ({"plain": 3.2}, "5.5 ± 0.0 | +56.9 | +1.5 ± 0.0 | 7.0(0.0) | +4.2 | the samples: "),
    ],
)
def test_a_limit_that_is_missed_has_the_error_of_the_mean_and_the_reason(options, numbers):
    records = with_auto(5.5, **options)
    text = defaults_part(records, [CASE])
    row = line_of(text, f"| {CASE} |")
    assert row.startswith(f"| {CASE} | 5.0 | {numbers}")
    (why,) = [c.why for c in checks(records) if c.failed and c.aim == "lofe default errors"]
    assert row.endswith(f"| {why} |")
    assert text in reasons(records)


def test_methods_above_their_own_published_error_come_first():
    line = line_of(defaults_part(with_auto(5.5), [CASE]), f"- {CASE}: ")
    above, others = line.split(" Not above: ")
    assert above == (
        f"- {CASE}: 2 of 6 are above: I-RELIEF/BS 5.2(0.1) / 4.1(1.0), +3.6; "
        "KS 5.2(0.1) / 4.6(0.9), +2.3."
    )
    assert [text.split(" 5.2")[0] for text in others.split("; ")[1:]] == ["AMS", "RFE", "Simba"]


def test_sets_lost_more_often_than_published_are_named():
    text = defaults_part(with_auto(5.5), [CASE])
    start = 'With α "auto" and both orders against '
    lost = [line for line in text.split("\n") if line.startswith(start)]
    assert len(lost) == 4  # to AMS one set is lost as published
    assert lost[0] == (f"{start}I-RELIEF/BS: loses twonorm (5.5(0.0); 5.2(0.1) / 4.1(1.0), +3.6).")


def test_where_nothing_is_missed_or_a_run_is_missing_there_is_nothing_to_say():
    assert not defaults_part(with_auto(4.5), [CASE])
    records = with_auto(5.5)
    del records[Key(CASE, AUTO, 9)]
    assert not defaults_part(records, [CASE])
