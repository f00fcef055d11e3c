"""Markers: which features mark which class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.any_estimator import PER_SAMPLE, takes
from hitmiss._util.checks import check_choice, check_count
from hitmiss._util.errors import warn
from hitmiss._util.random import RandomStateLike
from hitmiss._util.ties import comparable
from hitmiss.data.features import Features
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.class_tests import ClassTestsMixin, against_rest, told_apart
from hitmiss.estimators.comparing import ComparingSelector
from hitmiss.estimators.delegated import OutOfCoreAsBase
from hitmiss.estimators.local_learner import LocalLearner
from hitmiss.estimators.lofe import LOFE
from hitmiss.estimators.marker_order import class_order, mean_differences, places_in
from hitmiss.targets.classes import AnyTarget, Classes, encode_labels


def _several_samples_each(y: ArrayLike) -> Classes:
    """The classes of labels, of which each must have two samples."""
    labels, counts = np.unique(np.asarray(y), return_counts=True)
    if len(labels) > 1 and counts.max() > 1 and counts.min() < 2:
        alone = labels[counts == 1].tolist()[0]
        raise ValueError(
            f"Class {alone!r} has a single sample, which does not show what marks it; leave it out "
            "or put it into another class."
        )
    return encode_labels(y)


class Markers(OutOfCoreAsBase, ClassTestsMixin, ComparingSelector):
    r"""The features that mark each class, every class against the rest.

    The base weighs the features for each class in turn, with all other classes as one. What does
    not depend on the labels (ranges, packed features, distances under unit weights) is found once.
    With LOFE as the base every answer has its certificate; of 1,000 samples or more each search
    begins with 500 and ends with all.

    A feature is *high* in a class if its mean there exceeds the mean over all other samples.

    Parameters
    ----------
    base : selector, default=None
        What weighs the features: any method of this library that fits all samples at once, such as
        ``LOFE(alpha=2)`` or ``ReliefF()``. None is ``LOFE()``. Its `scale` and `memory` are used;
        its `threshold`, `max_features`, `n_jobs` and `verbose` are not.
    n_features_per_class : int, default=None
        Number of features to select for each class, from the top of its ranking; a feature may be
        selected for several classes.
    direction : {"high", "both"}, default="high"
        "high" ranks features that are high in the class before those that are low there, and
        selects, unless a number is given, only those. "both" does not tell them apart and ranks by
        weight, also features that help only together with others.
    threshold : float, default=0.01
        A feature is selected for a class if its weight exceeds this share of the largest there;
        not used where a number of features is given.
    max_features : int, default=None
        Number of features to select in all, from the top of `ranking_`: the best of every class,
        then the second of every class, and so on. Not together with `n_features_per_class`.
    n_permutations : int, default=0
        Number of permutations of the labels by which every feature is tested for every class,
        such as 20; 0 for no test. One permutation serves all classes.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the permutations.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    class_weights_ : ndarray of shape (n_classes, n_features)
        Weights of the features for each class against the rest.
    class_importances_ : ndarray of shape (n_classes, n_features)
        What ranks the features: of LOFE the weight times the difference between the mean in the
        class and that of all other samples, in units of the feature's range, which is what the
        feature adds to the distance between the two; of other methods the weight, at least 0.
    class_scores_ : ndarray of shape (n_classes, n_features)
        What ranks features of equal importance, as the base has it.
    class_rankings_ : ndarray of shape (n_classes, n_features)
        All features for each class, best first. With ``direction="high"`` those that are high in
        the class come first and the strongest of those that are low come last.
    class_support_ : ndarray of bool, shape (n_classes, n_features)
        Which features are selected for which class.
    direction_ : ndarray of int, shape (n_classes, n_features)
        1 where the mean in the class is above that of all other samples, -1 where it is below, 0
        where both are equal.
    weights_ : ndarray of shape (n_features,)
        The largest weight over the classes, each divided by the largest of its class; with
        ``direction="high"`` only of the classes in which the feature is high.
    feature_importances_ : ndarray of shape (n_features,)
        The same.
    ranking_ : ndarray of shape (n_features,)
        All features by their best place in any class, then by weight.
    support_ : ndarray of bool, shape (n_features,)
        Which features are selected for any class.
    class_q_values_ : ndarray of shape (n_classes, n_features)
        Expected share of false ones among the features up to this one, for each class apart; with
        `n_permutations` only, as are the five that follow.
    class_p_values_ : ndarray of shape (n_classes, n_features)
        Share of all statistics under permuted labels that are as large: the probability of one
        feature alone, not adjusted for their number.
    class_p_value_ : ndarray of shape (n_classes,)
        Probability that a class is told from the rest as well if nothing is there.
    q_values_ : ndarray of shape (n_features,)
        The same as `class_q_values_` of the statement that a feature marks any of the classes.
    p_values_ : ndarray of shape (n_features,)
        Probability that any feature is as large for any class if nothing is there.
    p_value_ : float
        Probability that all classes together are explained as well if nothing is there.
    optimality_gaps_ : ndarray of shape (n_classes,)
        Certificate of every class, where the base has one; see `LOFE`.
    optimality_gap_ : float
        The largest of them.
    converged_ : ndarray of bool, shape (n_classes,)
        Whether every class has reached its fixed point, where the base has one.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    See Also
    --------
    hitmiss.anndata.rank_genes_groups : The same on AnnData, in the layout of scanpy.
    hitmiss.plotting.plot_markers : The markers of each class as a dot plot.

    Examples
    --------
    >>> import numpy as np
    >>> from hitmiss import Markers
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["B", "NK", "T"], 40)
    >>> X = rng.normal(size=(120, 50))
    >>> X[y == "B", 3] += 4
    >>> X[y == "NK", 7] += 4
    >>> X[y == "T", 9] += 4
    >>> markers = Markers(n_features_per_class=1).fit(X, y)
    >>> {label: found.tolist() for label, found in markers.markers().items()}
    {'B': [3], 'NK': [7], 'T': [9]}
    """

    def __init__(
        self,
        base: Any = None,
        *,
        n_features_per_class: int | None = None,
        direction: str = "high",
        threshold: float = 0.01,
        max_features: int | None = None,
        n_permutations: int = 0,
        n_jobs: int | None = None,
        random_state: RandomStateLike = None,
        verbose: bool = False,
    ):
        self.base = base
        self.n_features_per_class = n_features_per_class
        self.direction = direction
        self.threshold = threshold
        self.max_features = max_features
        self.n_permutations = n_permutations
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self) -> None:
        base = self._base()
        if not _is_for_classes(base):
            raise ValueError(
                "base must be a method of hitmiss that weighs features for classes, such as "
                f"LOFE(); got {base!r}."
            )
        if getattr(base, "checkpoint", None) is not None:
            raise ValueError("Markers keeps no checkpoint; leave that of base at None.")
        base._check_parameters()
        super()._check_parameters()
        check_choice("direction", self.direction, ("high", "both"))
        check_count("n_permutations", self.n_permutations, smallest=0)
        if self.n_features_per_class is not None:
            check_count("n_features_per_class", self.n_features_per_class)
            if self.max_features is not None:
                raise ValueError("Of n_features_per_class and max_features give one.")

    def _target_of(self, y: Any) -> AnyTarget:
        return _several_samples_each(y)

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what the fit of the base takes of every sample."""
        return tuple(name for name in PER_SAMPLE if takes(self._base(), name))

    def _check_width(self, n_features: int) -> None:
        super()._check_width(n_features)
        n = self.n_features_per_class
        if n is not None and n > n_features:
            raise ValueError(
                f"n_features_per_class={n} is more than the {n_features} features of X."
            )

    def _base(self) -> Any:
        return LOFE() if self.base is None else self.base

    @property
    def scale(self) -> str | None:
        """How the base scales the features."""
        return getattr(self._base(), "scale", "range")

    def _matrices(self, n_samples: int) -> int:
        return self._base()._matrices(n_samples)

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        base, each = self._opened_base(), told_apart(target)
        weight = getattr(base, "class_weight", None)
        targets = [against_rest(target, code, weight) for code in each]
        watched = features.workers.watched(targets, "classes")
        models = list(base._weigh_each(features, watched))
        models = models * (len(self.classes_) // len(models))  # of two classes one says it all
        self.class_weights_ = np.array([model.weights_ for model in models])
        self.class_scores_ = np.array([model._scores() for model in models])
        differences = mean_differences(features, target.classes)
        self.direction_ = np.sign(differences).astype(int)
        self.class_importances_ = np.maximum(self.class_weights_, 0.0)
        if isinstance(base, LocalLearner):  # whose weights are factors of differences
            self.class_importances_ *= np.abs(differences)
        if hasattr(models[0], "optimality_gap_"):
            self.optimality_gaps_ = np.array([model.optimality_gap_ for model in models])
            self.converged_ = np.array([model.converged_ for model in models])
        self._warn()
        if self.n_permutations:
            self._test(base, features, target)
        return self._relative().max(axis=0)

    def _opened_base(self) -> Any:
        base = clone(self._base()).set_params(**self._quiet())
        base.n_features_in_, base.classes_ = self.n_features_in_, np.array([False, True])
        base.n_missing_, base.categories_ = self.n_missing_, getattr(self, "categories_", {})
        return base

    def _quiet(self) -> dict[str, Any]:
        """Parameters of the base that are not its own here; its order would take a pass more."""
        known = self._base().get_params(deep=False)
        wanted = {"n_jobs": self.n_jobs, "verbose": False, "order": "weight"}
        return {name: value for name, value in wanted.items() if name in known}

    def _relative(self) -> NDArray:
        """Weights over the largest of each class, 0 where the direction is not the wanted one."""
        counted = np.maximum(self.class_weights_, 0.0)
        if self.direction == "high":
            counted = np.where(self.direction_ > 0, counted, 0.0)
        largest = counted.max(axis=1, keepdims=True)
        return counted / np.where(largest > 0, largest, 1.0)

    def _warn(self) -> None:
        """Warn of classes without markers, and of those whose fixed point was not reached."""
        empty = self.classes_[~(self.class_weights_ > 0).any(axis=1)].tolist()
        if empty:
            warn(
                f"No feature marks {_named(empty)}: the penalty or the noise is too strong; use a "
                "smaller alpha of the base, or more samples."
            )
        open_ones = self.classes_[~getattr(self, "converged_", np.ones(len(self.classes_), bool))]
        if len(open_ones):
            warn(
                f"Markers did not converge for {_named(open_ones.tolist())}; increase sigma, "
                "max_iter or tol of the base.",
                ConvergenceWarning,
            )

    @property
    def optimality_gap_(self) -> float:
        """The largest of the certificates of the classes, where the base has one."""
        return float(self.optimality_gaps_.max())

    @property
    def class_rankings_(self) -> NDArray:
        """All features for each class, best first."""
        ranked, signs = self.class_importances_, self.direction_
        if self.direction == "both":
            ranked, signs = np.maximum(self.class_weights_, 0.0), np.ones_like(signs)
        rows = zip(ranked, self.class_scores_, signs, strict=True)
        return np.array([class_order(*row) for row in rows])

    @property
    def ranking_(self) -> NDArray:
        """All features, best first: by the best place in any class, then by weight."""
        best_places = places_in(self.class_rankings_).min(axis=0)
        return np.lexsort((-comparable(self.weights_), best_places))

    @property
    def class_support_(self) -> NDArray:
        """Which features are selected for which class."""
        check_is_fitted(self)
        if self.n_features_per_class is not None:
            return places_in(self.class_rankings_) < self.n_features_per_class
        if self.max_features is None:
            return self._relative() > self.threshold
        places = places_in(self.class_rankings_)
        chosen = np.zeros(places.shape[1], bool)
        chosen[self.ranking_[: self.max_features]] = True
        found: NDArray = (places == places.min(axis=0)) * chosen
        return found

    @property
    def support_(self) -> NDArray:
        """Which features are selected for any class."""
        return np.asarray(self.class_support_.any(axis=0))

    def _get_support_mask(self) -> NDArray:
        return self.support_

    def markers(self, n_features: int | None = None) -> dict[Any, NDArray]:
        """The features of each class, best first.

        Parameters
        ----------
        n_features : int, default=None
            Number of features of each class; None for those that are selected.

        Returns
        -------
        dict
            From class label to indices of features.
        """
        check_is_fitted(self)
        labels = self.classes_.tolist()
        if n_features is not None:
            check_count("n_features", n_features, largest=self.n_features_in_)
            return dict(zip(labels, self.class_rankings_[:, :n_features], strict=True))
        rows = zip(labels, self.class_rankings_, self.class_support_, strict=True)
        return {label: order[chosen[order]] for label, order, chosen in rows}


def _is_for_classes(base: Any) -> bool:
    """Whether it is a method that weighs features for classes, not for numbers or times."""
    known = isinstance(base, BaseSelector) and not isinstance(base, Markers)
    return known and base.explains == "classes"


def _named(labels: list[Any]) -> str:
    *others, last = map(repr, labels)
    return f"class {last}" if not others else f"classes {', '.join(others)} and {last}"
