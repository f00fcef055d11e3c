"""What the pages in docs/ show works as pasted."""

import re
from pathlib import Path

import pytest

import hitmiss

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
over_pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@over_pages
def test_python_examples_run_one_after_the_other(page):
    code = "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    exec(compile(code, page.name, "exec"), {})


@over_pages
def test_linked_files_exist(page):
    links = re.findall(r"\]\(((?!http)[^)#]+)", page.read_text())
    made = {"../benchmarks/README.md"}  # by `make bench`
    assert [link for link in set(links) - made if not (page.parent / link).exists()] == []


def test_the_table_for_scikit_rebate_names_what_exists():
    table = (ROOT / "docs" / "from-scikit-rebate.md").read_text().split("|---|---|---|")[1]
    ours = [line.split("|")[3] for line in table.splitlines() if line.startswith("|")]
    called = set(re.findall(r"`(\w+)\(", "".join(ours))) - {"int", "get_support"}
    assert called == {
        *("ReliefF", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar", "TuRF", "IRelief"),
    }
    assert called <= set(hitmiss._LAZY)
