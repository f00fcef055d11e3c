"""Modules that have moved: the old public names work for one more release, with a warning."""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module, util
from importlib.abc import InspectLoader, Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

from hitmiss._util.warnings import warn

# Old name -> where the module is now; to be removed in version 0.3.
MOVED = {
    "hitmiss.adata": "hitmiss.anndata",
    "hitmiss.demo": "hitmiss.cli.demo",
    "hitmiss.methods": "hitmiss.registry",
    "hitmiss.models": "hitmiss.persistence",
    "hitmiss.online_lofe": "hitmiss.online.lofe",  # named by pickles of OnlineLOFE
    "hitmiss.reservoir": "hitmiss.online.reservoir",  # and of both online estimators
    "hitmiss.sources": "hitmiss.data.sources",
    "hitmiss.sources.annotated": "hitmiss.data.sources.array_sources",
    "hitmiss.sources.base": "hitmiss.data.sources",
    "hitmiss.sources.chunked": "hitmiss.data.sources.array_sources",
    "hitmiss.sources.lazy": "hitmiss.data.sources.array_sources",
    "hitmiss.sources.mapped": "hitmiss.data.sources.array_sources",
    "hitmiss.sources.parquet": "hitmiss.data.sources.parquet",
    "hitmiss.sources.sparse": "hitmiss.data.sources.array_sources",
}


class MovedModules(MetaPathFinder, Loader):
    """Imports an old name as the module that has taken its place.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", DeprecationWarning)
    ...     import hitmiss.models
    >>> hitmiss.models.__name__
    'hitmiss.persistence'
    """

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """A spec for the old names, None for all others."""
        return ModuleSpec(fullname, self, origin=MOVED[fullname]) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module that has moved in the place of the empty one."""
        old = module.__name__
        warn(_message(old), DeprecationWarning)
        sys.modules[old] = import_module(MOVED[old])

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module that has moved, for ``python -m`` with the old name."""
        # No line of the user's code leads here. Python shows warnings of this kind in __main__.
        warnings.warn_explicit(
            _message(fullname), DeprecationWarning, f"python -m {fullname}", 1, module="__main__"
        )
        spec = util.find_spec(MOVED[fullname])
        loader = None if spec is None else spec.loader
        return loader.get_code(MOVED[fullname]) if isinstance(loader, InspectLoader) else None


def _message(old: str) -> str:
    return f"{old} is now {MOVED[old]}; the old name goes in hitmiss 0.3."


def install() -> None:
    """Let imports of the old names succeed."""
    # First in line: the path of a package that has moved would load its modules a second time.
    sys.meta_path.insert(0, MovedModules())
