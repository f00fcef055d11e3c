"""The test by permuted labels: a statistic, a q-value and a p-value for every feature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed, effective_n_jobs
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.alignment import joined
from hitmiss._util.any_estimator import check_taken, given, taken
from hitmiss._util.checks import check_count
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.random import RandomStateLike, as_generator, with_fixed_seeds
from hitmiss._util.ties import comparable
from hitmiss._util.workers import each_result
from hitmiss.inference.exchange import CALIBRATIONS, Exchange
from hitmiss.inference.q_values import PooledNull
from hitmiss.inference.statistic import Statistic, Tested

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
    found = _statistics(tested, orders, shared, n_jobs, progress_for(verbose))
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
