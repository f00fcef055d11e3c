"""Markers: which features mark which class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.checks import check_choice, check_count
from hitmiss._util.errors import warn
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss._util.ties import comparable
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.estimators.class_tests import Calibration, ClassTests, against_rest, told_apart
from hitmiss.estimators.lofe import LOFE, LocalLearner
from hitmiss.estimators.selector import OutOfCoreAsBase, Weighed, Weigher, weighs
from hitmiss.estimators.target_kinds import ClassWeight, ForMarkers
from hitmiss.inference.permutation import Statistic
from hitmiss.targets.classes import Classes
from hitmiss.targets.target import Target


@dataclass(eq=False, repr=False)
class Markers(OutOfCoreAsBase):
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
        Mask of the features selected for each class.
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
        Mask of the features selected for any class.
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

    base: Any = None
    _: KW_ONLY
    n_features_per_class: int | None = None
    direction: str = "high"
    threshold: float = 0.01
    n_permutations: int = 0
    random_state: RandomStateLike = None

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

    @property
    def _kind(self) -> ForMarkers:
        return ForMarkers()

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
        """Scaling of the features, as in the base."""
        return getattr(self._base(), "scale", "range")

    def _matrices(self, n_samples: int) -> int:
        matrices: int = self._base()._matrices(n_samples)
        return matrices

    def _weigher(self) -> Weigher:
        base = self._base()
        known = base.get_params(deep=False)
        # Its order would take a pass more.
        quiet = {"n_jobs": self.n_jobs, "verbose": False, "order": "weight"}
        base = clone(base).set_params(**{k: value for k, value in quiet.items() if k in known})
        base._see(self).classes_ = np.array([False, True])
        return EachClass(
            base._weigher(),
            getattr(base, "class_weight", None),
            isinstance(base, LocalLearner),
            self.direction,
            int(self.n_permutations),
            self.random_state,
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
        """Mask of the features selected for each class."""
        check_is_fitted(self)
        if self.n_features_per_class is not None:
            return places_in(self.class_rankings_) < self.n_features_per_class
        if self.max_features is None:
            relative = relative_weights(self.class_weights_, self.direction_, self.direction)
            return relative > self.threshold
        places = places_in(self.class_rankings_)
        chosen = np.zeros(places.shape[1], bool)
        chosen[self.ranking_[: self.max_features]] = True
        found: NDArray = (places == places.min(axis=0)) * chosen
        return found

    @property
    def support_(self) -> NDArray:
        """Mask of the features selected for any class."""
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


@dataclass
class EachClass(Weigher):
    """Weights of the features for every class against the rest."""

    base: Weigher
    class_weight: ClassWeight  # of the base
    factors: bool  # whether weights are factors of differences
    direction: str
    n_permutations: int
    random_state: RandomStateLike

    def weigh(self, features: Features, target: Target) -> Weighed:
        """Weights for one target."""
        codes, labels = told_apart(target), target.classes.labels
        targets = [against_rest(target, code, self.class_weight) for code in codes]
        found = list(self.base.weigh_each(features, features.workers.watched(targets, "classes")))
        found = found * (len(labels) // len(found))  # of two classes one says it all
        weights = np.array([each.weights for each in found])
        differences = mean_differences(features, target.classes)
        importances = np.maximum(weights, 0.0)
        if self.factors:
            importances *= np.abs(differences)
        learned = {
            "class_weights_": weights,
            "class_scores_": np.array([each.scores for each in found]),
            "direction_": np.sign(differences).astype(int),
            "class_importances_": importances,
        }
        if "optimality_gap_" in found[0].learned:
            learned["optimality_gaps_"] = np.array([e.learned["optimality_gap_"] for e in found])
            learned["converged_"] = np.array([each.learned["converged_"] for each in found])
        _warn(labels, weights, learned.get("converged_"))
        if self.n_permutations:
            tests, rng = self._tests(features, target), as_generator(self.random_state)
            learned |= tests.by_permutation(target, self.n_permutations, rng)
        relative = relative_weights(weights, learned["direction_"], self.direction)
        return Weighed(relative.max(axis=0), learned)

    def shared(self, features: Features, targets: Iterable[Target]) -> Calibration:
        """Learn from some permuted labels what noise reaches for each class."""
        permuted = list(targets)
        return self._tests(features, permuted[0]).calibrated(permuted)

    def statistics(
        self, features: Features, targets: Iterable[Target], shared: Calibration
    ) -> Iterator[Statistic]:
        """One statistic of all classes for each of the targets."""
        for target in targets:
            (found,) = self._tests(features, target).statistics([target], shared)
            yield shared.combined(found)

    def _tests(self, features: Features, target: Target) -> ClassTests:
        return ClassTests(self.base, features, told_apart(target), self.class_weight)


def relative_weights(weights: NDArray, signs: NDArray, direction: str) -> NDArray:
    """Weights over the largest of each class, 0 where the direction is not the wanted one."""
    counted = np.maximum(weights, 0.0)
    if direction == "high":
        counted = np.where(signs > 0, counted, 0.0)
    largest = counted.max(axis=1, keepdims=True)
    return counted / np.where(largest > 0, largest, 1.0)


def _warn(labels: NDArray, weights: NDArray, converged: NDArray | None) -> None:
    """Warn of classes without markers, and of those whose fixed point was not reached."""
    empty = labels[~(weights > 0).any(axis=1)].tolist()
    if empty:
        warn(
            f"No feature marks {_named(empty)}: the penalty or the noise is too strong; use a "
            "smaller alpha of the base, or more samples."
        )
    if converged is not None and not converged.all():
        warn(
            f"Markers did not converge for {_named(labels[~converged].tolist())}; increase sigma, "
            "max_iter or tol of the base.",
            ConvergenceWarning,
        )


def _named(labels: list[Any]) -> str:
    *others, last = map(repr, labels)
    return f"class {last}" if not others else f"classes {', '.join(others)} and {last}"


def _is_for_classes(base: Any) -> bool:
    """Whether it is a method that weighs features for classes, not for numbers or times."""
    return weighs(base) and not isinstance(base, Markers) and base.explains == "classes"


def mean_differences(features: Features, target: Classes) -> NDArray:
    """Mean of each feature, scaled, in each class minus its mean over all other samples.

    Parameters
    ----------
    features : Features
        The data, read some features at a time; missing values are left out.
    target : Classes
        The class of every sample.

    Returns
    -------
    ndarray of shape (n_classes, n_features)
    """
    member = (target.codes == np.arange(len(target.counts))[:, None]).astype(float)
    found = np.empty((len(member), features.n_features))
    for start in range(0, features.n_features, sizes.TILE_COLUMNS):
        part = np.arange(start, min(start + sizes.TILE_COLUMNS, features.n_features))
        X = features.columns(part).X.astype(float)
        known = np.isfinite(X)  # a missing value is NaN
        first = np.take_along_axis(X, known.argmax(axis=0)[None], axis=0)
        sums = member @ np.where(known, X - first, 0.0)  # of a constant all are exactly 0
        counts = member @ known
        rest, others = sums.sum(axis=0) - sums, counts.sum(axis=0) - counts
        difference = sums / np.maximum(counts, 1) - rest / np.maximum(others, 1)
        found[:, part] = np.where((counts > 0) & (others > 0), difference, 0.0)
    return found


# What importances should be was measured by the error of 3 nearest neighbors with the best 1, 3
# and 5 genes of each type, base LOFE(alpha="auto", order="both"): on 2,000 cells of Zeisel et al.
# weight times difference of the means has .134, .070 and .059, weight times mean margin .133,
# .070 and .055, mean margin .141, .064 and .059, the weight alone .140, .074 and .059; on 700
# cells of pbmc68k .281, .230 and .234; .296, .241 and .229; .253, .250 and .231; .349, .259 and
# .249. A standard error is .005 to .008 and .017: only the weight alone is worse. Choosing genes
# of all classes together by the error of the training cells does worse on new ones (.169, .076
# and .064 on Zeisel).
def class_order(importances: NDArray, scores: NDArray, sign: NDArray) -> NDArray:
    """Features by importance times sign, then by score: the strongest of sign -1 are last.

    Parameters
    ----------
    importances : ndarray of shape (n_features,)
        At least 0.
    scores : ndarray of shape (n_features,)
        What ranks features of equal importance.
    sign : ndarray of shape (n_features,)
        1, 0 or -1.

    Examples
    --------
    >>> w = np.array([0.0, 3.0, 0.0, 2.0, 5.0])
    >>> class_order(w, np.array([0.2, 1.0, 0.9, 1.0, 1.0]), np.array([1, 1, 1, 1, -1]))
    array([1, 3, 2, 0, 4])
    """
    strength = comparable(sign * importances)
    score, scores = comparable(sign * np.maximum(scores, 0.0)), comparable(scores)
    return np.lexsort((-scores, -score, -strength))


def places_in(rankings: NDArray) -> NDArray:
    """The place, from 0, of every feature in every ranking.

    Examples
    --------
    >>> places_in(np.array([[2, 0, 1]]))
    array([[1, 2, 0]])
    """
    places = np.empty_like(rankings)
    np.put_along_axis(places, rankings, np.arange(rankings.shape[1])[None], axis=1)
    return places
