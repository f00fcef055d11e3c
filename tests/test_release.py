"""What a release needs: files that build and install, and metadata that agree with each other."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from cffconvert.cli.create_citation import create_citation
from packaging.requirements import Requirement

import hitmiss

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
RECIPE = yaml.safe_load((ROOT / "packaging/conda-forge/recipe.yaml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def run(*command, cwd=None):
    """Run a command that sees nothing of this checkout but the packages it depends on."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel built from it, by the tools that are here: no network is needed."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def empty(built, tmp_path_factory):
    """An environment with the wheel alone; its dependencies are those of the tests, unseen."""
    home = tmp_path_factory.mktemp("empty")
    run(sys.executable, "-m", "venv", "--without-pip", home)
    (wheel,) = built.glob("*.whl")
    install = ("install", "--no-deps", "--no-index", "--quiet", wheel)
    run(sys.executable, "-m", "pip", "--python", home, *install)
    (packages,) = home.glob("[lL]ib/**/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])
    return next(folder for name in ("bin", "Scripts") if (folder := home / name).is_dir())


@pytest.mark.full
def test_wheel_and_sdist_are_what_pypi_takes(built):
    files = sorted(path.name for path in built.iterdir())
    version = hitmiss.__version__
    assert files == [f"hitmiss-{version}-py3-none-any.whl", f"hitmiss-{version}.tar.gz"]
    run(sys.executable, "-m", "twine", "check", "--strict", *built.iterdir())


def imported_by(path):
    """First parts of the names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def files(pattern):
    """Files of the checkout by a pattern, but for those in hidden folders, such as environments."""
    found = (path.relative_to(ROOT) for path in ROOT.glob(pattern))
    return {path.as_posix() for path in found if not any(p.startswith(".") for p in path.parts)}


@pytest.mark.full
def test_the_sdist_has_what_its_tests_read(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    modules = {name for path in (ROOT / "tests").rglob("*.py") for name in imported_by(path)}
    packages = modules & {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {"benchmarks", "fuzz", "reproduce", "tests"}
    code = {name for part in packages for name in files(f"{part}/**/*.py")}
    pages = files("*.md") | files("docs/*.md") | files("docs/guide/*.md")
    results = {"benchmarks/stability.md", "fuzz/results.json", "docs/images/spiral.png"}
    others = {"Makefile", "examples/plot_spiral.py", "packaging/conda-forge/recipe.yaml"}
    workflows = {path.relative_to(ROOT).as_posix() for path in WORKFLOWS}
    assert sorted((code | pages | results | others | workflows) - shipped) == []


@pytest.mark.full
def test_the_readme_of_the_package_has_no_relative_link(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode()
    place = "https://raw.githubusercontent.com/hitmiss/hitmiss/main/docs/images/spiral.png"
    assert f"({place})" in text
    assert re.findall(r"\]\((?!https:)[^)]*\)", text) == []


@pytest.mark.full
def test_two_commands_lead_from_the_wheel_to_a_report(empty, tmp_path):
    assert "select" in run(empty / "hitmiss", "--help")
    run(empty / "hitmiss", "datasets", "xor", "--out", "xor.csv", cwd=tmp_path)
    choice = ("--target", "class", "--out", "results")
    run(empty / "hitmiss", "select", "xor.csv", *choice, cwd=tmp_path)
    assert (tmp_path / "results" / "report.html").stat().st_size > 20_000
    place = run(empty / "python", "-c", "import hitmiss; print(hitmiss.__file__)")
    assert Path(place.strip()).is_relative_to(empty.parent)


def test_extras_are_for_users_and_all_of_them_are_in_all():
    assert not EXTRAS.keys() & PROJECT["dependency-groups"].keys()
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == EXTRAS.keys() - {"all"}
    groups = PROJECT["dependency-groups"]
    needed = {group["include-group"] for group in groups["dev"]}
    assert needed == groups.keys() - {"dev", "peers"}  # which a benchmark takes if they are there


@pytest.mark.parametrize(
    ("name", "words"),
    [("CODE_OF_CONDUCT.md", "Contributor Covenant"), ("SECURITY.md", "vulnerability report")],
)
def test_the_rules_of_conduct_and_security_are_here_and_say_whom_to_tell(name, words):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert words in text
    assert "maintainer" in text
    assert "private" in text


def test_the_project_says_where_to_find_it():
    assert PROJECT["project"]["urls"].keys() >= {"Source", "Documentation", "Issues", "Changelog"}


def test_the_recipe_of_conda_forge_asks_for_the_same():
    asked = {Requirement(line.replace(" ", "")) for line in RECIPE["requirements"]["run"][1:]}
    assert asked == set(map(Requirement, [*PROJECT["project"]["dependencies"], *EXTRAS["cli"]]))
    assert RECIPE["context"]["version"] == hitmiss.__version__
    assert f">={RECIPE['context']['python_min']}" == PROJECT["project"]["requires-python"]


def test_the_citation_is_valid_and_of_this_version():
    citation = create_citation(str(ROOT / "CITATION.cff"), None)
    citation.validate()
    assert yaml.safe_load(citation.cffstr)["version"] == hitmiss.__version__


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_load_and_call_what_exists(path):
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}  # jobs ask for more one by one
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {
        f"{name}:" for name, _ in re.findall(r"run: make ([a-z-]+)( [A-Z]|$)", text, re.MULTILINE)
    }
    assert all(f"\n{target}" in makefile for target in targets)
    groups = set(re.findall(r"--group (\w+)", text))
    assert groups <= PROJECT["dependency-groups"].keys()
    tests = re.findall(r"pytest (tests/\S+)", text)
    assert all((ROOT / name).exists() for name in tests)


def jobs(name):
    """The jobs of a workflow."""
    path = ROOT / ".github" / "workflows" / f"{name}.yml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def test_every_python_that_is_promised_is_tested():
    tested = jobs("test")["suite"]["strategy"]["matrix"]["python"]
    prefix = "Programming Language :: Python :: 3."
    promised = [c for c in PROJECT["project"]["classifiers"] if c.startswith(prefix)]
    assert [f"Programming Language :: Python :: {version}" for version in tested] == promised


def test_every_system_is_tested_and_tried_before_a_release():
    systems = ["ubuntu-latest", "macos-latest", "windows-latest"]
    for name, job in (("test", "suite"), ("release", "try")):
        assert jobs(name)[job]["strategy"]["matrix"]["os"] == systems
        assert jobs(name)[job]["runs-on"] == "${{ matrix.os }}"


def test_publishing_needs_no_password():
    publish = jobs("release")["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    uses = [step for step in publish["steps"] if "gh-action-pypi-publish" in step["uses"]]
    assert [step.get("with") for step in uses] == [None]  # no token


def test_the_oldest_dependencies_are_the_lower_bounds():
    lines = run(sys.executable, ROOT / "tools" / "oldest.py").split()
    bounds = [line.replace(">=", "==") for line in PROJECT["project"]["dependencies"]]
    assert lines[: len(bounds)] == bounds
