"""Imports of reproduce point one way: harness <- experiments <- pages <- __main__."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "reproduce"
# Each may import those before it; the first is a method of a paper that no experiment uses.
LAYERS = ("evidence_bound", "harness", "experiments", "pages", "__main__")
PAPERS = {"lofe", "irelief", "frel", "online", "batches"}


def imported(own, tree):
    """Names that the module `own` imports from reproduce, anywhere in it, as tuples of parts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = own[: -node.level] if node.level else ()
            base = (*base, *(node.module or "").split("."))
            names = [(*filter(None, base), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            continue
        yield from (name for name in names if name[0] == "reproduce")


def problem_of(own, target):
    """What is wrong with an import of `target` in the module `own`; empty if it is in order."""
    if own[1] == "__init__" or not set(target[1:2]) & set(LAYERS):
        return "imports a module in no layer"
    if LAYERS.index(target[1]) > LAYERS.index(own[1]):
        return f"is in {own[1]}, below {target[1]}"
    if own[1] == "experiments" and target[1] == "harness" and target[2:3] != ("experiment",):
        return "is an experiment, which knows neither storage nor pages"
    paper, other = (PAPERS.intersection(parts[2:3]) for parts in (own, target))
    if own[1] in ("experiments", "pages") and other and other != paper:
        return "imports a module of another paper"
    return ""


def violations(root):
    """One line per import that points the wrong way, and per module in no layer."""
    for path in sorted(root.rglob("*.py")):
        own = ("reproduce", *path.relative_to(root).with_suffix("").parts)
        if own[1] not in (*LAYERS, "__init__"):
            yield f"{'.'.join(own)} is in no layer"
            continue
        for target in imported(own, ast.parse(path.read_text(encoding="utf-8"))):
            if problem := problem_of(own, target):
                yield f"{'.'.join(own)} {problem}: {'.'.join(target)}"


def test_imports_point_one_way():
    assert list(violations(ROOT)) == []


@pytest.fixture
def tree(tmp_path):
    """A made-up tree of one module."""

    def build(name, text):
        path = tmp_path / "reproduce" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        return path.parents[len(Path(name).parts) - 1]

    return build


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("experiments/lofe/fig2.py", "from reproduce.pages.lofe import fig2", "below pages"),
        ("experiments/lofe/fig2.py", "from ...pages.lofe import fig2", "below pages"),
        ("experiments/lofe/fig2.py", "from reproduce.harness import readme", "nor pages"),
        ("experiments/lofe/fig2.py", "import reproduce.experiments.frel.fig2", "another paper"),
        ("experiments/steps/knn.py", "import reproduce.experiments.lofe.fig2", "another paper"),
        ("harness/store.py", "from reproduce.experiments.lofe.fig2 import SETS", "below experim"),
        ("pages/aims.py", "def f():\n    import reproduce.__main__", "below __main__"),
        ("lofe_table2.py", "from reproduce import lofe_table2_page", "in no layer"),
        ("pages/aims.py", "from reproduce import EXPERIMENTS", "in no layer"),
    ],
)
def test_an_import_the_wrong_way_is_named(name, text, problem, tree):
    (found,) = violations(tree(name, text))
    assert problem in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("experiments/lofe/fig8.py", "from reproduce.experiments.lofe.table2 import SETS"),
        ("experiments/lofe/fig8.py", "from reproduce.harness.experiment import Key"),
        ("pages/lofe/fig8.py", "from reproduce.experiments.lofe.table2 import SETS\nimport numpy"),
        ("pages/lofe/fig8.py", "from reproduce.pages.names import shown"),
        ("__main__.py", "from reproduce.pages.contents import NAMES"),
    ],
)
def test_imports_in_order_pass(name, text, tree):
    assert list(violations(tree(name, text))) == []
