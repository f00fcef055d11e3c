"""The documentation builds without a warning, and what its pages show works as pasted."""

import doctest
import inspect
import re
import shlex
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import matplotlib
import pytest
from typer.testing import CliRunner

import hitmiss
from hitmiss.cli.app import app
from tests.browser import chromium
from tests.test_architecture import LAYERS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = {"_build", "api", "gallery"}  # by Sphinx
PAGES = sorted(page for page in DOCS.rglob("*.md") if page.relative_to(DOCS).parts[0] not in MADE)
over_pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def each_block(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def blocks(page, language):
    return "\n".join(each_block(page, language))


def is_number(word):
    return re.fullmatch(r"-?\d+(\.\d+)?", word) is not None


def assert_same_figures(printed, shown, rel=1e-3):
    """The words and numbers are those shown, but for times and rounding errors, which vary."""
    varies = r"in \d+\.\d+ s\b|gap \S+\)"
    words, others = (re.sub(varies, "", text).split() for text in (printed, shown))
    assert [word for word in words if not is_number(word)] == [
        word for word in others if not is_number(word)
    ]
    assert [float(word) for word in words if is_number(word)] == pytest.approx(
        [float(word) for word in others if is_number(word)], rel=rel
    )


def assert_printed(said, *values):
    """The values are those that a comment gives, to as many digits."""
    digits = len(said.partition(".")[2])
    found = (f"{value:.{digits}f}" if isinstance(value, float) else str(value) for value in values)
    assert " ".join(found) == said


@pytest.mark.full
@over_pages
def test_python_examples_run_and_print_what_their_comments_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    said = r"^print\((.+)\)  # (True|False|\[[\d ]+\]|\d[\d. ]*\b)"
    code = re.sub(said, r'assert_printed("\2", \1)  #', blocks(page, "python"), flags=re.MULTILINE)
    exec(compile(code, page.name, "exec"), {"assert_printed": assert_printed})


@pytest.mark.full
@over_pages
def test_sessions_print_what_the_page_says(page):
    session = doctest.DocTestParser().get_doctest(blocks(page, "pycon"), {}, page.name, None, 0)
    said = []
    doctest.DocTestRunner().run(session, out=said.append)
    assert not said, "".join(said)


@pytest.mark.full
def test_commands_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^hitmiss (.+)", blocks(DOCS / "guide/command-line.md", "sh"), re.MULTILINE)
    assert {line.split()[0] for line in lines} >= {"datasets", "select", "predict", "compare"}
    results = [CliRunner().invoke(app, shlex.split(line)) for line in lines]
    assert [result.output for result in results if result.exit_code] == []
    assert_same_figures(results[1].stdout, each_block(DOCS / "guide/command-line.md", "text")[0])
    selected = (tmp_path / "results" / "selected.txt").read_text().split()
    assert sorted(selected) == ["x0", "x1"]


def test_the_command_on_two_files_says_what_its_page_shows(tmp_path, monkeypatch):
    page = DOCS / "guide" / "two-files.md"
    monkeypatch.chdir(tmp_path)
    exec(each_block(page, "python")[0], {})
    command, said = each_block(page, "text")
    result = CliRunner().invoke(app, [*shlex.split(command)[1:], "--quick"])
    assert result.exit_code == 0, result.output
    assert said in result.stderr


def test_the_first_page_shows_how_to_install_what_to_write_and_what_comes_out():
    page = DOCS / "index.md"
    assert "pip install" in blocks(page, "sh")
    lines = [line for line in blocks(page, "python").splitlines() if line.strip()]
    assert len(lines) <= 10
    assert "report.save(" in lines[-1]
    assert "(images/report.png)" in page.read_text(encoding="utf-8")


def test_the_table_of_methods_has_a_row_for_many_samples_and_tuning_comes_before_it():
    page = (DOCS / "which-method.md").read_text(encoding="utf-8")
    opening, table = page.split("|---|---|---|", 1)
    assert 'LOFE("auto", "auto")' in opening
    assert "hitmiss select --tune" in opening
    (row,) = (line for line in table.splitlines() if "very many samples" in line)
    assert "LOFE(max_references=" in row
    assert "(guide/large.md#many-samples)" in row


def pictures():
    """The files of the pictures that README and the pages show, from the root."""
    for page in [ROOT / "README.md", *PAGES]:
        for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            yield (page.parent / link).resolve().relative_to(ROOT.resolve()).as_posix()


def test_every_picture_is_made_by_a_run():
    tools = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tools").glob("*.py"))
    made = re.findall(r'^"""(docs/images/[\w.]+): ', tools, re.MULTILINE)
    drawn = (ROOT / "benchmarks" / "truth" / "figures.py").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)": \1\(evidence\)', drawn)
    made += [f"benchmarks/truth/figures/{name}.svg" for name in names]
    assert sorted(set(pictures())) == sorted(made)
    kept = {f"docs/images/{path.name}" for path in (DOCS / "images").iterdir()}
    assert sorted(kept - set(made)) == []


