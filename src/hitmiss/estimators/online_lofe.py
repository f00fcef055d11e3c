"""OnlineLOFE: LOFE that learns from one sample at a time and tunes its own penalty."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import (
    check_choice,
    check_count,
    check_positive,
    check_positive_or,
)
from hitmiss._util.errors import warn
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.one_sample import Rows, can_be_scaled, scaled_rows
from hitmiss.estimators.prediction import LocalClassifier
from hitmiss.estimators.streaming import StreamSelector
from hitmiss.online.lofe import DualAveraging, Learner, PaperRule, learn
from hitmiss.online.sample_margin import Sample
from hitmiss.online.sparse import SparsePasses
from hitmiss.targets.target import Target

RULES: dict[str, type[DualAveraging] | type[PaperRule]] = {
    "adagrad": DualAveraging,
    "paper": PaperRule,
}


@dataclass(eq=False, repr=False)
class OnlineLOFE(LocalClassifier, StreamSelector):
    r"""Online LOFE: `LOFE` for data too large, or too late, to see at once.

    Each sample is compared with those in a bounded memory, and its margin vector
    :math:`\bar z` under the weights so far moves the weights a little towards the minimum of

    .. math:: \operatorname{mean}_i \log(1 + e^{-w \cdot \bar z_i})
        + \frac{\alpha}{n} \|w\|_1, \qquad w \ge 0

    The strength alpha of the penalty follows the evidence: at the best one, the prior mean of a
    weight, 1/alpha, is the mean of all posterior means.

    Parameters
    ----------
    sigma : float, default=2.0
        Kernel width of the soft neighbors: small means only the nearest count.
    alpha : float or "evidence", default="evidence"
        Strength of the L1 penalty, in the unit of LOFE's on n samples, where n is `reservoir`,
        or the number of samples in `fit` if that is smaller. "evidence" tunes it along the way.
    reservoir : int, default=500
        Number of samples that are remembered as neighbors of others, balanced over the classes.
        `predict` compares with them, too.
    step : {"adagrad", "paper"}, default="adagrad"
        How a sample moves the weights: by dual averaging with steps that adapt to every feature,
        or as published, by :math:`\eta / k` on the root of the weights. "paper" also tunes alpha
        as published, by an exponential posterior of every weight. It is meant for comparison: it
        hardly moves the weights.
    learning_rate : float, default=1.0
        Factor of the steps; with ``step="paper"``, the number eta.
    forgetting : float, default=1.0
        What a sample counts relative to the next, in (0, 1]. For drifting streams, 0.999 looks
        back over about 1,000 samples.
    alpha_start : float, default=1.0
        Where "evidence" begins; with ``passes="sparse"`` `fit` begins at 1.
    n_passes : int, default=20
        Number of passes of `fit` over the samples, each in a new random order; with
        ``passes="sparse"`` the largest number.
    passes : {"all", "sparse"}, default="all"
        Which features the passes of `fit` follow: all, as `partial_fit` does; or, as soon as few
        have a weight, these alone, with a glance at all others in every second pass. That takes
        a twentieth of the time with thousands of features, and lets alpha follow the evidence
        less closely. Until then each pass sees few neighbors. It needs ``step="adagrad"``, and
        begins at an alpha that is too weak for raw features of large range: with ``scale=None``
        give alpha as a number.
    tol : float, default=0.1
        With ``passes="sparse"`` a fit stops when three passes in a row change the weights by less
        than this, relative to their norm.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range; in `partial_fit`, by the range so far.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the order and of the memory.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    alpha_ : float
        Strength of the penalty in use.
    alpha_path_ : ndarray of shape (n_points, 2)
        How alpha developed: number of samples learned from, and alpha. At most about a thousand
        points are kept, evenly spread.
    scores_ : ndarray of shape (n_features,)
        Pull of the samples on each weight over alpha: about 1 for features with a weight, below 1
        for the others, and the closer to 1 the closer to entering.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    n_improper_ : int
        Number of features with a score of at least 1: those for which the exponential posterior
        of the paper does not hold.
    n_iter_ : int
        Number of samples learned from, those of every pass counted.
    classes_ : ndarray of shape (n_classes,)
        Class labels: those fixed in `partial_fit`, or those seen so far.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    Notes
    -----
    Multiplied by n, the objective above is LOFE's on n samples, with the mean taken over all
    samples so far. With the whole of the data in the memory, and passes enough, the weights are
    LOFE's. In a stream n does not grow, so that the penalty stays above the noise, which falls.

    The published update of alpha replaces the likelihood by its tangents, which have no
    curvature. Nothing but the prior then keeps an irrelevant weight small, and alpha falls for
    as long as the classes can be separated. Here every sample adds to the slope and the
    curvature of the log likelihood, and the posterior of a weight is a normal distribution cut
    off at zero, as in ``LOFE(alpha="evidence")``. That one then prefers a slightly stronger
    penalty if it is hardly worse; here alpha is the best one itself.

    A strong penalty keeps out features that matter only together, if they have not been found yet.
    So "evidence" leaves alpha at 1 or below for the first 15 n samples.

    A batch that is refused leaves the estimator as it was. Memory does not grow with the stream.

    References
    ----------
    Y. Sun, S. Todorovic, S. Goodison (2010). Local-learning-based feature selection for
    high-dimensional data analysis. IEEE TPAMI 32(9), 1610-1626; and the authors' paper on online
    LOFE with a self-tuned penalty.

    J. Duchi, E. Hazan, Y. Singer (2011). Adaptive subgradient methods for online learning and
    stochastic optimization. JMLR 12, 2121-2159.

    Examples
    --------
    >>> from hitmiss import OnlineLOFE, datasets
    >>> wave = datasets.make_waveform(600, n_irrelevant=50, random_state=0)
    >>> online = OnlineLOFE(random_state=0)
    >>> for start in range(0, 600, 100):
    ...     part = slice(start, start + 100)
    ...     online = online.partial_fit(wave.data[part], wave.target[part])
    >>> online.n_iter_, set(online.ranking_[:5].tolist()) <= set(wave.relevant.tolist())
    (600, True)
    """

    sigma: float = 2.0
    alpha: float | str = "evidence"
    _: KW_ONLY
    reservoir: int = 500
    step: str = "adagrad"
    learning_rate: float = 1.0
    forgetting: float = 1.0
    alpha_start: float = 1.0
    n_passes: int = 20
    passes: str = "all"
    tol: float = 0.1
    scale: str | None = "range"
    threshold: float = 0.01
    random_state: RandomStateLike = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("sigma", self.sigma, largest=np.inf)
        check_positive_or("alpha", self.alpha, ("evidence",))
        check_count("reservoir", self.reservoir)
        check_choice("step", self.step, tuple(RULES))
        check_positive("learning_rate", self.learning_rate)
        if check_positive("forgetting", self.forgetting) > 1:
            raise ValueError(f"forgetting must be in (0, 1]; got {self.forgetting!r}.")
        check_positive("alpha_start", self.alpha_start)
        check_count("n_passes", self.n_passes)
        check_choice("passes", self.passes, ("all", "sparse"))
        check_positive("tol", self.tol)
        if self.passes == "sparse" and self.step != "adagrad":
            raise ValueError(f'passes="sparse" needs step="adagrad"; got step={self.step!r}.')

    def _learn_all(self, features: Features, target: Target) -> NDArray:
        X = features.raw_values()
        self._reset(features.n_features, int(self.reservoir))
        self._codes = {label: code for code, label in enumerate(self.classes_.tolist())}
        self._widen(X)
        samples = self._stored(X, target.classes.codes.tolist())
        n = min(len(samples), int(self.reservoir))
        if self.passes == "sparse" and can_be_scaled(X, [], self._unit):
            self._sparse_passes(X, samples, n, features.workers)
        else:
            self._full_passes(samples, n, features.workers)
        self._conclude(n)
        if not self.weights_.any():
            warn(
                f"All weights are zero: alpha={self.alpha_:g} is too strong for these data, or "
                "they say nothing about the classes; try a smaller alpha, or alpha_start."
            )
        return self.weights_

    def _full_passes(self, samples: list[Sample], n: int, workers: Workers) -> None:
        rng = as_generator(self.random_state)
        for k in range(self.n_passes):
            order = rng.permutation(len(samples)).tolist()
            label = f"pass {k + 1} of {self.n_passes}"
            self._learn([samples[i] for i in order], n, workers, label)

    def _sparse_passes(self, X: NDArray, samples: list[Sample], n: int, workers: Workers) -> None:
        center, memory = X[0].astype(float), self._memory
        passes = SparsePasses(
            self._learner,
            (
                scaled_rows(Rows(X, workers).X, center, self._unit),
                np.array([label for _, label, _ in samples]),
                np.array([own for _, _, own in samples]),
            ),
            (scaled_rows(Rows(memory.X, workers).X, center, self._unit), memory.y),
            n,
            sigma=float(self.sigma),
            rng=as_generator(self.random_state),
            workers=workers,
        )
        for _ in workers.watched(range(self.n_passes), "passes"):
            if passes.run(float(self.tol)):
                break

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Learn from more samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the order they came.
        y : array-like of shape (n_samples,)
            Class labels. A class may appear late, unless `classes` says which there are.
        classes : array-like of shape (n_classes,), default=None
            All classes there will be, given in the first call.

        Returns
        -------
        self : object
            The selector.
        """
        return self._partial_fit(X, y, int(self.reservoir), classes)

    def _begin(self, n_features: int) -> None:
        tuned = isinstance(self.alpha, str)
        rule = RULES[self.step](n_features, float(self.learning_rate), float(self.forgetting))
        alpha = float(self.alpha_start if tuned else self.alpha)
        self._learner = Learner(rule, alpha, tuned=tuned)

    def _widen(self, X: NDArray) -> None:
        before = getattr(self, "_unit", None) if self._memory.n_seen else None
        super()._widen(X)
        if before is not None and (before != self._unit).any():
            ratio = np.divide(self._unit, before, out=np.zeros_like(before), where=before > 0)
            self._learner = self._learner.copy()
            self._learner.rule.rescale(ratio)

    def _advance(self, samples: list[Sample], workers: Workers) -> None:
        self._learner, n = self._learner.copy(), int(self.reservoir)
        self._learn(samples, n, workers, "samples" if len(samples) > 1 else "")
        self._conclude(n)

    def _learn(self, samples: list[Sample], n: int, workers: Workers, label: str) -> None:
        learn(
            self._learner,
            Rows(self._memory.X, workers),
            self._memory.y,
            samples,
            n,
            factor=self._unit,
            sigma=float(self.sigma),
            label=label,
        )

    def _conclude(self, n: int) -> None:
        """Set what follows from the learner and the memory."""
        learner = self._learner
        self.weights_ = np.where(self._unit > 0, learner.rule.w, 0.0)
        self.n_iter_, self.alpha_ = learner.rule.n_iter, learner.alpha
        self.alpha_path_ = np.array([*learner.path, (self.n_iter_, self.alpha_)])
        self.scores_, self.n_improper_ = learner.scores(n), learner.n_improper(n)
        self._compare_with_memory()

    def _compare_with_memory(self) -> None:
        """Make the samples in the memory those that `predict` compares with."""
        support = np.flatnonzero(self.weights_)
        place = {label: k for k, label in enumerate(self.classes_.tolist())}
        to_place = np.array([place[label] for label in self._codes])
        middle = self._lowest[support] / 2 + self._highest[support] / 2
        self._support, self._center, self._sigma = support, middle, float(self.sigma)
        self._factor = self.weights_[support] * self._unit[support]
        self._labels = to_place[self._memory.y]
        self._prior = np.bincount(self._labels) / len(self._labels)
        self._samples = (self._memory.X[:, support] - middle) * self._factor

    def _to_classes(self, D: NDArray) -> NDArray:
        """Expected distance to each class; infinite to a class that has not appeared yet."""
        with np.errstate(divide="ignore"):
            E = super()._to_classes(D)
        missing = len(self.classes_) - E.shape[1]
        return np.pad(E, ((0, 0), (0, missing)), constant_values=np.inf)
