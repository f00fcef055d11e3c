"""The house: imports point down, few files at the root, numba in the kernels, one name once."""

import ast
from pathlib import Path

import pytest

import hitmiss

# Lowest first. A room may import any lower layer, and itself, but not its neighbors.
LAYERS = [
    {"_util"},
    {"kernels"},
    {"targets"},
    {"data", "losses", "penalties", "solvers"},  # a solver is handed its loss and its penalty
    {"neighbors"},
    {"lofe", "weighting"},
    {"online"},
    {"inference"},
    {"estimators"},
    {"metrics", "datasets", "io", "plotting"},
    {"report"},
    {"__init__"},  # the public names: what `from hitmiss import ...` reaches
    {"registry"},
    {"persistence", "marker_genes"},
    {"anndata"},
    {"cli"},
    {"__main__"},
]
LEVEL = {unit: level for level, units in enumerate(LAYERS) for unit in units}
NUMBA_USERS = {"kernels", "_util"}  # _util names its version
FILES_AT_THE_ROOT = 12
# Rooms that show a thing which lives elsewhere: as an estimator, a kernel, a figure, a command, or
# learned from one sample at a time. A file there may have the name of the thing.
SHOWN_ONLY = {"margins"}  # margin vectors have a kernel and a figure, but no file of their own
VIEWS = {"estimators", "kernels", "plotting", "cli", "online"}


def is_type_checking(node):
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def import_nodes(node):
    """Import statements anywhere below `node` that are run, functions included.

    Imports for type checkers only name what a module receives; it does not depend on them.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif is_type_checking(child):
            for branch in child.orelse:
                yield from import_nodes(ast.Module([branch], []))
        else:
            yield from import_nodes(child)


def imported_names(node, package):
    """Absolute dotted names that one import statement inside `package` asks for."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    parts = package.split(".")[: 1 - node.level or None] if node.level else []
    base = ".".join([*parts, node.module] if node.module else parts)
    return [f"{base}.{alias.name}" for alias in node.names]


