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
    attributable: bool = False  # whether to test which discoveries are replaceable
    markers: bool = False  # whether every class is compared with the rest
    n_per_class: int | None = None  # features to select for each then
    tune: bool = False  # whether the settings are those of `--tune`

    def estimator(self) -> Any:
        """The method with its settings, not fitted."""
        from hitmiss.registry import make

        made = make(self.method, self.settings, seed=self.seed)
        if not self.markers:
            return made
        from hitmiss.estimators.markers import Markers

        return Markers(made, n_features_per_class=self.n_per_class, random_state=self.seed)
