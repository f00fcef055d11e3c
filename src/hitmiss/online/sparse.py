r"""Passes of online LOFE that follow the features with a weight, and glance at all others.

While many features have a weight, every pass looks at all of them, but draws a few neighbors anew
and moves the weights once for a few samples. From then on samples are learned from one by one, on
the features with a weight alone and with all neighbors. In every second pass each sample also
draws a few hits and misses with the probabilities that they are the nearest: their mean
difference is an unbiased margin of all other features, which enter by it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.sizes import SCALED_ROW_CHUNK
from hitmiss.kernels.averaging import active_pass, dense_block, drawn_pulls
from hitmiss.lofe.evidence import half_normal
from hitmiss.online import stream_constants as constants
from hitmiss.online.lofe import DualAveraging, Learner, updated_alpha


class Draws(NamedTuple):
    """What a pass draws: random numbers, pulls, neighbors and shares, as `active_pass` has them."""

    u: NDArray
    s: NDArray
    drawn: NDArray
    shrink: NDArray


class SparsePasses:
    """Passes over samples that are all at hand.

    Parameters
    ----------
    learner : Learner
        Changed in place; its rule is dual averaging.
    samples : tuple of ndarray
        Scaled values in single precision, labels, and the place among the neighbors, -1 for none.
    neighbors : tuple of ndarray
        Scaled values and labels.
    n : int
        Number of samples that alpha refers to.
    sigma : float
        Kernel width.
    rng : Generator
        Draws orders and neighbors.
    workers : Workers
        Where the glances run.

    Attributes
    ----------
    dense : bool
        Whether so many features have a weight that all are looked at.
    change : float
        By how much the last pass changed the weights, relative to their norm.
    """

    def __init__(
        self,
        learner: Learner,
        samples: tuple[NDArray, NDArray, NDArray],
        neighbors: tuple[NDArray, NDArray],
        n: int,
        *,
        sigma: float,
        rng: np.random.Generator,
        workers: Workers,
    ):
        assert isinstance(learner.rule, DualAveraging)
        self.learner, self.rule, self.n, self.sigma = learner, learner.rule, n, sigma
        (self.T, self.labels, self.own), (self.S, self.y) = samples, neighbors
        self.rng, self.workers = rng, workers
        self.weight = np.zeros(2)  # sums of the weights of the samples, and of their squares
        self.noise = 0.0  # variance of a slope because neighbors are drawn
        self.dense, self.change, self.n_sparse, self.n_quiet = True, np.inf, 0, 0
        if learner.tuned:
            learner.alpha = constants.WARM_UP_ALPHA

    def run(self, tol: float) -> bool:
        """One pass; whether the fit is to stop."""
        before, order = self.rule.w, self.rng.permutation(len(self.T))
        if self.dense:
            self._dense_pass(order)
        else:
            self._sparse_pass(order)
        self.change = relative_change(before, self.rule.w)
        self.rule.weight = float(self.weight[0])
        self.learner.path.append((self.rule.n_iter, self.learner.alpha))
        quiet = self.n_sparse > constants.SETTLING and self.change < tol
        self.n_quiet = self.n_quiet + 1 if quiet else 0
        return self.n_quiet >= constants.QUIET_PASSES

    def _few(self, n_weights: int) -> bool:
        most = max(constants.SPARSE_SHARE * self.T.shape[1], constants.FEW_FEATURES)
        return n_weights <= most

    def _move(self) -> None:
        """The weights of all features from their sums."""
        self.rule.weight = float(self.weight[0])
        self.rule.step(self.learner.alpha / self.n)

    def _dense_pass(self, order: NDArray) -> None:
        chosen = some_of_each(self.y, constants.DENSE_NEIGHBORS, self.rng)
        place = np.full(len(self.y) + 1, -1)  # the last one is that of samples without a place
        place[chosen] = np.arange(len(chosen))
        S, y, own = self.S[chosen], self.y[chosen], place[self.own]
        sums = np.empty((2, self.T.shape[1]))
        for start in range(0, len(order), constants.DENSE_BLOCK):
            block = order[start : start + constants.DENSE_BLOCK]
            w = self.rule.w.astype(np.float32)
            count = dense_block(self.T, self.labels, own, block, S, y, self.sigma, w, sums)
            if count:
                keep = self._count(count)
                old = self.rule.sums * np.array([keep, keep, keep, keep**2])[:, None]
                self.rule.sums = old + np.stack([sums[0], sums[0], 0 * sums[0], sums[1]])
                self._move()
        self.dense = not self._few(int(np.count_nonzero(self.rule.w)))

    def _count(self, count: int) -> float:
        """Count samples of weight 1, and return what the earlier ones keep of theirs."""
        before, self.rule.n_iter = self.rule.n_iter, self.rule.n_iter + count
        keep = self.rule.forgetting**count * before / self.rule.n_iter
        self.weight = np.array([keep, keep**2]) * self.weight + count
        return float(keep)

    def _sparse_pass(self, order: NDArray) -> None:
        rule, active = self.rule, np.flatnonzero(self.rule.w)
        draws = self._draws(len(order), self.n_sparse % constants.GLANCE_EVERY == 0)
        before, n_before, sums = self.weight.copy(), rule.n_iter, rule.sums[:, active]
        rule.n_iter = active_pass(
            np.ascontiguousarray(self.T[:, active]),
            self.labels,
            self.own,
            order,
            np.ascontiguousarray(self.S[:, active]),
            self.y,
            self.sigma,
            (rule.eta, self.learner.alpha / self.n, rule.forgetting),
            n_before,
            rule.w[active],
            sums,
            self.weight,
            *draws,
        )
        if rule.n_iter > n_before:
            self._learn_others(order, draws, before, n_before)
            rule.sums[:, active] = sums
            self.n_sparse += 1
            if self.learner.tuned and self.n_sparse > constants.SETTLING:
                self._tune(active)
            self._move()

    def _draws(self, n: int, glance: bool) -> Draws:
        """Room for what a pass over n samples draws, with random numbers if it does."""
        return Draws(
            u=self.rng.random((n if glance else 0, 2)),
            s=np.empty(n),
            drawn=np.zeros((n, 2 * constants.DRAWS), np.intp),
            shrink=np.ones(n),
        )

    def _learn_others(self, order: NDArray, draws: Draws, before: NDArray, n_before: int) -> None:
        """Sums of all features after a pass, by the neighbors drawn if there are.

        Otherwise their means stay. The first glance forgets what was learned before.
        """
        if not len(draws.u):
            ratio = self.weight / before
            self.noise *= ratio[0] ** 2
            self.rule.sums = self.rule.sums * ratio[[0, 0, 0, 1], None]
            return
        pull, bend, square = self._glance(order, draws)
        count = self.rule.n_iter - n_before
        keep = self.rule.forgetting**count * n_before / self.rule.n_iter if self.n_sparse else 0.0
        each = (self.weight - np.array([keep, keep**2]) * before) / count
        left = draws.shrink[draws.s > 0].mean()
        noise = max(0.0, 1 - left) / left * square.mean()
        self.noise = keep**2 * self.noise + each[0] ** 2 * noise
        old = self.rule.sums * np.array([keep, keep, keep, keep**2])[:, None]
        new = [each[0] * pull, each[0] * pull, each[0] * bend, each[1] * square]
        self.rule.sums = old + np.stack(new)

    def _glance(self, order: NDArray, draws: Draws) -> NDArray:
        """Sums of pull, curvature and squared pull of all features, by the neighbors drawn."""
        n_features, width = self.T.shape[1], max(64, SCALED_ROW_CHUNK // len(order))
        found = np.empty((3, n_features))

        def fill(start: int) -> None:
            stop = min(start + width, n_features)
            drawn_pulls(self.T, order, self.S, *draws[1:], start, stop, found)

        self.workers.map(fill, range(0, n_features, width))
        return found

    def _tune(self, active: NDArray) -> None:
        """A few steps of alpha towards the one of largest evidence."""
        learner, per_sample = self.learner, self.n / self.weight[0]
        varies = self.rule.sums[2] > 0
        slope = per_sample * self._slopes(active)[varies]
        curvature = per_sample * self.rule.sums[2, varies]
        for _ in range(constants.TUNING_STEPS):
            means = half_normal(learner.alpha - slope, curvature)[0]
            ratio = updated_alpha(means, learner.alpha) / learner.alpha
            if ratio > 1:
                learner.alpha *= ratio**constants.RISE_POWER
            else:
                learner.alpha *= max(ratio, constants.LARGEST_FALL)

    def _slopes(self, active: NDArray) -> NDArray:
        """Slopes at zero; those by neighbors drawn without the variance that this adds to them."""
        slopes, others = self.rule.sums[1].copy(), np.ones(self.T.shape[1], bool)
        others[active] = False
        spread = slopes[others].var() if others.any() else 0.0
        if spread > 0:
            center = slopes[others].mean()
            share = np.sqrt(max(0.0, 1 - self.noise / spread))
            slopes[others] = center + share * (slopes[others] - center)
        return slopes


def relative_change(before: NDArray, w: NDArray) -> float:
    """By how much weights have changed, relative to their norm; infinite if all became zero."""
    moved, length = np.linalg.norm(w - before), np.linalg.norm(w)
    if length == 0:
        return np.inf if moved else 0.0
    return float(moved / length)


def some_of_each(y: NDArray, n: int, rng: np.random.Generator) -> NDArray:
    """About n places, as many of each label as of the others, but at least two if there are."""
    labels = np.unique(y)
    each = max(2, n // len(labels))
    chosen = [rng.permutation(np.flatnonzero(y == label))[:each] for label in labels]
    return np.sort(np.concatenate(chosen))
