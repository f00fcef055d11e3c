"""The test by permuted labels: orders of the labels, statistics under each, q- and p-values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lgamma, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from joblib import delayed, effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hitmiss._util.alignment import distinct_codes, joined
from hitmiss._util.any_estimator import check_taken, feature_weights, given, taken
from hitmiss._util.checks import check_count
from hitmiss._util.errors import warn
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.random import RandomStateLike, as_generator, with_fixed_seeds
from hitmiss._util.ties import ZERO, at_least, below, comparable
from hitmiss._util.workers import each_result

if TYPE_CHECKING:
    from hitmiss.lofe import FixedPoints


CALIBRATIONS = 5  # permuted labels from which a method learns what noise reaches, beside those of
# the test: largest gradients of LOFE differ by a fifth between them, so that their mean is good to
# a tenth


class Exchange:
    """Random orders of labels that are as likely as the true one if nothing is there.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels, numbers, or events and times in two columns.
    groups : array-like of shape (n_samples,), optional
        Samples of one group, such as the cells of a donor, stay together. If every group has one
        label, groups exchange their labels; otherwise the labels of a group, in the order of its
        samples, go to another group of the same size.
    strata : array-like of shape (n_samples,), optional
        Labels are exchanged only between samples, or groups, of the same stratum.

    Examples
    --------
    >>> exchange = Exchange(["a", "a", "b", "b"], groups=[1, 1, 2, 2])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> sorted({"".join(y[exchange.draw(np.random.default_rng(seed))]) for seed in range(9)})
    ['aabb', 'bbaa']
    """

    def __init__(
        self, y: ArrayLike, groups: ArrayLike | None = None, strata: ArrayLike | None = None
    ):
        codes = distinct_codes("y", _joined(y))
        n = len(codes)
        group = np.arange(n) if groups is None else distinct_codes("groups", groups, n)
        stratum = np.zeros(n, int) if strata is None else distinct_codes("strata", strata, n)
        self._members = _members(group)
        n_split = sum(len(np.unique(stratum[rows])) > 1 for rows in self._members)
        if n_split:
            raise ValueError(
                f"{n_split} of {len(self._members)} groups lie in several strata; whole groups "
                "exchange labels, and within a stratum, so test with groups or with strata alone."
            )
        self._constant = all(len(np.unique(codes[rows])) == 1 for rows in self._members)
        sizes = np.array([len(rows) for rows in self._members])
        of_group = np.array([stratum[rows[0]] for rows in self._members])
        kind = of_group if self._constant else of_group * (sizes.max() + 1) + sizes
        self._alike = _members(kind)  # groups that exchange their labels
        known: dict[bytes, int] = {}  # labels of a group -> a number
        labels = (codes[rows[:1] if self._constant else rows] for rows in self._members)
        self._label = np.array([known.setdefault(each.tobytes(), len(known)) for each in labels])
        self._n_samples = n
        if self.log_n_orders < log(2) / 2:  # a single order
            raise ValueError(
                "No two groups can exchange their labels: all of a stratum have the same, or those "
                "with several labels each differ in size; leave out groups or strata."
            )

    @property
    def log_n_orders(self) -> float:
        """Logarithm of the number of different label vectors that may be drawn."""
        total = 0.0
        for alike in self._alike:
            counts = np.unique(self._label[alike], return_counts=True)[1]
            total += lgamma(len(alike) + 1) - sum(lgamma(count + 1) for count in counts)
        return total

    def in_place(self) -> NDArray:
        """The order of the labels as they are."""
        return np.arange(self._n_samples)

    def draw(self, rng: np.random.Generator) -> NDArray:
        """An order, so that ``y[order]`` are the exchanged labels."""
        order = np.empty(self._n_samples, int)
        for alike in self._alike:
            for to, source in zip(alike, rng.permutation(alike), strict=True):
                taken = self._members[source]
                order[self._members[to]] = taken[0] if self._constant else taken
        return order

    def warn_if_few(self, n_permutations: int) -> None:
        """Warn if there are hardly more different labels than permutations."""
        if self.log_n_orders < log(1 + n_permutations):
            n = round(np.exp(self.log_n_orders))
            warn(
                f"Labels can be exchanged in {n} ways only, so that no p-value is below "
                f"{1 / n:.2g} in truth; more groups are needed for more."
            )


def _joined(y: Any) -> NDArray:
    """Labels in one dimension: of several columns, a number for every row that differs."""
    array = np.asarray(y)
    if array.ndim != 2 or array.shape[1] < 2:
        return array
    columns = [np.unique(column, return_inverse=True)[1] for column in array.T]
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def _members(codes: NDArray) -> list[NDArray]:
    """Indices of every distinct value, ascending."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


