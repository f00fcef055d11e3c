import ast
import inspect
import pydoc
import subprocess
import sys
from importlib.metadata import requires, version
from importlib.resources import files

import pytest

import hitmiss


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_import_loads_no_heavy_package():  # its time is measured by benchmarks/lofe.py
    code = "import sys, hitmiss; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(run_python(code).split())
    assert "hitmiss" in loaded
    assert loaded.isdisjoint({"joblib", "matplotlib", "numba", "numpy", "scipy", "sklearn"})


def test_a_relief_method_loads_neither_dask_nor_trees():
    code = "import sys; from hitmiss import ReliefF; ReliefF(); print(*sys.modules)"
    loaded = set(run_python(code).split())
    assert "hitmiss.estimators.relief" in loaded
    foreign = {name.partition(".")[0] for name in loaded}
    assert foreign.isdisjoint({"anndata", "dask", "distributed", "matplotlib"})
    others = {"data.dask", "data.cluster", "data.sources.array_sources", "neighbors.tiles", "lofe"}
    assert loaded.isdisjoint(f"hitmiss.{name}" for name in others)


def test_public_names_resolve():
    # In a fresh process, because here a name may have been loaded before.
    code = (
        "import hitmiss;"
        "print(all(getattr(hitmiss, n) is getattr(hitmiss, n) for n in dir(hitmiss)))"
    )
    assert run_python(code) == "True"
    assert {*hitmiss.__all__, "io", "anndata", "report"} <= set(dir(hitmiss))


@pytest.mark.full
def test_a_star_hides_no_module_of_others():
    code = "import io; from hitmiss import *; io.StringIO(); print('LOFE' in globals())"
    assert run_python(code) == "True"
    assert not [name for name in hitmiss.__all__ if inspect.ismodule(getattr(hitmiss, name))]


def test_public_names_are_what_they_are_called():
    from hitmiss import LOFE, datasets

    assert LOFE.__name__ == "LOFE"
    assert datasets.__name__ == "hitmiss.datasets"


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'hitmiss' has no attribute 'LOFT'"):
        hitmiss.LOFT  # noqa: B018


def test_type_checkers_see_the_lazy_names():
    source = files("hitmiss").joinpath("__init__.py").read_text(encoding="utf-8")
    (block,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imported = {alias.asname for node in block.body for alias in node.names}
    assert imported == set(hitmiss._LAZY)


def public_callables():
    """Public functions, classes and methods with their names."""
    for name in dir(hitmiss):
        value = getattr(hitmiss, name)
        parts = getattr(value, "__all__", []) if inspect.ismodule(value) else []
        for item in [getattr(value, part) for part in parts] or [value]:
            methods = inspect.getmembers(item, inspect.isfunction) if inspect.isclass(item) else []
            own = [(name, method) for name, method in methods if not name.startswith("_")]
            yield from [(name, item), *own] if callable(item) else []


def test_help_shows_names_of_types_not_what_they_expand_to():
    signatures = [(name, str(inspect.signature(item))) for name, item in public_callables()]
    assert len(signatures) > 200
    assert [name for name, text in signatures if "_typing" in text] == []
    assert "X: 'ArrayLike'" in pydoc.render_doc(hitmiss.LOFE.fit)


def test_version_is_that_of_the_installed_package():
    assert hitmiss.__version__ == version("hitmiss")


def test_show_versions_names_everything_that_matters(capsys):
    hitmiss.show_versions()
    lines = capsys.readouterr().out.splitlines()
    names = [line[:16].strip() for line in lines]
    assert names == [
        *("hitmiss", "python", "platform", "numpy", "scipy", "scikit-learn", "numba", "joblib"),
        *("cores", "threading layer"),
    ]
    assert all(line[16:].strip() for line in lines)
    assert lines[3].split() == ["numpy", version("numpy")]


def test_types_are_shipped():
    assert files("hitmiss").joinpath("py.typed").is_file()


def test_runtime_dependencies_are_the_five():
    runtime = {r.split(">")[0] for r in requires("hitmiss") if "extra ==" not in r}
    assert runtime == {"numpy", "scipy", "scikit-learn", "numba", "joblib"}
