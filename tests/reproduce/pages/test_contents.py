"""The committed page, and the reasons of all sections."""

import itertools

import pytest

from reproduce.harness.readme import text
from reproduce.harness.results import results_in
from reproduce.pages.contents import NAMES, all_sections, section_named
from reproduce.pages.introduction import introduction
from tests.reproduce.stored import FOLDER, stored_records


def test_the_committed_page_is_what_the_stored_results_give():
    made_now = text(results_in(FOLDER, all_sections()), introduction).splitlines()
    committed = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    pairs = itertools.zip_longest(made_now, committed)
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)
    assert first is None, "run python -m reproduce --page"


@pytest.mark.parametrize("name", NAMES)
def test_a_section_has_the_name_of_its_experiment(name):
    assert section_named(name).experiment.name == name


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_hold_has_a_reason(name):
    section = section_named(name)
    records = stored_records(section)
    if not records:
        pytest.skip(f"there are no results of {name} with these settings")
    failed = [check for check in section.checks(records) if check.failed]
    text = section.reasons(records)
    assert not failed or text.strip()
    assert [c.subject for c in failed if c.subject.split(",")[0] not in text] == []
