"""Methods of others by name, each a selector that ranks all features."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import mutual_info_classif
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from hitmiss._util.errors import InputError, optional
from hitmiss._util.text import suggestion
from hitmiss._util.ties import first_smallest
from hitmiss.metrics.anova import f_and_p
from hitmiss.metrics.any_selector import ImportanceSelector

N_TREES = 500  # the default of R's randomForest
MRMR_LIST = 200  # features that are chosen one by one; the others follow by their F
RFE_SHARE = 0.2  # of the features that go in a round
L1_STEPS = 12  # strengths of the path, each a third weaker than the one before
L1_RATIO = 1.5
L1_STRONGEST = 0.01  # of C: on standardized features it leaves next to nothing


class L1Path(BaseEstimator):
    """Linear SVM with an L1 penalty; features rank by the strongest penalty that they survive.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Number of the strengths at which a feature has a coefficient, and its share of the
        coefficients at the weakest.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the path from a strong penalty to a weak one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, standardized.
        y : array-like of shape (n_samples,)
            Class labels.
        """
        entered = np.zeros(np.shape(X)[1])
        for k in range(L1_STEPS):
            model = LinearSVC(
                C=L1_STRONGEST * L1_RATIO**k, penalty="l1", dual=False, class_weight="balanced"
            ).set_params(random_state=0, max_iter=300, tol=1e-3)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # only the order matters
                size = np.abs(model.fit(X, y).coef_).sum(axis=0)
            entered += size > 0
        self.feature_importances_ = entered + size / (1 + size.sum())
        return self


class MRMR(BaseEstimator):
    """Minimum redundancy, maximum relevance: F over the mean correlation with those chosen.

    Attributes
    ----------
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    feature_importances_ : ndarray of shape (n_features,)
        The F of each feature.

    References
    ----------
    C. Ding, H. Peng (2005). Minimum redundancy feature selection from microarray gene expression
    data. J. Bioinform. Comput. Biol. 3(2), 185-205: FCQ.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Choose features one by one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        """
        Z = StandardScaler().fit_transform(np.asarray(X, float))
        Z /= np.sqrt(len(Z))
        relevance = f_scores(X, y)
        redundancy, left, chosen = np.zeros(Z.shape[1]), np.ones(Z.shape[1], bool), []
        for k in range(min(MRMR_LIST, Z.shape[1])):
            mean = redundancy / k if k else np.ones_like(redundancy)
            worth = np.where(left, relevance / np.maximum(mean, 1e-3), -1.0)
            best = int(first_smallest(-worth))
            chosen.append(best)
            left[best] = False
            redundancy += np.abs(Z[:, best] @ Z)
        rest = np.argsort(-relevance, kind="stable")
        self.ranking_ = np.concatenate([chosen, rest[left[rest]]]).astype(int)
        self.feature_importances_ = relevance
        return self


class SVMRFE(BaseEstimator):
    """Recursive elimination by a linear SVM: a fifth of the features goes in every round.

    Attributes
    ----------
    ranking_ : ndarray of shape (n_features,)
        All features, best first: those that stayed longer, those of one round by their weight.
    feature_importances_ : ndarray of shape (n_features,)
        1 over the place in the ranking.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik (2002). Gene selection for cancer classification
    using support vector machines. Machine Learning 46, 389-422.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Eliminate features until none is left.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, standardized.
        y : array-like of shape (n_samples,)
            Class labels.
        """
        data, svm = np.asarray(X), SVC(kernel="linear", class_weight="balanced")
        left, gone = np.arange(data.shape[1]), []
        while len(left):
            weights = np.square(svm.fit(data[:, left], y).coef_).sum(axis=0)
            worst = np.argsort(weights, kind="stable")[: max(1, int(RFE_SHARE * len(left)))]
            gone.append(left[worst])
            left = np.delete(left, worst)
        self.ranking_ = np.concatenate(gone)[::-1]
        self.feature_importances_ = np.empty(len(self.ranking_))
        self.feature_importances_[self.ranking_] = 1 / np.arange(1, len(self.ranking_) + 1)
        return self


class Scores(BaseEstimator):
    """A score of every feature by itself.

    Parameters
    ----------
    score : callable
        From X and y to a number per feature.
    """

    def __init__(self, score: Callable[[ArrayLike, ArrayLike], NDArray]):
        self.score = score

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Score the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        """
        self.feature_importances_ = self.score(X, y)
        return self


class Boruta(BaseEstimator):
    """BorutaPy with a forest: confirmed features first, each group by its mean importance.

    Parameters
    ----------
    random_state : int, default=0
        Seed of the forests.
    """

    def __init__(self, random_state: int = 0):
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Compare the features with their shadows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        """
        boruta = optional("boruta", extra="compare")
        forest = RandomForestClassifier(n_jobs=1, class_weight="balanced", max_depth=5)
        model = boruta.BorutaPy(forest, n_estimators="auto", random_state=self.random_state)
        model.fit(np.asarray(X), np.asarray(y))
        history = np.nan_to_num(model.importance_history_[1:]).mean(axis=0)
        self.feature_importances_ = history
        self._support = model.support_
        self.ranking_ = np.lexsort((-history, model.ranking_))
        return self

    def get_support(self) -> NDArray:
        """Mask of the confirmed features."""
        return self._support


def f_scores(X: ArrayLike, y: ArrayLike) -> NDArray:
    """F of each feature as a finite number; 0 where it is constant."""
    return np.nan_to_num(f_and_p(X, y)[0], posinf=np.finfo(float).max)


def mutual_information(X: ArrayLike, y: ArrayLike) -> NDArray:
    """Mutual information of each feature and the classes, by nearest neighbors."""
    return mutual_info_classif(X, y, random_state=0)


def _forest(seed: int) -> Any:
    return RandomForestClassifier(N_TREES, class_weight="balanced", n_jobs=1, random_state=seed)


def _boruta(seed: int) -> Any:
    optional("boruta", extra="compare")
    return Boruta(seed)


PEERS: dict[str, Callable[[int], Any]] = {
    "f-test": lambda seed: Scores(f_scores),
    "mutual-information": lambda seed: Scores(mutual_information),
    "mrmr": lambda seed: MRMR(),
    "l1": lambda seed: make_pipeline(StandardScaler(), L1Path()),
    "forest": _forest,
    "svm-rfe": lambda seed: make_pipeline(StandardScaler(), SVMRFE()),
    "boruta": _boruta,
}


def peer(name: str, max_features: int | None = None, *, seed: int = 0) -> ImportanceSelector:
    """A method of others.

    Parameters
    ----------
    name : str
        "f-test", "mutual-information", "mrmr", "l1", "forest", "svm-rfe" or "boruta", which needs
        the extra "compare".
    max_features : int, default=None
        Number of features to select.
    seed : int, default=0
        Of methods that draw random numbers.

    Returns
    -------
    ImportanceSelector
        Not fitted.

    Examples
    --------
    >>> from hitmiss import datasets
    >>> from hitmiss.metrics import peer
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=80, random_state=0, return_X_y=True)
    >>> bool((peer("l1").fit(X, y).ranking_[:5] < 20).all())
    True
    """
    if name not in PEERS:
        hint = suggestion(name, PEERS, f"there are {', '.join(PEERS)}.")
        raise InputError(f"There is no peer {name!r}; {hint}")
    return ImportanceSelector(PEERS[name](seed), max_features)
