"""OnlineIRelief: iterative RELIEF that learns from one sample at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.one_sample import Rows
from hitmiss.estimators.streaming import StreamSelector
from hitmiss.online.irelief import learn, scaled, weights
from hitmiss.online.sample_margin import Sample
from hitmiss.targets.target import Target


@dataclass(eq=False, repr=False)
class OnlineIRelief(StreamSelector):
    r"""Online iterative RELIEF: `IRelief` for data too large, or too late, to see at once.

    Each sample moves the mean margin vector by its own margin under the weights so far:

    .. math:: \nu \leftarrow (1 - \eta_t)\, \nu + \eta_t\, \gamma \bar z, \qquad
        \eta_t = \frac{1}{a t}, \qquad w = \nu^+ / \|\nu^+\|_2

    so that a step costs as much as comparing one sample with all others. With passes enough the
    weights are those of `IRelief`; after a single one they are close. Misses are pooled.

    Parameters
    ----------
    sigma : float, default=1.0
        Kernel width of the soft neighbors.
    learning_rate : float, default=1.0
        The number a of the step 1/(at), in (0, 1]: smaller forgets sooner. Steps stop at 1.
    order : {"shuffle", "sample", "block"}, default="shuffle"
        How `fit` goes through the samples: in a new random order in every pass; drawn with
        replacement, as in Fig. 3; or in the order of X in every pass, as in theorem 4.
    n_passes : int, default=1
        Number of passes of `fit` over the samples.
    memory : int, default=1000
        Number of samples that `partial_fit` remembers as neighbors of those to come, balanced
        over the classes.
    outliers : bool, default=True
        Whether samples count by their probability of being no outlier; otherwise all alike.
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
        Weights of the features, of length one; all zero if no feature has a positive margin.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        The mean margin vector, whose positive part the weights are.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    n_iter_ : int
        Number of samples learned from.
    history_ : list of dict
        A row per pass, or per call of `partial_fit`: n_iter, and step, the Euclidean norm of the
        change of the weights.
    classes_ : ndarray of shape (n_classes,)
        Class labels; those seen so far.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    Notes
    -----
    `fit` keeps no samples, so a `partial_fit` after it goes on from its weights with neighbors
    from the new samples only. ``partial_fit(X, y)`` alone, with enough memory, is ``fit(X, y)``
    with one pass in block order.

    References
    ----------
    Y. Sun (2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.
    IEEE TPAMI 29(6), 1035-1051, Fig. 3 and theorems 3 and 4.

    Examples
    --------
    >>> from hitmiss import OnlineIRelief, datasets
    >>> wave = datasets.make_waveform(n_irrelevant=50, random_state=0)
    >>> online = OnlineIRelief()
    >>> for start in range(0, 400, 100):
    ...     part = slice(start, start + 100)
    ...     online = online.partial_fit(wave.data[part], wave.target[part])
    >>> online.n_iter_, set(online.ranking_[:10].tolist()) <= set(wave.relevant.tolist())
    (400, True)
    """

    sigma: float = 1.0
    _: KW_ONLY
    learning_rate: float = 1.0
    order: str = "shuffle"
    n_passes: int = 1
    memory: int = 1000
    outliers: bool = True
    scale: str | None = "range"
    threshold: float = 0.01
    random_state: RandomStateLike = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive("sigma", self.sigma, largest=np.inf)
        if check_positive("learning_rate", self.learning_rate) > 1:
            raise ValueError(f"learning_rate must be in (0, 1]; got {self.learning_rate!r}.")
        check_choice("order", self.order, ("shuffle", "sample", "block"))
        check_count("n_passes", self.n_passes)
        check_count("memory", self.memory)

    def _learn_all(self, features: Features, target: Target) -> NDArray:
        X = features.raw_values()
        self._reset(features.n_features, int(self.memory))
        self._widen(X)
        rng, rows = as_generator(self.random_state), Rows(X, features.workers)
        for k in range(1, self.n_passes + 1):
            samples = self._pass(rows.X, target.classes.codes, rng)
            watched = features.workers.watched(samples, f"pass {k} of {self.n_passes}")
            self._learn(rows, target.classes.codes, watched)
        w = weights(self._nu, self._unit, self.n_iter_)
        if not w.any():
            warn("All weights are zero: no feature has a positive margin; try another sigma.")
        return w

    def partial_fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from more samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the order they came.
        y : array-like of shape (n_samples,)
            Class labels. A class may appear late.

        Returns
        -------
        self : object
            The selector.
        """
        return self._partial_fit(X, y, int(self.memory))

    def _begin(self, n_features: int) -> None:
        self._nu, self.n_iter_ = np.zeros(n_features), 0
        self.history_: list[dict[str, Any]] = []

    def _advance(self, samples: list[Sample], workers: Workers) -> None:
        self._nu = self._nu.copy()
        self._learn(Rows(self._memory.X, workers), self._memory.y, samples)
        self.weights_ = weights(self._nu, self._unit, self.n_iter_)

    def _pass(self, X: NDArray, y: NDArray, rng: np.random.Generator) -> Iterator[Sample]:
        """The samples of one pass of `fit`, none of them its own neighbor."""
        order = np.arange(len(y))
        if self.order == "shuffle":
            order = rng.permutation(order)
        elif self.order == "sample":
            order = rng.choice(order, len(order))
        return ((X[n], int(y[n]), n) for n in order.tolist())

    def _learn(self, rows: Rows, y: NDArray, samples: Iterable[Sample]) -> None:
        before = weights(self._nu, self._unit, self.n_iter_)
        self.n_iter_ = learn(
            rows,
            y,
            samples,
            self._nu,
            self.n_iter_,
            factor=self._unit,
            sigma=float(self.sigma),
            rate=float(self.learning_rate),
            outliers=bool(self.outliers),
        )
        self.scores_ = scaled(self._nu, self._unit)
        step = np.linalg.norm(weights(self._nu, self._unit, self.n_iter_) - before)
        self.history_.append({"n_iter": self.n_iter_, "step": float(step)})
