"""LOFECV: LOFE with kernel width and penalty chosen by cross-validation."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import check_scoring
from sklearn.model_selection import StratifiedGroupKFold, check_cv

from hitmiss._util.checks import check_choice, check_positive
from hitmiss._util.progress import Progress
from hitmiss._util.ties import at_least, first_smallest
from hitmiss._util.workers import each_result, n_threads
from hitmiss.data.features import Features
from hitmiss.estimators.local_learning import decreasing
from hitmiss.estimators.lofe import LOFE, LocalLearner
from hitmiss.estimators.prediction import LocalClassifier
from hitmiss.estimators.selector import Single, Weighed, Weigher
from hitmiss.estimators.target_kinds import (
    NOTHING,
    ClassWeight,
    PerSample,
    samples_of,
    with_samples,
)
from hitmiss.targets.classes import encode_labels
from hitmiss.targets.target import Target

FOLD_TOL = 1e-2  # tolerance in the folds: on 100 samples mean scores differ from those of 1e-5 by
# at most 0.02, two of the samples
FOLD_ITERATIONS = 15  # at most in the folds: a path begins each fit at the one before
PROCESS_VALUES = 500_000_000  # in all models together: below, starting processes costs more


@dataclass(eq=False, repr=False)
class LOFECV(LocalClassifier, LocalLearner):
    r"""`LOFE` with kernel width and strength of the penalty chosen by cross-validation.

    In every fold and for every kernel width the whole path of penalties is solved, from strong to
    weak, each solution leading to the next. The pair of best mean score is then fitted to all
    samples.

    Parameters
    ----------
    sigmas : float or sequence of float, default=(0.5, 1.0, 2.0, 4.0)
        Kernel widths to try.
    alphas : array-like or int, default=20
        Strengths of the penalty to try, or how many: then from the smallest that makes every
        weight zero down to 0.03 of it, in equal ratios.
    cv : int, splitter or iterable, default=5
        How to split, as in scikit-learn: a whole number means stratified folds, in which groups
        stay together if `fit` is given any. A splitter such as GroupKFold is given them too.
    scoring : str, callable or None, default=None
        What to score by, as in scikit-learn; None is the accuracy of the classifier that comes
        with the weights.
    rule : {"best", "one-standard-error"}, default="best"
        Which strength to take: the one of best mean score, or the strongest whose mean score is
        within one standard error of it, for fewer features. The kernel width is that of the
        best score.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range, that of the training samples in a fold.
        Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : {"auto", "soft", "ones"} or array-like of shape (n_features,), default="auto"
        Start, as in `LOFE`.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select from the top of `ranking_`, instead of `threshold`.
    order : {"both", "weight", "margin"}, default="both"
        What `ranking_` follows, as in `LOFE`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the loss, which multiply those of the samples. "balanced" gives
        every class the same in all.
    tol : float, default=1e-5
        The iteration stops when the weights change by less than this, relative to their norm; in
        the folds by less than 1e-2, or after 15 iterations.
    max_iter : int, default=200
        Largest number of iterations from one start.
    n_init : int, default=0
        Restarts from random supports near the best fixed point, which pay where the kernel is
        narrow and fixed points are many; of the fit to all samples.
    n_jobs : int, default=None
        Number of threads, or of processes where there is much to do; None means all cores. The
        result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    sigma_, alpha_ : float
        Kernel width and strength of the penalty in use.
    best_score_ : float
        Mean score of the best pair.
    cv_results_ : dict of ndarray
        A row per pair: sigma, alpha, mean_test_score, std_test_score, rank_test_score,
        mean_n_features, and ``split0_test_score`` and so on.
    weights_ : ndarray of shape (n_features,)
        Weights of the features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        Gradient of the fit at the fixed point over `alpha_`, as in `LOFE`.
    mean_margins_ : ndarray of shape (n_features,)
        Mean over the samples of the margin in each feature alone, as in `LOFE`, unless `order` is
        "weight".
    ranking_ : ndarray of shape (n_features,)
        All features, best first, by `order`.
    optimality_gap_ : float
        Certificate of the weights, as in `LOFE`.
    objective_ : float
        Objective at `weights_`.
    loo_error_ : float
        Share of training samples misclassified when each is left out in turn.
    converged_ : bool
        Whether the fixed point was reached and `optimality_gap_` is at most 1e-3.
    n_iter_ : int
        Number of iterations from the start that won, in the fit to all samples.
    history_ : list of dict
        A row per iteration of that fit, as in `LOFE`.
    init_ : str
        The start that won.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    categories_ : dict
        Levels of each nominal feature, by its index; None where its numbers are the levels.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    Y. Sun, S. Todorovic, S. Goodison (2010). Local-learning-based feature selection for
    high-dimensional data analysis. IEEE TPAMI 32(9), 1610-1626, section 5.

    Examples
    --------
    >>> from hitmiss import LOFECV, datasets
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=80, random_state=0, return_X_y=True)
    >>> model = LOFECV(sigmas=2.0, alphas=5).fit(X, y)
    >>> len(model.cv_results_["alpha"])
    5
    >>> bool(model.best_score_ > 0.8)
    True
    """

    sigmas: float | ArrayLike = (0.5, 1.0, 2.0, 4.0)
    alphas: ArrayLike | int = 20
    _: KW_ONLY
    cv: Any = 5
    scoring: Any = None
    rule: str = "best"
    order: str = "both"
    class_weight: ClassWeight = None

    _out_of_core = False
    _pair_nanoseconds = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("rule", self.rule, ("best", "one-standard-error"))
        if not len(self._sigmas()):
            raise ValueError("sigmas holds no kernel width; give at least one.")
        for sigma in self._sigmas():
            check_positive("sigmas", sigma, largest=np.inf)

    def _sigmas(self) -> list[Any]:
        return np.atleast_1d(np.asarray(self.sigmas)).tolist()

    def _weigher(self) -> Weigher:
        return Single(self._weigh)

    def _weigh(self, features: Features, target: Target) -> Weighed:
        local, sigmas = self._learning(), [float(sigma) for sigma in self._sigmas()]
        points = local.fixed_points(features, target)
        alphas = decreasing(self.alphas, lambda: max(map(points.largest_alpha, sigmas)))
        sigma, alpha, chosen = self._choose(features.raw_values(), target, sigmas, alphas)
        found = points.solve(sigma, alpha)
        learned = local.learned(points, found) | chosen
        why = "in cross-validation no penalty that keeps a feature predicts better"
        local.warn(found, features, converged=learned["converged_"], why_empty=why)
        return Weighed(found.w, learned)

    def _member(self, sigma: float) -> LOFE:
        """The estimator of a fold."""
        return LOFE(
            sigma,
            scale=self.scale,
            missing=self.missing,
            categorical=self._nominal(),
            init=self.init,
            tol=max(self.tol, FOLD_TOL),
            max_iter=min(self.max_iter, FOLD_ITERATIONS),
            threshold=self.threshold,
            max_features=self.max_features,
            order=self.order,
            class_weight=self.class_weight,
            n_jobs=1,
        )

    def _choose(
        self, X: NDArray, target: Target, sigmas: list[float], alphas: NDArray
    ) -> tuple[float, float, dict[str, Any]]:
        """The pair that the folds prefer, and their scores."""
        samples, known = samples_of(target), target.classes
        with warnings.catch_warnings():
            # Classes of a single sample have a warning of their own; small ones miss in some folds.
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            cv = self._splitter(known.codes, samples.groups)
            folds = list(cv.split(X, known.codes, samples.groups))
        y = known.labels[known.codes]
        calls = [
            delayed(path_scores)(
                self._member(sigma),
                X,
                y,
                rows,
                alphas,
                self.scoring,
                samples,
            )
            for sigma in sigmas
            for rows in folds
        ]
        progress = Progress() if self.verbose else None
        # Processes take seconds to start, and threads wait for each other between kernels.
        n_values = X.size * len(calls) * len(alphas)
        prefer = "processes" if n_values > PROCESS_VALUES else "threads"
        found = each_result(calls, n_threads(self.n_jobs), progress, "cross-validation", prefer)
        shape = (len(sigmas), len(folds), len(alphas))
        scores, n_features = (
            np.array(each).reshape(shape).swapaxes(1, 2) for each in zip(*found, strict=True)
        )
        mean = scores.mean(axis=2)
        best, k = np.unravel_index(first_smallest(-mean.ravel()), mean.shape)
        best_score = float(mean[best, k])
        if self.rule == "one-standard-error":
            error = scores[best, k].std(ddof=1) / np.sqrt(len(folds))
            k = np.flatnonzero(at_least(mean[best], mean[best, k] - error))[0]
        results = _results(sigmas, alphas, scores, n_features)
        learned = {"cv_results_": results, "best_score_": best_score}
        return sigmas[best], float(alphas[k]), learned

    def _splitter(self, codes: NDArray, groups: ArrayLike | None) -> Any:
        """Splitter of the samples; groups stay together if a number of folds is given."""
        if groups is None or not isinstance(self.cv, Integral):
            return check_cv(self.cv, codes, classifier=True)
        n_groups = len(np.unique(groups))
        if n_groups < int(self.cv):
            raise ValueError(
                f"cv={self.cv} folds need as many groups, and there are {n_groups}; use "
                f"cv={n_groups} or fewer."
            )
        return StratifiedGroupKFold(int(self.cv))


def _results(
    sigmas: list[float], alphas: NDArray, scores: NDArray, n_features: NDArray
) -> dict[str, NDArray]:
    """The table `cv_results_`."""
    n_folds = scores.shape[2]
    rows = scores.reshape(-1, n_folds)
    mean = rows.mean(axis=1)
    return {
        "sigma": np.repeat(sigmas, len(alphas)),
        "alpha": np.tile(alphas, len(sigmas)),
        **{f"split{k}_test_score": rows[:, k] for k in range(n_folds)},
        "mean_test_score": mean,
        "std_test_score": rows.std(axis=1),
        "rank_test_score": 1 + (mean[:, None] < mean).sum(axis=1),
        "mean_n_features": n_features.reshape(-1, n_folds).mean(axis=1),
    }


def path_scores(
    model: LOFE,
    X: NDArray,
    y: NDArray,
    rows: tuple[NDArray, NDArray],
    alphas: NDArray,
    scoring: Any,
    samples: PerSample = NOTHING,
) -> tuple[list[float], list[int]]:
    """Scores on the test rows, and numbers of features with a weight, along the path.

    Parameters
    ----------
    model : LOFE
        With the kernel width.
    X : ndarray of shape (n_samples, n_features)
        Samples.
    y : ndarray of shape (n_samples,)
        Class labels.
    rows : tuple of ndarray
        Training and test samples.
    alphas : ndarray
        Strengths of the penalty.
    scoring : str, callable or None
        As in scikit-learn.
    samples : PerSample
        What is given of every sample.
    """
    train, test = rows
    scorer = check_scoring(model, scoring)
    model = model._for_path()
    target = with_samples(encode_labels(y[train]), samples.of(train), model.class_weight)
    model.n_features_in_, model.classes_ = X.shape[1], target.classes.labels
    if model.categorical is not None:
        model.categories_ = dict.fromkeys(np.asarray(model.categorical).tolist())
    scores, sizes = [], []
    opened = model._open(X[train], target)
    ranked = model.max_features is not None  # else no ranking selects anything
    for fitted in model._fitted_path(opened, alphas, ranked=ranked):
        scores.append(float(scorer(fitted, X[test], y[test])))
        sizes.append(int(np.count_nonzero(fitted.weights_)))
    return scores, sizes
