"""Methods of LOFE's Table 2 and variants of LOFE, each with its tuning."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from hitmiss import LOFE, BackwardElimination, IRelief, KolmogorovSmirnov, Simba
from reproduce.experiments.baselines.ams import AMS
from reproduce.experiments.baselines.rfe import KernelRFE
from reproduce.experiments.steps import tuning
from reproduce.harness.experiment import Plan, Record

SELECTORS = ("lofe", "irelief_bs", "ks", "ams_1000", "rfe_rbf", "simba")  # as published
STRONGEST = "lofe, strongest"  # penalty within one standard error of the best score
EVIDENCE = "lofe, evidence"  # the penalty of largest evidence
FIXED = {  # method -> σ and α
    f"lofe, {sigma:g}/{alpha:g}": (sigma, alpha)
    for sigma in (1.0, 2.0, 5.0)
    for alpha in (3.0, 1.0, 0.3)
}
LITERAL = "lofe, Algorithm 1"  # to the letter, σ = 2, α = 1
MARGIN = "lofe_margin"  # tuned as LOFE, features ordered by mean margin instead of by weight
BOTH = "lofe_both"  # tuned as LOFE; features with a weight first, then by mean margin
AUTO = "lofe_auto"  # the same order, σ = 2, α what noise does not exceed
ORDERED = {f"lofe, 2/1, {order}": order for order in ("margin", "both")}  # σ = 2, α = 1
WEIGHTED = "lofe_weighted"  # the SVM on what LOFE selects by itself, times the weights
FIXED_SIGMA, FIXED_ALPHA = 2.0, 1.0
AS_PRINTED = {"solver": "paper", "tol": 0.01, "max_iter": 10}  # Algorithm 1, which may cycle


class MarginOrder(BaseEstimator):
    """All features by their mean margin under the neighbors that LOFE finds.

    That is one step of I-RELIEF, every sample counting alike, from the weights of LOFE.
    """

    def __init__(self, sigma=2.0, alpha=1.0):
        self.sigma = sigma
        self.alpha = alpha

    def fit(self, X, y):
        weights = lofe(self.sigma, self.alpha).fit(X, y).weights_
        step = IRelief(self.sigma, outliers=False, init=weights, max_iter=1, n_jobs=1)
        self.ranking_ = step.fit(X, y).ranking_
        return self


class TuningData(NamedTuple):
    """What the tuning of a method may use; `lofe` is the record of LOFE, if it is needed."""

    train: tuple[np.ndarray, np.ndarray]
    run: int
    plan: Plan
    svm: dict[str, float]
    lofe: Record


class Method(NamedTuple):
    """How a method is tuned, to "parameters" and what else is kept, and built from them."""

    tune: Callable[[TuningData], Record]
    build: Callable[..., Any]


def cross_validated(data):
    best, strongest = tuning.tuned_lofe(*data.train, data.run, data.plan)
    return {"parameters": best, "strongest": strongest}


def as_lofe(data):
    return {"parameters": data.lofe["parameters"]}


def largest_evidence(data):
    found = lofe(FIXED_SIGMA, "evidence").fit(*data.train)
    return {"parameters": {"sigma": FIXED_SIGMA, "alpha": round(found.alpha_, 4)}}


def given(**parameters):
    return lambda data: {"parameters": parameters}


def irelief_bs(sigma):
    return BackwardElimination(IRelief(sigma), n_jobs=1)


lofe = partial(LOFE, order="weight", n_jobs=1)
METHODS = {
    "lofe": Method(cross_validated, lofe),
    STRONGEST: Method(lambda data: {"parameters": data.lofe["strongest"]}, lofe),
    EVIDENCE: Method(largest_evidence, lofe),
    LITERAL: Method(given(sigma=FIXED_SIGMA, alpha=FIXED_ALPHA, **AS_PRINTED), lofe),
    **{name: Method(given(sigma=s, alpha=a), lofe) for name, (s, a) in FIXED.items()},
    MARGIN: Method(as_lofe, MarginOrder),
    BOTH: Method(as_lofe, partial(LOFE, order="both", n_jobs=1)),
    AUTO: Method(given(sigma=FIXED_SIGMA, alpha="auto"), partial(LOFE, order="both", n_jobs=1)),
    **{
        name: Method(
            given(sigma=FIXED_SIGMA, alpha=FIXED_ALPHA), partial(LOFE, order=order, n_jobs=1)
        )
        for name, order in ORDERED.items()
    },
    "irelief_bs": Method(
        lambda data: {"parameters": {"sigma": data.lofe["parameters"]["sigma"]}}, irelief_bs
    ),
    "ks": Method(given(), partial(KolmogorovSmirnov, n_jobs=1)),
    "ams_1000": Method(lambda data: {"parameters": {"C": data.svm["C"]}}, AMS),
    "rfe_rbf": Method(lambda data: {"parameters": data.svm}, KernelRFE),
    "simba": Method(
        lambda data: {"parameters": {"random_state": data.run}},
        partial(Simba, "sigmoid", n_jobs=1),
    ),
}
NEEDS_LOFE = (STRONGEST, MARGIN, BOTH, WEIGHTED, "irelief_bs")