@over_pages
def test_linked_files_exist(page):
    links = re.findall(r"\]\(((?!http)[^)#]+)", page.read_text(encoding="utf-8"))
    written = [link for link in links if not MADE & set(Path(link).parts)]
    assert [link for link in written if not (page.parent / link).exists()] == []


def test_the_table_for_scikit_rebate_names_what_exists():
    table = (DOCS / "from-scikit-rebate.md").read_text(encoding="utf-8").split("|---|---|---|")[1]
    ours = [line.split("|")[3] for line in table.splitlines() if line.startswith("|")]
    called = set(re.findall(r"`(\w+)\(", "".join(ours))) - {"int", "get_support"}
    assert called == {
        *("ReliefF", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar", "TuRF", "IRelief"),
    }
    assert called <= set(hitmiss._LAZY)


def test_the_figures_of_stability_are_those_measured():
    measured = (ROOT / "benchmarks" / "stability.md").read_text(encoding="utf-8")
    table = (DOCS / "guide" / "ensembles.md").read_text(encoding="utf-8").split("|---|---|---|")[1]
    figures = re.findall(r"0\.\d{3}", table)
    assert len(figures) >= 14
    assert [figure for figure in figures if figure not in measured] == []


def test_contributing_shows_the_layers_that_are_enforced():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (chain,) = re.findall(r"^    _util →.*?cli$", text, re.MULTILINE | re.DOTALL)
    shown = [set(layer.replace(",", " ").split()) for layer in chain.split("→")]
    assert [*shown, {"__main__"}] == LAYERS
    tree = re.findall(r"^    (\w+)(?:/|\.py)  ", text, re.MULTILINE)
    assert sorted(tree) == sorted(set().union(*shown))


def test_files_that_contributing_names_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+(?:/|\.py|\.md))`", text)
    linked = re.findall(r"\]\(((?!http)[^)]+)\)", text)
    roots = (ROOT, ROOT / "src", ROOT / "src" / "hitmiss")
    lost = [name for name in {*named, *linked} if not any((r / name).exists() for r in roots)]
    assert len(named) > 20
    assert sorted(lost) == ["src/hitmiss/a/b.py", "tests/a/test_b.py"]  # stand for any


def built(root):
    """The documentation with its gallery, built from a copy so that the sources stay clean."""
    for part in ("benchmarks", "examples", "reproduce", "tests"):
        (root / part).symlink_to(ROOT / part)
    shutil.copy(ROOT / "CHANGELOG.md", root)  # its links are followed from where it really is
    shutil.copytree(DOCS, root / "docs", ignore=shutil.ignore_patterns(*MADE))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "docs", "site"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return root / "site"


def scroll_width(page, path, width):
    """How wide the page is in a window of that width; more than that scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(path.as_uri(), timeout=120_000)  # milliseconds: the machine may be busy
    return page.evaluate("document.documentElement.scrollWidth")


def public_members():
    for name in set(dir(hitmiss)) - {"__version__"}:
        value = getattr(hitmiss, name)
        inside = getattr(value, "__all__", []) if inspect.ismodule(value) else [None]
        yield from (
            f"hitmiss.{name}" if part is None else f"hitmiss.{name}.{part}" for part in inside
        )


@pytest.mark.full
@pytest.mark.long
def test_documentation_builds_without_a_warning(tmp_path):  # one test: the build is slow
    site = built(tmp_path)
    examples = {path.stem for path in (ROOT / "examples").glob("plot_*.py")}
    assert {path.stem for path in (site / "gallery").glob("plot_*.html")} == examples
    pages = {path.stem for path in (site / "api").glob("hitmiss.*.html")}
    assert sorted(set(public_members()) - pages) == []
    formulas = (site / "guide" / "lofe.html").read_text(encoding="utf-8")
    assert 'class="math' in formulas
    assert not re.findall(r'<(?:script|link)[^>]+(?:src|href)="https?:', formulas)  # no network
    shown = ("index", "which-method", "guide/real", "gallery/plot_leukemia")
    with chromium("documentation") as browser:
        page = browser.new_page()
        for name, width in product(shown, (400, 1400)):
            assert scroll_width(page, site / f"{name}.html", width) <= width, name
