"""All methods by name: ours and its peers, each from training samples to a list of features."""

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hitmiss import LOFE, IRelief, MultiSURF, ReliefF
from hitmiss.metrics import peer

LONGEST = 50  # features of a list


class Method(NamedTuple):
    """What makes an estimator from a seed, and how often it is run."""

    make: Callable
    title: str
    ours: bool = True
    package: str | None = None  # that must be installed
    repeats: int | None = None  # at most; None for all

    @property
    def installed(self):
        return self.package is None or importlib.util.find_spec(self.package) is not None


def lofe(**settings):
    return lambda seed: LOFE(n_jobs=1, tol=1e-4, **settings)


def other(name):
    return lambda seed: peer(name, seed=seed)


METHODS = {
    "lofe": Method(lofe(), "LOFE()"),
    "lofe-weight": Method(lofe(order="weight"), 'LOFE(order="weight")'),
    "lofe-1-both": Method(lofe(alpha=1.0), "LOFE(alpha=1)"),
    "lofe-1-margin": Method(lofe(alpha=1.0, order="margin"), 'LOFE(alpha=1, order="margin")'),
    "lofe-1-weight": Method(lofe(alpha=1.0, order="weight"), 'LOFE(alpha=1, order="weight")'),
    "lofe-tuned": Method(lofe(sigma="auto"), 'LOFE("auto", "auto")'),
    "irelief": Method(lambda seed: IRelief("auto", n_jobs=1), 'IRelief("auto")'),
    "irelief-1": Method(lambda seed: IRelief(n_jobs=1), "IRelief(1), the paper's width"),
    "relieff": Method(lambda seed: ReliefF(n_jobs=1), "ReliefF()"),
    "multisurf": Method(lambda seed: MultiSURF(n_jobs=1), "MultiSURF()"),
    "f-test": Method(other("f-test"), "F-test", ours=False),
    "mutual-information": Method(
        other("mutual-information"), "mutual information", ours=False, repeats=3
    ),
    "mrmr": Method(other("mrmr"), "mRMR (FCQ)", ours=False),
    "l1": Method(other("l1"), "L1 path", ours=False),
    "forest": Method(other("forest"), "random forest", ours=False),
    "svm-rfe": Method(other("svm-rfe"), "SVM-RFE", ours=False),
    "boruta": Method(other("boruta"), "BorutaPy 0.4", ours=False, package="boruta", repeats=1),
}


def ranked(method, part, seed):
    """The longest list of a method, best first.

    Parameters
    ----------
    method : Method
        Which one.
    part : Part
        Whose training samples it is given.
    seed : int
        For a method that draws random numbers.

    Returns
    -------
    ndarray of int
    """
    X = part.X.astype(np.float32) if method.ours else part.X
    return method.make(seed).fit(X, part.y).ranking_[:LONGEST]
