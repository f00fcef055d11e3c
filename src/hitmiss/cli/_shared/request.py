"""The request that `hitmiss select` and `hitmiss stability` carry out."""

from dataclasses import dataclass
from typing import Any

from hitmiss.cli._shared.table_file import TableFile


@dataclass(frozen=True)
class Request:
    """A table, a method with its settings, and how to measure the reliability of its result."""

    table_file: TableFile
    method: str
    settings: tuple[str, ...] = ()
    seed: int = 0
    n_subsamples: int = 0
    dask: str | None = None
    n_folds: int = 0
    n_permutations: int = 0
    fdr: float = 0.1
    explain: bool = False

    def estimator(self) -> Any:
        """The method with its settings, not fitted."""
        from hitmiss.registry import make

        return make(self.method, self.settings, seed=self.seed)
