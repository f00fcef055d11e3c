"""What the README shows works as pasted."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hitmiss.cli.app import app

ROOT = Path(__file__).parents[1]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.mark.full
def test_python_examples_run_one_after_the_other(capsys, tmp_path, monkeypatch):
    code = "\n".join(blocks("python"))
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "worst concave points" in printed


@pytest.mark.full
def test_commands_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^\.venv/bin/hitmiss ([^|\n]+)", "\n".join(blocks("sh")), re.MULTILINE)
    assert {line.split()[0] for line in lines} >= {"datasets", "select", "predict", "compare"}
    results = [CliRunner().invoke(app, shlex.split(line)) for line in lines]
    assert [result.output for result in results if result.exit_code] == []
    (verdict,) = blocks("text")
    assert results[1].stdout.startswith(verdict)
    selected = (tmp_path / "results" / "selected.txt").read_text().split()
    assert sorted(selected) == ["x0", "x1"]


def test_commands_exist_in_the_makefile():
    targets = re.findall(r"make (\w+)", "\n".join(blocks("sh")))
    makefile = (ROOT / "Makefile").read_text()
    assert {"demo", "test", "bench"} <= set(targets)
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_linked_files_exist():
    links = re.findall(r"\]\(((?!http)[^)]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_what_is_asked_of_the_machine_is_needed():
    text = (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    assert "C compiler" not in text


def test_tuning_is_found_where_the_parameters_are_named():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (paragraph,) = (part for part in text.split("\n\n") if part.startswith("Two parameters matter"))
    assert 'LOFE("auto", "auto")' in paragraph
    assert "hitmiss select --tune" in paragraph
    assert "(docs/guide/tuning.md)" in paragraph
