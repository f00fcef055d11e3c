"""The test by permuted labels: a statistic, a q-value and a p-value for every feature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from hitmiss.inference import inference_constants as constants
from hitmiss.inference.exchange import Exchange
from hitmiss.inference.q_values import PooledNull
from hitmiss.inference.statistic import Refitted, Relabeling, Statistic


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
    exchange, rng = Exchange(y, beside["groups"], beside["strata"]), as_generator(random_state)
    exchange.warn_if_few(n)
    samples = _given_to(selector, **beside)
    relabeling = Refitted.unless_relabeling(with_fixed_seeds(selector))
    shared = relabeling.shared_by_labels(
        X, y, [exchange.draw(rng) for _ in range(constants.CALIBRATIONS)], **samples
    )
    orders = [np.arange(len(np.asarray(y))), *(exchange.draw(rng) for _ in range(n))]
    progress = progress_for(verbose)
    found = _statistics(relabeling, X, y, orders, shared, samples, n_jobs, progress)
    null = PooledNull(*next(found))
    q_values = None
    try:
        for statistic in found:
            null.add(*statistic)
        q_values = _refined(null, relabeling, X, y, shared, samples, exchange, rng)
    except KeyboardInterrupt:
        if not interruptible or not null.n_permutations:
            raise
    if q_values is None:
        q_values = null.q_values()
    return PermutationTest(
        null.observed, q_values, null.p_values(), null.p_value, null.n_permutations
    )


def _given_to(
    selector: Any,
    groups: ArrayLike | None,
    strata: ArrayLike | None,
    sample_weight: ArrayLike | None,
    covariates: ArrayLike | None,
) -> dict[str, Any]:
    """What the fit of the selector is given of every sample."""
    asked = given(sample_weight=sample_weight, covariates=covariates)
    check_taken(selector, asked)
    return asked | taken(selector, given(groups=groups, strata=strata))


def _refined(
    null: PooledNull,
    relabeling: Relabeling | Refitted,
    X: Any,
    y: ArrayLike,
    shared: Any,
    samples: dict[str, Any],
    exchange: Exchange,
    rng: np.random.Generator,
) -> NDArray:
    """q-values that also look at noise as it is beside the features that are known by now.

    Permuted labels are harder to explain than what known features leave over, so noise reaches more
    under them than in truth, and the estimate is too large. Beside known features that keep their
    labels it is rather too small, as these are taken for granted. A mean of both is returned.
    """
    q_values = null.q_values()
    known = np.flatnonzero(null.p_values() <= constants.KNOWN)
    open_ones = np.setdiff1d(np.flatnonzero(q_values > null.p_value), known)
    if not hasattr(relabeling, "refined_statistics") or not len(known):
        return q_values
    if not (null.observed[open_ones] > 0).any():
        return q_values
    orders = [exchange.draw(rng) for _ in range(constants.REFINEMENTS)]
    in_place = np.arange(len(np.asarray(y)))
    found = relabeling.refined_statistics(X, y, [in_place, *orders], shared, known, **samples)
    observed = next(found)
    observed[known] = np.inf  # they count as discoveries
    beside = PooledNull(observed, np.inf)
    for values in found:
        beside.add(values, 0.0)
    second = np.minimum(q_values, beside.q_values(null.p_value))
    return q_values + constants.SECOND_LOOK * (second - q_values)


def _statistics(
    relabeling: Relabeling | Refitted,
    X: Any,
    y: ArrayLike,
    orders: Sequence[NDArray],
    shared: Any,
    samples: dict[str, Any],
    n_jobs: int | None,
    progress: ProgressLike | None,
) -> Iterator[Statistic]:
    """The statistic under each order of the labels, in processes if there are several."""
    label = "permutations"
    n_processes = effective_n_jobs(n_jobs) if n_jobs is not None else 1
    if n_processes == 1:
        if progress is not None:
            progress.begin(label, len(orders))
        for statistic in relabeling.label_statistics(X, y, orders, shared, **samples):
            if progress is not None:
                progress.advance()
            yield statistic
        return
    size = max(1, len(orders) // (constants.CHUNKS_PER_PROCESS * n_processes))
    chunks = [orders[k : k + size] for k in range(0, len(orders), size)]
    calls = [delayed(_some)(relabeling, X, y, chunk, shared, samples) for chunk in chunks]
    for statistics in each_result(calls, n_jobs, progress, label):
        yield from statistics


def _some(
    relabeling: Relabeling | Refitted,
    X: Any,
    y: ArrayLike,
    orders: Sequence[NDArray],
    shared: Any,
    samples: dict[str, Any],
) -> list[Statistic]:
    return list(relabeling.label_statistics(X, y, orders, shared, **samples))
