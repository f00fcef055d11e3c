r"""Sparse passes of online LOFE: an active set of features, and random estimates for all others.

While many features have a weight, a dense pass computes the margins of all of them, with a random
subset of the neighbors and one step per small batch. Then come sparse passes: one step per sample,
on the active set (the features with a weight), with all neighbors. In every second one each sample
also draws a few hits and misses with the probabilities that they are the nearest. Their mean
difference is an unbiased margin of all other features, which join the active set by it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import SCALED_ROW_CHUNK
from hitmiss.kernels.averaging import active_pass, dense_block, drawn_pulls
from hitmiss.online.evidence import half_normal
from hitmiss.online.lofe import WARM_UP_ALPHA, DualAveraging, Learner, updated_alpha

# The numbers of this file were chosen on run 0 of the sets of online LOFE's Table 2 and on spirals
# among 100 to 10,000 features.
DRAWS = 16  # hits and misses of a sample that all other features see, even; 8 and 32 find the same


class Draws(NamedTuple):
    """Arrays that `active_pass` fills: random numbers, pulls, neighbors drawn, and shares."""

    u: NDArray
    s: NDArray
    drawn: NDArray
    shrink: NDArray


DENSE_NEIGHBORS = 64  # of a dense pass: a sixth of the time of all
DENSE_BLOCK = 8  # samples under the same weights in a dense pass
SPARSE_SHARE = 0.05  # of the features with a weight, up to which passes are sparse
FEW_FEATURES = 64  # always an active set: the distances cost no more than the rest
GLANCE_EVERY = 2  # sparse passes, of which one draws neighbors for all features
UNTUNED_PASSES = 6  # sparse passes at alpha up to WARM_UP_ALPHA before the evidence is used
TUNING_STEPS = 3  # of alpha after a pass
LARGEST_FALL = 0.9  # of alpha in one of them: too weak a penalty lets all features in again
RISE_POWER = 3.0  # of the ratio by which alpha grows in one of them: the last steps are small
QUIET_PASSES = 3  # in a row with a change below tol, after which a fit stops


class SparsePasses:
    """Passes over samples that are all at hand.

    Parameters
    ----------
    learner : Learner
        Changed in place; its rule is dual averaging.
    samples : tuple of ndarray
        Scaled values in single precision, labels, and index among the neighbors, -1 for none.
    neighbors : tuple of ndarray
        Scaled values and labels.
    n : int
        Number of samples that alpha refers to.
    sigma : float
        Kernel width.
    rng : Generator
        Draws orders and neighbors.
    workers : Workers
        Threads.

    Attributes
    ----------
    dense : bool
        Whether the next pass is dense: many features have a weight.
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
            learner.alpha = WARM_UP_ALPHA

    def run(self, tol: float) -> bool:
        """Make one pass, and return whether the fit has converged."""
        before, order = self.rule.w, self.rng.permutation(len(self.T))
        if self.dense:
            self._dense_pass(order)
        else:
            self._sparse_pass(order)
        self.change = relative_change(before, self.rule.w)
        self.rule.weight = float(self.weight[0])
        self.learner.path.append((self.rule.n_iter, self.learner.alpha))
        quiet = self.n_sparse > UNTUNED_PASSES and self.change < tol
        self.n_quiet = self.n_quiet + 1 if quiet else 0
        return self.n_quiet >= QUIET_PASSES

    def _few(self, n_weights: int) -> bool:
        most = max(SPARSE_SHARE * self.T.shape[1], FEW_FEATURES)
        return n_weights <= most

    def _move(self) -> None:
        """The weights of all features from their sums."""
        self.rule.weight = float(self.weight[0])
        self.rule.step(self.learner.alpha / self.n)

    def _dense_pass(self, order: NDArray) -> None:
        chosen = some_of_each(self.y, DENSE_NEIGHBORS, self.rng)
        index = np.full(len(self.y) + 1, -1)  # the last entry is for samples that are no neighbors
        index[chosen] = np.arange(len(chosen))
        S, y, own = self.S[chosen], self.y[chosen], index[self.own]
        sums = np.empty((2, self.T.shape[1]))
        for start in range(0, len(order), DENSE_BLOCK):
            block = order[start : start + DENSE_BLOCK]
            w = self.rule.w.astype(np.float32)
            count = dense_block(self.T, self.labels, own, block, S, y, self.sigma, w, sums)
            if count:
                keep = self._count(count)
                old = self.rule.sums * np.array([keep, keep, keep, keep**2])[:, None]
                self.rule.sums = old + np.stack([sums[0], sums[0], 0 * sums[0], sums[1]])
                self._move()
        self.dense = not self._few(int(np.count_nonzero(self.rule.w)))

    def _count(self, count: int) -> float:
        """Count new samples of weight 1, and return the factor of the weight of earlier ones."""
        before, self.rule.n_iter = self.rule.n_iter, self.rule.n_iter + count
        keep = self.rule.forgetting**count * before / self.rule.n_iter
        self.weight = np.array([keep, keep**2]) * self.weight + count
        return float(keep)

    def _sparse_pass(self, order: NDArray) -> None:
        rule, active = self.rule, np.flatnonzero(self.rule.w)
        draws = self._draws(len(order), self.n_sparse % GLANCE_EVERY == 0)
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
            if self.learner.tuned and self.n_sparse > UNTUNED_PASSES:
                self._tune(active)
            self._move()

    def _draws(self, n: int, random: bool) -> Draws:
        """Arrays for a pass over n samples, with random numbers if it draws neighbors."""
        return Draws(
            u=self.rng.random((n if random else 0, 2)),
            s=np.empty(n),
            drawn=np.zeros((n, 2 * DRAWS), np.intp),
            shrink=np.ones(n),
        )

    def _learn_others(self, order: NDArray, draws: Draws, before: NDArray, n_before: int) -> None:
        """Update the sums of all features by the neighbors drawn, if any; else keep their means.

        The first pass that draws neighbors replaces what dense passes have learned.
        """
        if not len(draws.u):
            ratio = self.weight / before
            self.noise *= ratio[0] ** 2
            self.rule.sums = self.rule.sums * ratio[[0, 0, 0, 1], None]
            return
        pull, curvature, square = self._drawn_sums(order, draws)
        count = self.rule.n_iter - n_before
        keep = self.rule.forgetting**count * n_before / self.rule.n_iter if self.n_sparse else 0.0
        each = (self.weight - np.array([keep, keep**2]) * before) / count
        left = draws.shrink[draws.s > 0].mean()
        noise = max(0.0, 1 - left) / left * square.mean()
        self.noise = keep**2 * self.noise + each[0] ** 2 * noise
        old = self.rule.sums * np.array([keep, keep, keep, keep**2])[:, None]
        new = [each[0] * pull, each[0] * pull, each[0] * curvature, each[1] * square]
        self.rule.sums = old + np.stack(new)

    def _drawn_sums(self, order: NDArray, draws: Draws) -> NDArray:
        """Sums of pull, curvature and squared pull of all features, by the neighbors drawn."""
        n_features, width = self.T.shape[1], max(64, SCALED_ROW_CHUNK // len(order))
        found = np.empty((3, n_features))

        def fill(start: int) -> None:
            stop = min(start + width, n_features)
            drawn_pulls(self.T, order, self.S, *draws[1:], start, stop, found)

        self.workers.map(fill, range(0, n_features, width))
        return found

    def _tune(self, active: NDArray) -> None:
        """Move alpha a few steps towards the one of largest evidence."""
        learner, per_sample = self.learner, self.n / self.weight[0]
        varies = self.rule.sums[2] > 0
        slope = per_sample * self._slopes(active)[varies]
        curvature = per_sample * self.rule.sums[2, varies]
        for _ in range(TUNING_STEPS):
            means = half_normal(learner.alpha - slope, curvature)[0]
            ratio = updated_alpha(means, learner.alpha) / learner.alpha
            if ratio > 1:
                learner.alpha *= ratio**RISE_POWER
            else:
                learner.alpha *= max(ratio, LARGEST_FALL)

    def _slopes(self, active: NDArray) -> NDArray:
        """Slopes at zero, without the variance that drawing neighbors adds to them."""
        slopes, others = self.rule.sums[1].copy(), np.ones(self.T.shape[1], bool)
        others[active] = False
        spread = slopes[others].var() if others.any() else 0.0
        if spread > 0:
            center = slopes[others].mean()
            share = np.sqrt(max(0.0, 1 - self.noise / spread))
            slopes[others] = center + share * (slopes[others] - center)
        return slopes


def relative_change(before: NDArray, w: NDArray) -> float:
    """Norm of the change of weights over their norm; infinite if all became zero."""
    change, length = np.linalg.norm(w - before), np.linalg.norm(w)
    if length == 0:
        return np.inf if change else 0.0
    return float(change / length)


def some_of_each(y: NDArray, n: int, rng: np.random.Generator) -> NDArray:
    """About n random indices, as many of each label; at least two of each, if it has them."""
    labels = np.unique(y)
    each = max(2, n // len(labels))
    chosen = [rng.permutation(np.flatnonzero(y == label))[:each] for label in labels]
    return np.sort(np.concatenate(chosen))