class Statistic(NamedTuple):
    """A number for every feature, and one for the fit as a whole; the larger, the more is there."""

    values: NDArray
    whole: float

    @classmethod
    def of(cls, values: NDArray) -> Statistic:
        """The values of the features, with the largest of them for the whole."""
        return cls(values, float(values.max()))


class Refitted:
    """Any estimator with weights of features, fitted anew for each order of the labels."""

    refines = False

    def __init__(self, selector: Any, X: Any, y: ArrayLike, samples: Mapping[str, Any]):
        self.selector, self.X, self.y, self.samples = selector, X, np.asarray(y), samples

    def shared(self, orders: Iterable[NDArray]) -> None:
        """Nothing."""

    def statistics(self, orders: Iterable[NDArray], shared: None) -> Iterator[Statistic]:
        """The weights under ``y[order]`` for each of the orders."""
        for order in orders:
            fitted = clone(self.selector).fit(self.X, self.y[order], **self.samples)
            yield Statistic.of(feature_weights(fitted))


class Tested:
    """A selector and the data on which it is tested, opened once in every process.

    What is opened has ``shared(orders)``, what the statistics of all orders of the labels share,
    ``statistics(orders, shared)``, and if it `refines`, ``refined(orders, shared, known)``, the
    statistics if features that are known keep their labels.

    Parameters
    ----------
    selector : estimator
        A selector of this library, which has a method `opened`, or any estimator with `weights_`,
        `feature_importances_` or `coef_` after `fit`.
    X, y : array-like
        Samples and labels.
    samples : mapping
        What `fit` is given of every sample, which stays in place.
    opened : object, optional
        The data, if they have been opened already.
    """

    def __init__(
        self,
        selector: Any,
        X: Any,
        y: ArrayLike,
        samples: Mapping[str, Any] | None = None,
        opened: Any = None,
    ):
        self.selector, self.X, self.y, self.samples = selector, X, y, samples or {}
        self._opened = opened

    @property
    def opened(self) -> Any:
        """The data, opened."""
        if self._opened is None:
            if hasattr(self.selector, "opened"):
                self._opened = self.selector.opened(self.X, self.y, **self.samples)
            else:
                self._opened = Refitted(self.selector, self.X, self.y, self.samples)
        return self._opened

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was opened: another process opens its own."""
        return vars(self) | {"_opened": None}


class PooledNull:
    r"""Counts of how often permuted labels reach what the true labels reached.

    For a threshold t the expected share of false discoveries is estimated as

    .. math::
        \widehat{FDR}(t) = \frac{1 + \#\{b, j : T_j^b \ge t\}}{(B + 1) \, \#\{j : T_j \ge t\}}

    with the statistics :math:`T_j` of the features and :math:`T_j^b` of B permutations. The q-value
    of a feature is the smallest estimate over the thresholds at or below its own statistic. A
    statistic that is not above 0 says nothing in favor of its feature: the q-value is 1. Permuted
    labels that are the true ones in another order reach them up to rounding, which counts.

    Parameters
    ----------
    observed : ndarray of shape (n_features,)
        Statistics under the true labels.
    whole : float
        Statistic of the fit as a whole.

    Examples
    --------
    >>> null = PooledNull(np.array([5.0, 3.0, 0.0]), whole=8.0)
    >>> for b in range(9):
    ...     null.add(np.array([0.0, 1.0, 0.0]), whole=1.0)
    >>> null.q_values()
    array([0.1, 0.1, 1. ])
    >>> null.p_value
    0.1
    """

    def __init__(self, observed: NDArray, whole: float):
        self.observed, self.whole = observed, whole
        self.n_permutations = 0
        order, known = np.argsort(observed, kind="stable"), observed[np.isfinite(observed)]
        least = ZERO * max(known.max(initial=0.0), 0.0)
        self._order = order[observed[order] > least]  # the others have a q-value of 1
        self._ascending = below(observed[self._order])
        self._reached = np.zeros(len(self._order), int)  # by values of permuted labels
        self._largest_reached = np.zeros(len(self._order), int)  # by the largest of a permutation
        self._whole_reached = 0

    def add(self, values: NDArray, whole: float) -> None:
        """Count the statistics of one permutation."""
        self.n_permutations += 1
        self._whole_reached += bool(at_least(whole, self.whole))
        if len(self._ascending):
            high = np.sort(values[values >= self._ascending[0]])
            self._reached += len(high) - np.searchsorted(high, self._ascending, side="left")
            self._largest_reached += values.max() >= self._ascending

    @property
    def p_value(self) -> float:
        """Of the fit as a whole: how often permuted labels are explained as well."""
        return (1 + self._whole_reached) / (1 + self.n_permutations)

    def q_values(self, least: float | None = None) -> NDArray:
        """Of every feature; never below `least`, by default the p-value of the whole.

        If nothing is there, a q-value up to any level then has at most that probability, however
        the features depend on each other.
        """
        first = np.searchsorted(self._ascending, below(self._ascending), side="left")
        discoveries = len(self._ascending) - first
        estimate = (1 + self._reached) / (1 + self.n_permutations) / discoveries
        smallest = np.minimum.accumulate(np.minimum(estimate, 1.0))
        return self._in_order(np.maximum(smallest, self.p_value if least is None else least))

    def p_values(self) -> NDArray:
        """Of every feature: how often any feature of permuted labels is as large."""
        return self._in_order((1 + self._largest_reached) / (1 + self.n_permutations))

    def single_p_values(self) -> NDArray:
        """Of every feature alone: how many of all values of permuted labels are as large."""
        n_values = self.n_permutations * len(self.observed)
        return self._in_order((1 + self._reached) / (1 + n_values))

    def _in_order(self, ascending: NDArray) -> NDArray:
        """In the order of the features; 1 where the statistic is not above 0."""
        out = np.ones(len(self.observed))
        out[self._order] = ascending
        return out


CHUNKS_PER_PROCESS = 4  # pieces of work: as many steps of the progress, and processes end together

# The second look of the test. On 38 sets of 200 x 1,000 with five relevant features
# and 18 where neighboring features are correlated .5, at q = 0.1, power and share of false ones: by
# the first look alone .895, .051 and .878, .039; by this mean .926, .079 and .900, .078; by the
# second look alone .937, .097 and .911, .087. Six ways to join the looks were compared there, all
# with 20 permutations in the second; with 10, as here, the mean was not compared with others.
KNOWN = 0.05  # family-wise p-value up to which a feature is taken as known there
SECOND_LOOK = 0.75  # its share in a q-value
REFINEMENTS = 10  # permutations: with two discoveries the estimate is then fine to 0.05


class PermutationTest(NamedTuple):
    """Results of `permutation_test`."""

    statistic: NDArray  # of every feature, the larger the better
    q_values: NDArray  # expected share of false ones among the features up to this one
    p_values: NDArray  # probability that any feature is as large if nothing is there
    p_value: float  # probability that the labels are explained as well if nothing is there
    n_permutations: int  # that were done

    def selected(self, fdr: float = 0.1) -> NDArray:
        """Features with a q-value of at most `fdr`, best first."""
        order = np.lexsort((-comparable(self.statistic), self.q_values))
        return order[self.q_values[order] <= fdr]


def permutation_test(
    selector: Any,
    X: Any,
    y: ArrayLike,
    *,
    n_permutations: int = 20,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    random_state: RandomStateLike = None,
    n_jobs: int | None = None,
    verbose: bool | ProgressLike = False,
    interruptible: bool = False,
) -> PermutationTest:
    """Compare what a selector finds with what it finds when the labels are permuted.

    The hypothesis is that the labels could as well have been given to the samples in another order:
    that no feature, alone or together with others, has to do with them. For a feature with a small
    q-value this is rejected. A feature that is only correlated with one that matters has to do
    with the labels too, and is a discovery; conditional independence is not tested.

    Parameters
    ----------
    selector : estimator
        Any selector of this library, or any estimator with importances or coefficients that are
        the larger the more is there. Cloned.
        The statistic of LOFE is the area under the weight while the penalty grows from where noise
        begins to have a weight, whatever its `alpha`; that of other methods is the weight. A
        `sigma` of "auto" is chosen anew for each of the permuted labels. The weights of LOFECV,
        which chooses its penalty anew for each of them, have little power: test a LOFE.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels. As in `fit`, a name of a column of X may stand for these, for `groups` and
        the like.
    n_permutations : int, default=20
        Number of permutations B. No p-value or q-value is below ``1 / (B + 1)``.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group, such as repeated measurements of a donor, keep together. A selector
        whose fit takes groups is given them too: the nearest hit of a sample would otherwise be of
        its own group, whatever the labels of groups are.
    strata : array-like of shape (n_samples,), default=None
        Labels are permuted within each stratum, such as a batch. A selector whose fit takes strata
        is given them too.
    sample_weight, covariates : array-like, default=None
        Given to the fit of the selector, which must take them. They stay with the samples.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the permutations.
    n_jobs : int, default=None
        Number of processes, as in joblib; with one, the fits use threads. The result does not
        depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error. An object with methods `begin` and
        `advance` receives it instead.
    interruptible : bool, default=False
        Whether Ctrl-C after at least one permutation returns the test with those that are done.

    Returns
    -------
    PermutationTest
        `statistic`, `q_values` and family-wise `p_values` of every feature, the `p_value` of the
        fit as a whole and the number of permutations. If nothing is there, the probability that
        any feature has a q-value up to a level is at most that level. If something is, the share of
        false ones among the features with a q-value up to the level is, by simulation, at most
        the level on average. For LOFE the q-value is a mean of two estimates: a second look takes
        place beside the features of small family-wise p-value, which keep their labels.

    References
    ----------
    V. G. Tusher, R. Tibshirani, G. Chu (2001). Significance analysis of microarrays applied to the
    ionizing radiation response. PNAS 98(9), 5116-5121, for pooled permutations.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.inference import permutation_test
    >>> X, y = datasets.make_xor(n_irrelevant=50, random_state=0, return_X_y=True)
    >>> test = permutation_test(ReliefF(), X, y, random_state=0)
    >>> sorted(test.selected(0.1).tolist())
    [0, 1]
    """
    n = check_count("n_permutations", n_permutations)
    X, y, beside = joined(
        X, y, groups=groups, strata=strata, sample_weight=sample_weight, covariates=covariates
    )
    samples = given_to(selector, given(**beside))
    return permuted_test(
        Tested(with_fixed_seeds(selector), X, y, samples),
        n,
        beside["groups"],
        beside["strata"],
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
        interruptible=interruptible,
    )


def permuted_test(
    tested: Tested,
    n_permutations: int,
    groups: ArrayLike | None,
    strata: ArrayLike | None,
    *,
    random_state: RandomStateLike,
    n_jobs: int | None,
    verbose: bool | ProgressLike,
    interruptible: bool = False,
) -> PermutationTest:
    """`permutation_test` of a selector and its data, which are opened once.

    Parameters
    ----------
    tested : Tested
        The selector and the data.
    n_permutations, groups, strata, random_state, n_jobs, verbose, interruptible
        As in `permutation_test`, all checked.
    """
    exchange, rng = Exchange(tested.y, groups, strata), as_generator(random_state)
    exchange.warn_if_few(n_permutations)
    shared = tested.opened.shared([exchange.draw(rng) for _ in range(CALIBRATIONS)])
    orders = [exchange.in_place(), *(exchange.draw(rng) for _ in range(n_permutations))]
    found = _statistics(tested, orders, shared, n_jobs, progress_for(verbose) if verbose else None)
    null = PooledNull(*next(found))
    q_values = None
    try:
        for statistic in found:
            null.add(*statistic)
        q_values = _refined(null, tested.opened, shared, exchange, rng)
    except KeyboardInterrupt:
        if not interruptible or not null.n_permutations:
            raise
    if q_values is None:
        q_values = null.q_values()
    return PermutationTest(
        null.observed, q_values, null.p_values(), null.p_value, null.n_permutations
    )


def given_to(selector: Any, samples: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fit of the selector is given of every sample.

    Groups and strata go to a selector that takes them; weights and covariates it must take.

    Parameters
    ----------
    selector : estimator
        That is tested.
    samples : dict
        Groups, strata, weights and covariates, as far as they are given.
    """
    needless = ("groups", "strata")
    asked = {name: value for name, value in samples.items() if name not in needless}
    check_taken(selector, asked)
    return asked | taken(selector, {k: samples[k] for k in samples if k in needless})


def _refined(
    null: PooledNull,
    opened: Any,
    shared: Any,
    exchange: Exchange,
    rng: np.random.Generator,
) -> NDArray:
    """q-values that also look at noise as it is beside the features that are known by now.

    Permuted labels are harder to explain than what known features leave over, so noise reaches more
    under them than in truth, and the estimate is too large. Beside known features that keep their
    labels it is rather too small, as these are taken for granted. A mean of both is returned.
    """
    q_values = null.q_values()
    known = np.flatnonzero(null.p_values() <= KNOWN)
    open_ones = np.setdiff1d(np.flatnonzero(q_values > null.p_value), known)
    if not opened.refines or not len(known) or not (null.observed[open_ones] > 0).any():
        return q_values
    orders = [exchange.in_place(), *(exchange.draw(rng) for _ in range(REFINEMENTS))]
    found = opened.refined(orders, shared, known)
    observed = next(found)
    observed[known] = np.inf  # they count as discoveries
    beside = PooledNull(observed, np.inf)
    for values in found:
        beside.add(values, 0.0)
    second = np.minimum(q_values, beside.q_values(null.p_value))
    return q_values + SECOND_LOOK * (second - q_values)


def _statistics(
    tested: Tested,
    orders: Sequence[NDArray],
    shared: Any,
    n_jobs: int | None,
    progress: ProgressLike | None,
) -> Iterator[Statistic]:
    """The statistic under each order of the labels, in processes if there are several."""
    label = "permutations"
    n_processes = effective_n_jobs(n_jobs) if n_jobs is not None else 1
    if n_processes == 1:
        if progress is not None:
            progress.begin(label, len(orders))
        for statistic in tested.opened.statistics(orders, shared):
            if progress is not None:
                progress.advance()
            yield statistic
        return
    size = max(1, len(orders) // (CHUNKS_PER_PROCESS * n_processes))
    chunks = [orders[k : k + size] for k in range(0, len(orders), size)]
    calls = [delayed(_some)(tested, chunk, shared) for chunk in chunks]
    for statistics in each_result(calls, n_jobs, progress, label):
        yield from statistics


def _some(tested: Tested, orders: Sequence[NDArray], shared: Any) -> list[Statistic]:
    return list(tested.opened.statistics(orders, shared))


# The path area is the statistic of LOFE. Its numbers were chosen on 12 sets of 200 x 1,000 with
# five relevant features, independent or correlated, and on three microarrays.
# Where the area begins, as a share of the mean largest gradient of permuted labels at w = 0: 1 to 5
# features of permuted labels have a weight there. At a rate of 0.1 the shares 0.5 and 0.7 find 0.92
# of the relevant features, 0.9 finds 0.90; by weights alone 0.78 to 0.93 and hardly any on
# microarrays, by the strongest penalty with a weight 0.83.
NOISE_SHARE = 0.6
NO_NOISE = 1.0  # the strength where no gradient is above 0: the paper's
AREA_STRIDE = 1.25  # factor between strengths
AREA_TOL = 1e-2  # relative tolerance of the fixed points: areas are found to about as much


def noise_alpha(relabeled: Iterable[FixedPoints]) -> float:
    """The strength of the penalty at which features that say nothing begin to have a weight.

    For each of some permuted labels the largest gradient over all features at w = 0 is the
    strength below which a feature has a weight for certain. A share of their mean is returned.

    Parameters
    ----------
    relabeled : iterable of FixedPoints
        Of the same data with permuted labels.
    """
    largest = float(np.mean([points.gradient_at_zero.max() for points in relabeled]))
    return NOISE_SHARE * largest if largest > 0 else NO_NOISE


def path_area(
    points: FixedPoints, sigma: float, weakest: float, known: NDArray | None = None
) -> Statistic:
    r"""The area :math:`\int w_j(\alpha) d\alpha` from the weakest penalty up.

    The lowest fixed point at the weakest penalty is followed while the penalty grows, until no
    weight is left. On the way down from a strong penalty, features that help only together would
    not be found.

    A weight at one strength says little: features that say the same share it, while noise that
    stands alone gets all of it. The strongest penalty under which a feature has a weight does not
    depend on that, but not on what it adds to others either. The area has the better of both.

    Parameters
    ----------
    points : FixedPoints
        Of the data.
    sigma : float
        Kernel width.
    weakest : float
        The weakest penalty, as from `noise_alpha`.
    known : ndarray of int, optional
        Features whose areas are not wanted; the path ends where no other has a weight.

    Returns
    -------
    Statistic
        The areas, 0 for known features, and the share of the objective of w = 0 that is gone at
        the weakest penalty.
    """
    found = points.solve(sigma, weakest)
    explained = 1.0 - found.objective / points.problem.null_objective
    areas, wanted = np.zeros(len(found.w)), np.ones(len(found.w), bool)
    if known is not None:
        wanted[known] = False
    while (found.w[wanted] > 0).any():
        stronger = AREA_STRIDE * found.alpha
        areas += np.where(wanted, found.w, 0.0) * (stronger - found.alpha)
        found = points.follow(sigma, stronger, found)
    return Statistic(areas, explained)
