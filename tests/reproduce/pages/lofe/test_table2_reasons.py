import pytest

from reproduce.pages.lofe.table2_checks import checks
from reproduce.pages.lofe.table2_reasons import reasons
from tests.reproduce.pages.lofe.table2_results import CASE, results


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"widened": 4.0}, "γ: 4.0 with γ p / k, within the limit"),
        ({"margin": 4.0}, "order: 4.0 by mean margin, within the limit"),
        ({"margin": 4.5, "widened": 4.0}, "γ: 4.0 with γ p / k, within the limit"),
        ({"margin": [2.0, 9.0] * 5}, "no reason found"),  # a gain within two standard errors
        ({"margin": 5.5}, "order: 5.5 by mean margin, in part"),
        ({"margin": 5.5, "plain": 3.2}, "order: 5.5 by mean margin, in part; and the samples"),
        ({"plain": 3.2}, "the samples"),
        ({"fixed": 4.0, "rule": 11.0}, "tuning: 4.0 with another σ/α, within the limit"),
        ({"fixed": 4.0, "rule": 13.0}, "no reason found"),  # the rule itself asks for another pair
    ],
)
def test_the_reason_of_a_large_error_is_what_gains_most(changes, reason):
    records = results(6.0, **changes)
    (row,) = rows_of(reasons(records), "reason")
    assert row[0] == CASE
    assert row[-1] == reason
    failed = [c for c in checks(records) if c.failed and c.subject == CASE]
    assert [check.why for check in failed] == [row[-1]]


def rows_of(text, last):
    """Cells of the table whose head ends with a name."""
    (part,) = [part for part in text.split("\n\n") if part.split("\n")[0].endswith(f"| {last} |")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.split("\n")[2:]]


def test_every_check_that_fails_has_its_reason():
    records = results(6.0, fdr=3.0)
    text = reasons(records)
    failed = [check for check in checks(records) if check.failed]
    assert [check.aim for check in failed] == ["lofe errors", "lofe fdr", *["lofe outcomes"] * 4]
    assert [row[0] for row in rows_of(text, "reason")] == [CASE]
    assert "are selected on twonorm (3.0, published 2.2; median σ/α 1/0.3)." in text
    for check in failed[2:]:
        lost = f"- {check.subject} 0/0/1: loses twonorm (6.0(0.0) / 4.1(0.9), +6.8; 5.2(0.1) / "
        assert lost in text
    assert "loses" not in reasons(results(4.9))
