"""Tests mirror the source: tests/a/test_b.py tests src/hitmiss/a/b.py."""

from pathlib import Path

import pytest

import hitmiss

TESTS, SOURCE = Path(__file__).parent, Path(hitmiss.__file__).parent
PACKAGES = (path.parent.name for path in SOURCE.glob("*/__init__.py"))
ROOMS = sorted(name for name in PACKAGES if (TESTS / name).is_dir())
# Tests of several modules at once -> why no single module could hold them.
SPANNING = {
    "cli/test_process.py": "the installed command as a process: pipes, terminals, Ctrl-C",
    "data/test_same_answer.py": "five estimators on every kind of storage give one answer",
    "estimators/test_stability_on_data.py": "FREL, RELIEF, ensembles and stability measures",
    "estimators/test_comparing.py": "groups, strata, weights in every estimator",
    "plotting/test_degenerate.py": "every figure, of values that give it nothing to scale by",
    "report/test_browser.py": "report.js and report.css, in the page that a browser shows",
    "report/test_degenerate.py": "every chart, of values that give it nothing to scale by",
}


def has_module(test, source):
    """Whether the module, or the package, that a test is named after exists."""
    folder, name = source / Path(test).parent, Path(test).stem.removeprefix("test_")
    candidates = (f"{name}.py", f"_{name}.py", f"{name}/__init__.py")
    return any((folder / candidate).is_file() for candidate in candidates)


def misplaced(room, tests, source, spanning):
    """One sentence for each test of a room without a module, and for each needless exception."""
    there = sorted(path.relative_to(tests).as_posix() for path in (tests / room).rglob("test_*.py"))
    excepted = {test for test in spanning if test.startswith(f"{room}/")}
    lost = [test for test in there if test not in excepted and not has_module(test, source)]
    needless = [test for test in excepted if test not in there or has_module(test, source)]
    return [
        *(
            f"tests/{test}: there is no module of that name; rename it for the module it tests, or "
            "say in SPANNING of tests/test_mirror.py why it spans several."
            for test in lost
        ),
        *(f"tests/{test}: needs no entry in SPANNING." for test in sorted(needless)),
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_every_test_is_named_after_a_module(room):
    found = misplaced(room, TESTS, SOURCE, SPANNING)
    assert not found, "\n" + "\n".join(found)


def test_every_exception_is_in_a_room_and_has_a_reason():
    assert {test.partition("/")[0] for test in SPANNING} <= set(ROOMS)
    assert all(SPANNING.values())


@pytest.fixture
def house(tmp_path):
    """A made-up room `a` with the modules b, _c and d/e and a test of each."""
    for name in ("b.py", "_c.py", "d/__init__.py", "d/e.py"):
        path = tmp_path / "src" / "a" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in ("test_b.py", "test_c.py", "test_d.py", "d/test_e.py", "helper.py"):
        path = tmp_path / "tests" / "a" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "tests", tmp_path / "src"


def test_checker_accepts_a_mirror_and_finds_what_is_misplaced(house):
    tests, source = house
    assert misplaced("a", tests, source, {}) == []
    (tests / "a" / "d" / "test_b.py").touch()
    (sentence,) = misplaced("a", tests, source, {})
    assert sentence.startswith("tests/a/d/test_b.py: there is no module of that name")
    assert misplaced("a", tests, source, {"a/d/test_b.py": "why"}) == []


@pytest.mark.parametrize("test", ["a/test_b.py", "a/test_gone.py"])
def test_checker_finds_needless_exceptions(house, test):
    assert misplaced("a", *house, {test: "why"}) == [f"tests/{test}: needs no entry in SPANNING."]