def imports(root):
    """(file, line, unit, dotted name) of every import in the package at `root`."""
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        unit = inside.parts[0].removesuffix(".py")
        package = ".".join([root.name, *inside.parts[:-1]])
        for node in import_nodes(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported_names(node, package):
                yield inside, node.lineno, unit, name


def unit_of(name, root):
    """The part of the package that `name` belongs to, or None if it is from elsewhere."""
    package, _, rest = name.partition(".")
    if package != root.name:
        return None
    unit = rest.partition(".")[0]
    exists = (root / f"{unit}.py").is_file() or (root / unit).is_dir()
    return unit if unit and (exists or unit in LEVEL) else "__init__"


def layer_violations(root):
    """One readable sentence per import that breaks the order, and per part without a place."""
    units = {p.name.removesuffix(".py") for p in root.iterdir() if p.suffix == ".py" or p.is_dir()}
    unplaced = sorted(u for u in units - {"__pycache__"} if u not in LEVEL)
    found = [
        f"{unit} is in no layer: say where it belongs in LAYERS of tests/test_architecture.py."
        for unit in unplaced
    ]
    for path, line, unit, name in imports(root):
        target = unit_of(name, root)
        if target in (None, unit) or unit in unplaced or target in unplaced:
            continue
        distance = LEVEL[unit] - LEVEL[target]
        if distance <= 0:
            side = "beside" if distance == 0 else "above"
            found.append(
                f"{root.name}/{path}:{line}: {unit} imports {target} ({name}), which is {side} it; "
                "imports point down, never up or sideways."
            )
    return found


def numba_violations(root):
    return [
        f"{root.name}/{path}:{line}: {unit} imports numba; only {sorted(NUMBA_USERS)} may."
        for path, line, unit, name in imports(root)
        if name.partition(".")[0] == "numba" and unit not in NUMBA_USERS
    ]


def root_violations(root):
    files = sorted(path.name for path in root.glob("*.py"))
    if len(files) <= FILES_AT_THE_ROOT:
        return []
    return [f"{len(files)} files at the root ({', '.join(files)}); each needs a room."]


def name_violations(root):
    """One sentence per file name that stands for two things."""
    rooms = {}
    for path in root.rglob("*.py"):
        if path.name not in ("__init__.py", "__main__.py"):
            rooms.setdefault(path.name, []).append(path.relative_to(root).parts[0])
    return [
        f"{name} is in {', '.join(sorted(places))}; one name, one thing."
        for name, places in sorted(rooms.items())
        if len(places) > 1 and not is_one_thing(name.removesuffix(".py"), places, root)
    ]


def is_one_thing(name, places, root):
    """Whether the files of one name show one thing: that of one room, or a room of that name."""
    things = set(places) - VIEWS
    if len(set(places)) < len(places) or len(things) > 1:
        return False
    return len(things) == 1 or (root / name).is_dir() or name in SHOWN_ONLY


def report(violations):
    return "\n" + "\n".join(violations)


def test_imports_point_down():
    found = layer_violations(Path(hitmiss.__file__).parent)
    assert not found, report(found)


def test_numba_stays_in_the_kernels():
    found = numba_violations(Path(hitmiss.__file__).parent)
    assert not found, report(found)


def test_the_root_holds_few_files():
    found = root_violations(Path(hitmiss.__file__).parent)
    assert not found, report(found)


def test_a_file_name_stands_for_one_thing():
    found = name_violations(Path(hitmiss.__file__).parent)
    assert not found, report(found)


@pytest.fixture
def house(tmp_path):
    """A made-up package of the given files."""

    def build(files):
        root = tmp_path / "hitmiss"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return build


SOUND = {
    "__init__.py": "from hitmiss._util.a import b\nif TYPE_CHECKING:\n    from hitmiss import io",
    "_util/a.py": "import numpy",
    "kernels/jit.py": "import numba",
    "kernels/margins.py": "from hitmiss.kernels.jit import kernel\nfrom .jit import other",
    "data/features.py": "from hitmiss.kernels import margins\nfrom hitmiss import _util",
    "losses.py": "import scipy.special",
    "solvers/cd.py": "if TYPE_CHECKING:\n    from hitmiss.losses import Loss",
    "estimators/base.py": "from ..data.features import Features",
    "plotting/margins.py": "",
    "io/text.py": "import io, csv",
    "cli/demo.py": "import hitmiss\nfrom hitmiss import LOFE\nfrom hitmiss.estimators import base",
}


def test_checker_accepts_a_sound_house(house):
    assert layer_violations(house(SOUND)) == []
    assert numba_violations(house(SOUND)) == []
    assert root_violations(house(SOUND)) == []
    assert name_violations(house(SOUND)) == []


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("losses.py", "import hitmiss.estimators.base", "losses.py:1: losses imports estimators"),
        ("losses.py", "\nfrom hitmiss import lofe", "losses.py:2: losses imports lofe"),
        ("losses.py", "from . import data", "losses imports data"),
        ("losses.py", "from .data.features import Features", "losses imports data"),
        ("losses.py", "from hitmiss import LOFE", "losses imports __init__"),
        ("losses.py", "import hitmiss", "losses imports __init__"),
        ("losses.py", "from hitmiss import metrics", "losses imports metrics"),
        ("solvers/cd.py", "from ..losses import Logistic", "solvers imports losses"),
        ("solvers/cd.py", "def f():\n    from hitmiss.lofe import x", "solvers imports lofe"),
        (
            "solvers/cd.py",
            "if TYPE_CHECKING:\n    pass\nelse:\n    import hitmiss.losses",
            "beside",
        ),
        ("kernels/jit.py", "from ..data import features", "kernels imports data"),
        ("_util/a.py", "from hitmiss.kernels import jit", "_util imports kernels"),
        ("__init__.py", "from hitmiss import cli", "__init__ imports cli"),
        ("gadgets.py", "", "gadgets is in no layer: say where it belongs"),
        ("gadgets/b.py", "import hitmiss.io", "gadgets is in no layer"),
    ],
)
def test_checker_catches_a_violation(house, path, text, sentence):
    (found,) = layer_violations(house({**SOUND, path: text}))
    assert sentence in found


def test_checker_says_in_which_direction_an_import_points(house):
    (sideways,) = layer_violations(house({**SOUND, "losses.py": "import hitmiss.penalties"}))
    assert "which is beside it; imports point down, never up or sideways" in sideways
    (upward,) = layer_violations(house({**SOUND, "losses.py": "import hitmiss.io"}))
    assert "which is above it" in upward


def test_checker_catches_numba_outside_the_kernels(house):
    (found,) = numba_violations(house({**SOUND, "losses.py": "from numba import njit"}))
    assert "losses.py:1: losses imports numba" in found


def test_checker_catches_a_crowded_root(house):
    (found,) = root_violations(house(SOUND | {f"part{k}.py": "" for k in range(11)}))
    assert "13 files at the root" in found


@pytest.mark.parametrize("second", ["io/features.py", "data/sources/features.py", "features.py"])
def test_checker_catches_a_name_of_two_things(house, second):
    (found,) = name_violations(house({**SOUND, second: ""}))
    assert found.startswith("features.py is in data, ")


def test_checker_catches_a_name_with_nothing_behind_it(house):
    files = {**SOUND, "kernels/gadget.py": "", "cli/gadget.py": ""}
    (found,) = name_violations(house(files))
    assert found.startswith("gadget.py is in cli, kernels")
