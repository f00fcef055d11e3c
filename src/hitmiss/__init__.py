"""Feature selection by nearest hits and misses: the public names.

They load on first use, because an estimator brings numba and scikit-learn with it and
``import hitmiss`` should stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hitmiss._versions import __version__, show_versions

if TYPE_CHECKING:
    from hitmiss import datasets as datasets
    from hitmiss.estimators.lofe import LOFE as LOFE

# Public name -> the module that holds it, or that it is.
_LAZY = {
    "LOFE": "hitmiss.estimators.lofe",
    "datasets": "hitmiss.datasets",
}

__all__ = ["__version__", "show_versions", *_LAZY]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'hitmiss' has no attribute {name!r}")
    module = import_module(_LAZY[name])
    value = module if module.__name__ == f"hitmiss.{name}" else getattr(module, name)
    globals()[name] = value  # found directly from now on
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
