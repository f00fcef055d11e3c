"""How often the code of a section has changed, by the history of a made-up repository."""

import shutil
import sys
from pathlib import Path

import pytest

import hitmiss
from benchmarks import __main__ as pages
from benchmarks.machine import git
from benchmarks.stale import PAGES, mark_all, marked, unmarked

TABLE = "| what | ours, s |\n|---|---|\n| a fit (1234567) | 1 |\n"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Three commits of LOFE, then one of a reader; their hashes."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-settings"))
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    root, commits = tmp_path / "house", []
    root.mkdir()
    git("init", "-q", folder=root)
    for k, name in enumerate(
        ("lofe/search.py", "estimators/lofecv.py", "lofe/search.py", "io/a.py")
    ):
        path = root / "src" / "hitmiss" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(k))
        git("add", ".", folder=root)
        git("commit", "-q", "-m", name, folder=root)
        commits.append(git("rev-parse", "--short", "HEAD", folder=root))
    return root, commits


def section(name, *stamps):
    return f"# Page\n\n## {name}\n\n" + "\n".join(f"{stamp}\n" for stamp in stamps) + f"\n{TABLE}"


def mark(text, root):
    """The line under the heading, if there is one."""
    _, _, body = marked(text, "requirements.md", root).partition("## lofe\n\n")
    first = body.split("\n\n")[0]
    return first if first.startswith("Measured") else ""


@pytest.mark.parametrize(
    ("first", "line"),
    [
        (0, "Measured 2 changes of this code ago."),
        (1, "Measured 1 change of this code ago."),
        (2, ""),
    ],
)
def test_commits_that_touched_the_code_since_are_counted(repository, first, line):
    root, commits = repository
    text = section("lofe", f"2026-11-18, a machine, hitmiss 0.2.0 ({commits[first]}+), numpy 2.")
    assert mark(text, root) == line


def test_of_several_commits_the_oldest_counts(repository):
    root, commits = repository
    text = section(
        "lofe",
        f"2026-11-18, a machine, hitmiss 0.2.0 ({commits[2]}), numpy 2.",
        f"Stored results were made with: a machine, 2026-11-18 ({commits[0]}, {commits[1]}).",
    )
    assert mark(text, root) == "Measured up to 2 changes of this code ago."


def test_without_a_commit_the_date_decides(repository):
    root, _ = repository
    assert mark(section("lofe", "2001-11-18, a machine."), root) == (
        "Measured at least 3 changes of this code ago."
    )
    assert mark(section("lofe", "2099-11-18, a machine."), root) == ""


def test_counting_again_changes_nothing_and_sections_of_no_code_stay(repository):
    root, commits = repository
    text = section("lofe", f"2026-11-18 ({commits[0]})") + section("other", "2001-11-18")
    once = marked(text, "requirements.md", root)
    assert once.count("Measured") == 1
    assert marked(once, "requirements.md", root) == once
    assert unmarked(once) == text


def test_without_the_whole_history_the_page_stays(repository, tmp_path):
    root, commits = repository
    git("clone", "-q", "--depth", "1", root.as_uri(), "shallow", folder=tmp_path)
    (tmp_path / "none").mkdir()
    text = section("lofe", f"2026-11-18 ({commits[0]})")
    for place in ("shallow", "none"):
        assert marked(text, "requirements.md", tmp_path / place) == text
    unknown = section("lofe", "2026-11-18 (abcdef0)")
    assert marked(unknown, "requirements.md", root) == unknown


def test_every_section_has_code_that_exists():
    assert set(PAGES["requirements.md"]) == set(pages.MODULES)
    folder = Path(hitmiss.__file__).parent
    paths = {path for code in PAGES.values() for paths in code.values() for path in paths}
    assert [path for path in sorted(paths) if not list(folder.glob(path))] == []


def test_every_page_has_the_headings(tmp_path):
    for name, code in PAGES.items():
        text = (Path(pages.__file__).parent / name).read_text(encoding="utf-8")
        headings = {line.lstrip("# ") for line in text.splitlines() if line.startswith("#")}
        assert set(code) - headings <= {"truth"}  # which has a page of its own
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    mark_all(tmp_path)
    for name in PAGES:
        text = (Path(pages.__file__).parent / name).read_text(encoding="utf-8")
        assert unmarked((tmp_path / name).read_text(encoding="utf-8")) == unmarked(text)


def test_the_option_runs_no_benchmark(monkeypatch, tmp_path):
    path = tmp_path / "requirements.md"
    path.write_text("# Page\n\n## lofe\n\n2026-11-18, here.\n\n" + TABLE)
    monkeypatch.setattr(pages, "REQUIREMENTS", path)
    monkeypatch.setattr(pages, "README", tmp_path / "README.md")
    monkeypatch.setattr(pages, "mark_all", lambda: path.write_text("## lofe\n\nMeasured.\n"))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--stale", "nothing"])
    pages.main()
    assert "## LOFE\n\nMeasured." in (tmp_path / "README.md").read_text()
