"""Simba: gradient ascent on the margins of single neighbors."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.data.features import Features
from hitmiss.data.one_sample import Rows, UnlikeRows
from hitmiss.estimators.relief import OF_SINGLE_NEIGHBORS
from hitmiss.estimators.selector import Selector, Weighed
from hitmiss.estimators.target_kinds import ClassWeight
from hitmiss.targets.target import Target
from hitmiss.weighting.simba import Ascent, linear, sigmoid

# A pass took 0.26 to 0.58 with two threads (300 x 2,000, 600 x 2,000, 1,200 x 300, 300 x 10,000;
# 2026-11-18); 25 of them by default.
PASS_NANOSECONDS = (0.1, 0.6)


@dataclass(eq=False, repr=False)
class Simba(Selector):
    r"""Iterative search margin based algorithm: stochastic gradient ascent of the margins.

    .. math::
        \max_w \sum_n u\bigl(\tfrac12 \|x_n - \mathrm{NM}\|_w - \tfrac12 \|x_n - \mathrm{NH}\|_w
        \bigr), \qquad \|z\|_w = \sqrt{\textstyle\sum_j w_j^2 z_j^2}

    over all samples in random order, the nearest hit and miss found again under the current w,
    starting from ones. The best of several runs is kept. Misses of all other classes are pooled.

    Parameters
    ----------
    utility : {"linear", "sigmoid"}, default="linear"
        The function u: the margin itself, or 1 / (1 + exp(-beta margin)), under which a few
        samples with extreme margins count less.
    beta : float, default=1.0
        Steepness of the sigmoid.
    n_passes : int, default=5
        Number of passes over the samples in each run.
    n_restarts : int, default=5
        Number of runs, which differ in the order of the samples.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    class_weight : {"balanced", None} or dict, default=None
        Weights of the classes in the loss, which multiply those of the samples. "balanced" gives
        every class the same in all.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        The squares :math:`w_j^2`, divided by the largest.
    feature_importances_ : ndarray of shape (n_features,)
        The same.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    objective_ : float
        Sum of the utilities of all samples under the weights returned.
    n_iter_ : int
        Number of passes.
    history_ : list of dict
        A row per run: objective.
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
    R. Gilad-Bachrach, A. Navot, N. Tishby (2004). Margin based feature selection - theory and
    algorithms. ICML, 43.

    Examples
    --------
    >>> from hitmiss import Simba, datasets
    >>> xor = datasets.make_xor(n_irrelevant=10, random_state=0)
    >>> Simba(max_features=2, random_state=0).fit(xor.data, xor.target).get_support(indices=True)
    array([0, 1])
    """

    utility: str = "linear"
    _: KW_ONLY
    beta: float = 1.0
    n_passes: int = 5
    n_restarts: int = 5
    scale: str | None = "range"
    missing: str = "mean-difference"
    categorical: str | ArrayLike | None = "auto"
    threshold: float = 0.01
    class_weight: ClassWeight = None
    random_state: RandomStateLike = None

    fit_takes = OF_SINGLE_NEIGHBORS

    @property
    def _pair_nanoseconds(self) -> tuple[float, float]:  # type: ignore[override]
        least, most = PASS_NANOSECONDS
        n_passes = self.n_passes * self.n_restarts
        return least * n_passes, most * n_passes

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("utility", self.utility, ("linear", "sigmoid"))
        check_positive("beta", self.beta)
        check_count("n_passes", self.n_passes)
        check_count("n_restarts", self.n_restarts)

    def _weigh(self, features: Features, target: Target) -> Weighed:
        rng, (rows, factor) = as_generator(self.random_state), _rows(features)
        utility = linear if self.utility == "linear" else sigmoid(float(self.beta))
        ascent = Ascent(rows, target, factor, utility)
        runs = [
            self._run(ascent, len(target), rng, f"run {k} of {self.n_restarts}")
            for k in range(1, self.n_restarts + 1)
        ]
        w, objective = max(runs, key=lambda run: run[1])
        history = [{"objective": value} for _, value in runs]
        learned = {"history_": history, "objective_": objective, "n_iter_": int(self.n_passes)}
        return Weighed(w, learned)

    def _run(self, ascent: Ascent, n_samples: int, rng: np.random.Generator, label: str) -> Any:
        """Weights after all passes from ones, and their objective."""
        w = np.ones(ascent.n_features)
        orders = (rng.permutation(n_samples).tolist() for _ in range(self.n_passes))
        for n in ascent.rows.workers.watched(chain.from_iterable(orders), label):
            w += ascent.gradient(w, n)
        w = np.where(w == 1, 0.0, w * w)  # what never moved is constant
        w /= w.max() or 1.0
        return w, ascent.objective(np.sqrt(w))


def _rows(features: Features) -> tuple[Rows | UnlikeRows, NDArray | None]:
    """The samples, and what their features are multiplied by."""
    every = slice(0, features.n_features)
    rule = features.scaling.rule(every)
    if rule.gap is None:
        return Rows(features.raw_values(), features.workers), features.scaling.factor
    scaled = features.columns(np.arange(features.n_features), float).X
    return UnlikeRows(scaled, rule.astype(float), features.workers), None
