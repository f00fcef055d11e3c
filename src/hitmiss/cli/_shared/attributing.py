"""The `--attributable` test: discoveries that no correlated feature could replace."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hitmiss._util.errors import InputError
from hitmiss.cli._shared.plan import N_PERMUTATIONS, Depth, Wanted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss._util.progress import ProgressLike
    from hitmiss.inference import PermutationTest
    from hitmiss.io import Table


class Attributed(NamedTuple):
    """Results of `--attributable` for every feature."""

    shares: "NDArray"  # probability that it or its kin is among those that explain the labels
    q_values: "NDArray"  # share of false ones and of bystanders, the larger of both
    fdr: float  # the largest q-value of an attributable discovery


def check_attributable(estimator: Any, method: str) -> None:
    """Raise an error if the method has no fixed points in which features could compete."""
    if not hasattr(estimator, "reopened"):
        raise InputError(
            f"--attributable needs --method lofe without --markers; got --method {method}."
        )


def with_test(wanted: Wanted) -> Wanted:
    """Add the permutation test that attribution needs; raise an error if it was switched off."""
    n = wanted.n_permutations
    if n == 0 or (n is None and wanted.depth is Depth.quick):
        raise InputError(
            "--attributable needs a permutation test; leave out --quick, or use "
            f"--permutations {N_PERMUTATIONS}."
        )
    return replace(wanted, n_permutations=n or N_PERMUTATIONS, attribution=True)


def attributed_to(
    estimator: Any,
    table: "Table",
    y: "NDArray",
    test: "PermutationTest",
    *,
    fdr: float,
    seed: int,
    verbose: "bool | ProgressLike",
) -> Attributed:
    """Attribute the discoveries of a test, like `FDRSelector(attributable=True)`.

    Parameters
    ----------
    estimator : LOFE or the like
        Fitted to the table.
    table : Table
        The samples, and what is known of them.
    y : array of shape (n_samples,)
        Class labels, or numbers, or events and times.
    test : PermutationTest
        The test.
    fdr : float
        The largest q-value of a discovery.
    seed : int
        Of the chain.
    verbose : bool or ProgressLike
        Whether to show the progress, or what shows it.
    """
    import numpy as np

    from hitmiss.inference import attribution
    from hitmiss.inference.q_values import attributed

    found = np.flatnonzero(test.q_values < 1)
    shares = np.zeros(len(test.q_values))
    if len(found):
        shares[found] = attribution(
            estimator, table.X, y, found, random_state=seed, verbose=verbose, **table.design
        )
    return Attributed(shares, attributed(test.q_values, shares), fdr)
