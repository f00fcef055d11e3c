from fuzz import record
from fuzz.__main__ import HANDLING
from fuzz.targets import TARGETS


def test_every_target_has_a_number_to_reach():
    assert record.REQUIRED.keys() == {*TARGETS, *HANDLING}


def test_the_page_is_that_of_the_stored_results():
    assert record.PAGE.read_text(encoding="utf-8") == record.page(record.stored())


def test_what_is_short_or_found_stands_out():
    made = record.Result(40, 1, 7.0, "2026-01-02", "abc", "here")
    row = next(line for line in record.page({"csv": made}).splitlines() if "| csv |" in line)
    assert row.endswith("| 50 | **40** | **1** | 7.0 | 2026-01-02 | abc |")
