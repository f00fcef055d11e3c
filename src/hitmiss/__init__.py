"""Feature selection by nearest hits and misses: the public names.

They load on first use, because an estimator brings numba and scikit-learn with it and
``import hitmiss`` should stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hitmiss._util.versions import __version__, show_versions

if TYPE_CHECKING:
    from hitmiss import anndata as anndata
    from hitmiss import datasets as datasets
    from hitmiss import inference as inference
    from hitmiss import io as io
    from hitmiss import metrics as metrics
    from hitmiss import persistence as persistence
    from hitmiss import plotting as plotting
    from hitmiss import registry as registry
    from hitmiss import report as report
    from hitmiss.estimators.fdr_selector import FDRSelector as FDRSelector
    from hitmiss.estimators.frel import FREL as FREL
    from hitmiss.estimators.frel import Lmba as Lmba
    from hitmiss.estimators.irelief import IRelief as IRelief
    from hitmiss.estimators.irelief import RIRelief as RIRelief
    from hitmiss.estimators.lofe import LOFE as LOFE
    from hitmiss.estimators.lofe_regressor import LOFERegressor as LOFERegressor
    from hitmiss.estimators.lofe_survival import LOFESurvival as LOFESurvival
    from hitmiss.estimators.lofecv import LOFECV as LOFECV
    from hitmiss.estimators.markers import Markers as Markers
    from hitmiss.estimators.online_irelief import OnlineIRelief as OnlineIRelief
    from hitmiss.estimators.online_lofe import OnlineLOFE as OnlineLOFE
    from hitmiss.estimators.relief import Relief as Relief
    from hitmiss.estimators.relief import ReliefF as ReliefF
    from hitmiss.estimators.relief import RReliefF as RReliefF
    from hitmiss.estimators.sample_weights import margin_sample_weights as margin_sample_weights
    from hitmiss.estimators.simba import Simba as Simba
    from hitmiss.estimators.surf import RSURF as RSURF
    from hitmiss.estimators.surf import SURF as SURF
    from hitmiss.estimators.surf import MultiSURF as MultiSURF
    from hitmiss.estimators.surf import MultiSURFStar as MultiSURFStar
    from hitmiss.estimators.surf import RMultiSURF as RMultiSURF
    from hitmiss.estimators.surf import SURFStar as SURFStar
    from hitmiss.estimators.univariate import FisherScore as FisherScore
    from hitmiss.estimators.univariate import KolmogorovSmirnov as KolmogorovSmirnov
    from hitmiss.estimators.wrappers import BackwardElimination as BackwardElimination
    from hitmiss.estimators.wrappers import Ensemble as Ensemble
    from hitmiss.estimators.wrappers import TuRF as TuRF

# Public name -> the module that holds it, or that it is.
_LAZY = {
    "BackwardElimination": "hitmiss.estimators.wrappers",
    "Ensemble": "hitmiss.estimators.wrappers",
    "FDRSelector": "hitmiss.estimators.fdr_selector",
    "FREL": "hitmiss.estimators.frel",
    "FisherScore": "hitmiss.estimators.univariate",
    "IRelief": "hitmiss.estimators.irelief",
    "KolmogorovSmirnov": "hitmiss.estimators.univariate",
    "LOFE": "hitmiss.estimators.lofe",
    "LOFECV": "hitmiss.estimators.lofecv",
    "LOFERegressor": "hitmiss.estimators.lofe_regressor",
    "LOFESurvival": "hitmiss.estimators.lofe_survival",
    "Lmba": "hitmiss.estimators.frel",
    "Markers": "hitmiss.estimators.markers",
    "MultiSURF": "hitmiss.estimators.surf",
    "MultiSURFStar": "hitmiss.estimators.surf",
    "OnlineIRelief": "hitmiss.estimators.online_irelief",
    "OnlineLOFE": "hitmiss.estimators.online_lofe",
    "RIRelief": "hitmiss.estimators.irelief",
    "RMultiSURF": "hitmiss.estimators.surf",
    "RReliefF": "hitmiss.estimators.relief",
    "RSURF": "hitmiss.estimators.surf",
    "Relief": "hitmiss.estimators.relief",
    "ReliefF": "hitmiss.estimators.relief",
    "SURF": "hitmiss.estimators.surf",
    "SURFStar": "hitmiss.estimators.surf",
    "Simba": "hitmiss.estimators.simba",
    "TuRF": "hitmiss.estimators.wrappers",
    "anndata": "hitmiss.anndata",
    "datasets": "hitmiss.datasets",
    "inference": "hitmiss.inference",
    "io": "hitmiss.io",
    "margin_sample_weights": "hitmiss.estimators.sample_weights",
    "metrics": "hitmiss.metrics",
    "persistence": "hitmiss.persistence",
    "plotting": "hitmiss.plotting",
    "registry": "hitmiss.registry",
    "report": "hitmiss.report",
}

# Modules are attributes only: `from hitmiss import *` would hide `io` and `anndata` of others.
__all__ = [
    "__version__",
    "show_versions",
    *(name for name, home in _LAZY.items() if home != f"hitmiss.{name}"),
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'hitmiss' has no attribute {name!r}")
    module = import_module(_LAZY[name])
    value = module if module.__name__ == f"hitmiss.{name}" else getattr(module, name)
    globals()[name] = value  # found directly from now on
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY})
