r"""Online LOFE: one sample at a time moves the weights, and the strength of the penalty.

The loss of a stream is the mean of ``log(1 + exp(-w . z))`` over its samples plus ``rate |w|_1``,
where the rate is alpha over the number of samples: divided by that number, the objective of LOFE.
With ``s = 1 / (1 + exp(w . z))`` a sample pulls the weights by ``s z``.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from hitmiss.data.one_sample import Rows, ScaledRows, can_be_scaled
from hitmiss.kernels.averaging import add_pull, averaged_weights
from hitmiss.online.evidence import half_normal
from hitmiss.online.sample_margin import Sample, half_margin, scaled_margin

LARGEST_ETA = 10.0  # convention: the noise in an irrelevant weight is about eta
NARROW_STREAM = 100  # features up to which eta is that large; beyond, it falls with their cube root
WARM_UP = 15  # passes over n samples in which features that matter only together enter


class DualAveraging:
    r"""AdaGrad dual averaging on w >= 0, whose zeros are exact.

    .. math:: w_j = \eta \, \frac{\max(0, G_j - k\lambda)}{\sqrt{Q_j}}, \qquad
        G = \sum_i b_i s_i z_i, \quad Q = \sum_i (b_i s_i z_i)^2, \quad k = \sum_i b_i

    The weight b_i of a sample grows with i, so that what was learned under early, wrong weights
    fades. The noise in an irrelevant weight is about eta whatever k, so the more features there
    are, the smaller eta is: ``10 (100 / n_features)^(1/3)``, at most 10.

    Features that matter only together enter slowly, and under a strong penalty not at all, so alpha
    stays small while the rule warms up.

    Parameters
    ----------
    n_features : int
        Number of features.
    learning_rate : float
        Factor of eta.
    forgetting : float
        Factor of the weight of every earlier sample at each step.
    """

    warm_up = WARM_UP  # times n: samples before alpha may exceed WARM_UP_ALPHA

    def __init__(self, n_features: int, learning_rate: float, forgetting: float):
        share = min(1.0, NARROW_STREAM / n_features)
        self.eta = learning_rate * LARGEST_ETA * share ** (1 / 3)
        self.forgetting = forgetting
        self.w = np.full(n_features, n_features**-0.5)
        self.n_iter, self.weight = 0, 0.0
        self.sums = np.zeros((4, n_features))  # of pull, slope at zero, curvature, squared pull

    def add(self, z: NDArray) -> None:
        """Add the margin vector of one more sample, found under the weights w."""
        self.n_iter += 1
        keep = self.forgetting * (1 - 1 / self.n_iter)
        self.weight = keep * self.weight + 1
        before, self.sums = self.sums, np.empty_like(self.sums)
        add_pull(keep, expit(-(self.w @ z)), z, self.w, before, self.sums)

    def step(self, rate: float) -> None:
        """Move the weights, under a penalty of `rate` per sample."""
        self.w = np.empty_like(self.w)
        averaged_weights(self.eta, rate * self.weight, self.sums[0], self.sums[3], self.w)

    def rescale(self, ratio: NDArray) -> None:
        """Continue with features multiplied by `ratio`."""
        self.sums = self.sums * [ratio, ratio, ratio**2, ratio**2]

    def pull(self) -> NDArray:
        """Mean of ``s z``."""
        return self.sums[0] / max(self.weight, 1.0)

    def posterior_means(self, alpha: float, n: float) -> NDArray:
        """Mean of every weight that varies, after n samples and under alpha.

        Each sample gives the slope and the curvature of the log likelihood at w, and so its slope
        at zero.
        """
        _, slope, curvature, _ = self.sums[:, self.sums[2] > 0]
        each = n / self.weight
        return half_normal(alpha - each * slope, each * curvature)[0]


class PaperRule:
    r"""The paper's rules to the letter: ``v <- v - eta/k (rate - s z) v``, w = v².

    Parameters
    ----------
    n_features : int
        Number of features.
    learning_rate : float
        The number eta.
    forgetting : float
        Factor of the weight of every earlier sample at each step, in the evidence.
    """

    warm_up = 0

    def __init__(self, n_features: int, learning_rate: float, forgetting: float):
        self.eta, self.forgetting = learning_rate, forgetting
        self.w = np.ones(n_features)
        self.n_iter, self.weight = 0, 0.0
        self.gradient, self.last = np.zeros((2, n_features))
        self.varies = np.zeros(n_features, bool)

    def add(self, z: NDArray) -> None:
        """Add the margin vector of one more sample, found under the weights w."""
        self.n_iter += 1
        self.last = expit(-(self.w @ z)) * z
        self.weight = self.forgetting * self.weight + 1
        self.gradient = self.forgetting * self.gradient + self.last
        self.varies = self.varies | (z != 0)

    def step(self, rate: float) -> None:
        """Move the weights, under a penalty of `rate` per sample."""
        factor = 1 - self.eta / self.n_iter * (rate - self.last)
        self.w = np.where(self.varies, self.w * factor**2, 0.0)

    def rescale(self, ratio: NDArray) -> None:
        """Continue with features multiplied by `ratio`."""
        self.gradient = self.gradient * ratio

    def pull(self) -> NDArray:
        """Mean of ``s z``."""
        return self.gradient / max(self.weight, 1.0)

    def posterior_means(self, alpha: float, n: float) -> NDArray:
        """Mean of every weight that varies, after n samples and under alpha."""
        slack = alpha - n * self.pull()[self.varies]
        return exponential_means(slack, self.w[self.varies])


def exponential_means(slack: NDArray, w: NDArray) -> NDArray:
    """``1 / slack`` where that is positive: the mean of an exponential posterior; else w itself."""
    return np.divide(1.0, slack, out=w.copy(), where=slack > 0)


def updated_alpha(means: NDArray, alpha: float) -> float:
    """Strength of the prior whose mean is that of the posterior means; alpha if there are none."""
    total = float(means.sum())
    return len(means) / total if 0 < total < np.inf else alpha


WARM_UP_ALPHA = 1.0  # largest while the rule warms up: that of the LOFE paper
UPWARD_POWER = 0.1  # of the ratio by which alpha grows: too strong a penalty finds nothing more
SMALL_CHANGE = 0.01  # relative, in one update, up to which alpha has converged: as LOFE's accuracy
UPDATE_EVERY = 10  # samples, once it has: an update costs a few passes over the features
PATH_POINTS = 1024  # of the path of alpha that are kept: convention


class Learner:
    """Weights and penalty of a stream.

    Parameters
    ----------
    rule : DualAveraging or PaperRule
        Update rule of the weights.
    alpha : float
        Strength of the penalty, or where it starts.
    tuned : bool
        Whether alpha follows the evidence.
    """

    def __init__(self, rule: DualAveraging | PaperRule, alpha: float, *, tuned: bool):
        self.rule, self.alpha, self.tuned = rule, alpha, tuned
        self.path = [(0, alpha)]
        self._stride, self._alpha_converged = UPDATE_EVERY, False

    def copy(self) -> "Learner":
        """A copy that learns on its own: arrays are replaced, never changed in place."""
        twin = copy(self)
        twin.rule, twin.path = copy(self.rule), list(self.path)
        return twin

    def learn(self, z: NDArray, n: float) -> None:
        """Learn from the margin vector of one more sample, of n samples in all."""
        self.rule.add(z)
        if self.tuned and not (self._alpha_converged and self.rule.n_iter % UPDATE_EVERY):
            self._tune(n)
        self.rule.step(self.alpha / n)
        if self.rule.n_iter % self._stride == 0:
            self._record()

    def _tune(self, n: float) -> None:
        """Move alpha one step towards the one of largest evidence."""
        before = self.alpha
        ratio = updated_alpha(self.rule.posterior_means(before, n), before) / before
        self.alpha = before * (ratio if ratio < 1 else ratio**UPWARD_POWER)
        if self.rule.n_iter <= self.rule.warm_up * n:
            self.alpha = min(self.alpha, WARM_UP_ALPHA)
        self._alpha_converged = abs(self.alpha - before) <= SMALL_CHANGE * before

    def _record(self) -> None:
        """Add a point to the path of alpha; if there are too many, drop every other one."""
        self.path.append((self.rule.n_iter, self.alpha))
        if len(self.path) > PATH_POINTS:
            self.path = self.path[::2]
            self._stride *= 2

    def scores(self, n: float) -> NDArray:
        """Pull of all n samples on each weight, over alpha: about 1 for those above zero."""
        return n * self.rule.pull() / self.alpha

    def n_improper(self, n: float) -> int:
        """Number of features whose exponential posterior does not hold: the pull is too strong."""
        return int(np.count_nonzero(self.scores(n) >= 1))


# Samples in a row, from which on all neighbors are scaled first: with 500 of them, and 5,000
# features, 16 samples are the break-even and 32 take a sixth less time.
MANY_SAMPLES = 32


def learn(
    learner: Learner,
    rows: Rows,
    y: NDArray,
    samples: Sequence[Sample],
    n: float,
    *,
    factor: NDArray,
    sigma: float,
    label: str = "",
) -> None:
    """Learn from one sample after the other.

    Parameters
    ----------
    learner : Learner
        Changed in place.
    rows : Rows
        The possible neighbors.
    y : ndarray of shape (n_neighbors,)
        Their labels.
    samples : sequence of Sample
        Samples to learn from. One without a hit or without a miss teaches nothing.
    n : float
        Number of samples that alpha refers to.
    factor : ndarray of shape (n_features,)
        Scale of the features: 1 over their range, 0 for constants.
    sigma : float
        Kernel width.
    label : str
        Description for the progress; without it none is shown.
    """
    scaled, others = None, [x for x, _, own in samples if own < 0]
    if len(samples) >= MANY_SAMPLES and can_be_scaled(rows.X, others, factor):
        scaled = ScaledRows(rows.X, factor, rows.workers)

    def margin(sample: Sample) -> NDArray | None:
        if scaled is not None:
            return scaled_margin(scaled, y, sample, learner.rule.w, sigma)
        found = half_margin(rows, y, sample, learner.rule.w * factor, sigma)
        return None if found is None else found[0] * (2 * factor)

    for sample in rows.workers.watched(samples, label):
        z = margin(sample)
        if z is not None:
            learner.learn(z, n)
