"""Attribution: discoveries that can be told from what is correlated with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_positive
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss._util.workers import Workers, one_blas_thread
from hitmiss.data.features import Features

if TYPE_CHECKING:
    from hitmiss.inference.replaceability import Members, Place, Places
    from hitmiss.lofe import Problem


# The chain of sets. On 48 sets of made labels (12 draws of four microarrays, none
# of those of the benchmark), at q = 0.1, share of false ones, where kin counts as true, and power
# with kin: of all discoveries .435, .569; by the chain .076, .417; by each place alone, with all
# others as selected, 0, .250. Exponents halved left next to no power on the five sets looked at.
KIN = 0.7  # correlation above which features are not told apart: as in the benchmark, a convention
PRIOR_RATE = 0.2  # of exponential weights: their mean is 5, those of relevant genes are 5 to 20
PRIOR_FEATURES = 1.0  # expected number of features that explain the labels. On 21 of these sets
# 2.7 have .067, .333 where 1 has .008, .349; on 3 sets of 200 x 1,000 with neighbors correlated .5,
# 7.4 have twice the power
SWEEPS, UNSETTLED = 8, 2  # through all places, and those before the chain has settled: convention


def attribution(
    lofe: Any,
    X: Any,
    y: ArrayLike,
    features: ArrayLike | None = None,
    *,
    kin: float = KIN,
    expected: float = PRIOR_FEATURES,
    random_state: RandomStateLike = None,
    verbose: bool | ProgressLike = False,
    **samples: Any,
) -> NDArray:
    r"""Probability that a feature, or kin of it, is among those that explain the labels.

    A feature may have to do with the labels only because it is correlated with others that do. Such
    bystanders are discoveries of `permutation_test`. Here features compete: with f(A) the objective
    of the fixed point on the features A alone, a set A of J features is held to be as likely as

    .. math:: e^{-f(A)} (\kappa / J)^{|A|}

    which is a posterior: of two classes the loss of a sample is minus the logarithm of the
    probability of its label given all others, and the penalty that of exponential weights. A chain
    of random sets begins with the selected features. In each step one feature gives up its
    place, and it is filled again, or left empty, with these probabilities. The result is the share
    of the sets that hold the feature itself or a kin. A bystander has no share if the features
    that it stands for explain more; two that explain as much have half of it each, unless they
    are kin.

    Assumes that few features explain the labels, in the way of LOFE, each as likely beforehand, and
    that they are in X: of several that stand for one that is not, the best may win all. The chain
    is short: shares that are neither near 0 nor near 1 differ by up to 0.3 (standard deviation)
    from seed to seed. The list that follows from it, `FDRSelector(attributable=True)`, keeps its
    level in simulations; nothing is proved.

    Parameters
    ----------
    lofe : LOFE, LOFECV, LOFERegressor or LOFESurvival
        Fitted. Its kernel width counts, its penalty does not.
    X : array-like of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,)
        Their labels.
    features : array-like of int or mask, default=None
        The features that are asked for; None for all that `lofe` has selected.
    kin : float, default=0.7
        Features with an absolute correlation above it are not told apart.
    expected : float, default=1.0
        Number of features, kappa above, that are expected to explain the labels: with more, fewer
        are left out, and bystanders have larger shares.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the chain.
    verbose : bool, default=False
        Whether to show the progress on standard error. An object with methods `begin` and
        `advance` receives it instead.
    **samples : array-like
        What `fit` was given of every sample: weights, groups, strata, covariates.

    Returns
    -------
    ndarray of shape (len(features),)

    See Also
    --------
    hitmiss.metrics.substitutes : Which features could take the place of a selected one.

    References
    ----------
    G. Wang, A. Sarkar, P. Carbonetto, M. Stephens (2020). A simple new approach to variable
    selection in regression, with application to genetic fine mapping. JRSS B 82(5), 1273-1300, for
    the question.

    Examples
    --------
    Two features decide the class. The third, their sum with noise, has to do with it as well:

    >>> from hitmiss import LOFE
    >>> from hitmiss.inference import attribution
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> y = (X[:, 0] + X[:, 1] > 0).astype(int)
    >>> X[:, 2] += X[:, 0] + X[:, 1]
    >>> attribution(LOFE().fit(X, y), X, y, [0, 1, 2], random_state=0).round(1)
    array([1., 1., 0.])
    """
    if not 0 < kin <= 1:
        raise ValueError(f"kin must be a correlation above 0 and up to 1; got {kin!r}.")
    data, problem = lofe.reopened(X, y, **samples)
    listed = None if features is None else _indices(features, data.n_features)
    how: dict[str, Any] = {"kin": kin, "expected": expected, "verbose": verbose}
    return attribution_among(lofe, data, problem, listed, random_state=random_state, **how)


@one_blas_thread()
def attribution_among(
    lofe: Any,
    data: Features,
    problem: Problem,
    listed: NDArray | None,
    *,
    kin: float = KIN,
    expected: float = PRIOR_FEATURES,
    random_state: RandomStateLike = None,
    verbose: bool | ProgressLike = False,
) -> NDArray:
    """`attribution` on opened data, of the features of the numbers listed.

    Parameters
    ----------
    lofe : LOFE, LOFECV, LOFERegressor or LOFESurvival
        Fitted.
    data : Features
        The samples it was fitted on.
    problem : Problem
        The problem of the fit.
    listed : ndarray of int or None
        The features that are asked for; None for all that `lofe` has selected.
    kin, expected, random_state, verbose
        As in `attribution`.
    """
    from hitmiss.inference.replaceability import (
        Places,  # other methods, which are tested too, do without LOFE
    )

    selected = np.flatnonzero(lofe.get_support())
    listed = selected if listed is None else listed
    problem = problem.replaced(alpha=PRIOR_RATE)
    places = Places(data, problem, Workers(lofe.n_jobs), max_iter=lofe.max_iter)
    odds = check_positive("expected", expected) / data.n_features
    chain = _Chain(places, tuple(selected.tolist()), odds, as_generator(random_state))
    shares, n_steps = np.zeros(len(listed)), 0
    kinship = _Kinship(data, listed, kin)
    progress = progress_for(verbose)
    if progress is not None:
        progress.begin("attribution", SWEEPS)
    for sweep in range(SWEEPS):
        for others, index, probability in chain.sweep():
            if sweep >= UNSETTLED:
                n_steps += 1
                held = kinship.among(np.array(others, int)).any(axis=1)
                shares += np.where(held, 1.0, kinship.among(index) @ probability)
        if progress is not None:
            progress.advance()
    return shares / n_steps


def _indices(features: ArrayLike, n_features: int) -> NDArray:
    """Features by number, or by a mask as from `get_support`."""
    asked = np.asarray(features)
    if asked.dtype == bool and asked.shape == (n_features,):
        return np.flatnonzero(asked)
    numbers = asked.ndim == 1 and (asked.dtype.kind in "iu" or not len(asked))
    if not numbers or (len(asked) and (asked.min() < 0 or asked.max() >= n_features)):
        raise ValueError(
            f"features must be numbers of features from 0 to {n_features - 1}, or a mask of all; "
            f"got {features!r}."
        )
    return asked.astype(int)


class _Chain:
    """Random sets of features, one place after the other."""

    def __init__(self, places: Places, members: Members, odds: float, rng: np.random.Generator):
        self.places, self.members, self.odds, self.rng = places, members, odds, rng

    def sweep(self) -> Iterator[tuple[Members, NDArray, NDArray]]:
        """Every member gives up its place once, and then there is one more place.

        Yields
        ------
        others : tuple of int
            The features that stay.
        index : ndarray of int
            Features that may have the place.
        probability : ndarray
            Of each of them.
        """
        for member in (*self.rng.permutation(self.members).tolist(), None):
            others = tuple(k for k in self.members if k != member)
            place = self.places.beside(others, self.members)
            probability = self._probabilities(place)
            yield others, place.tried, probability[1:]
            chosen = self.rng.choice(len(probability), p=probability)
            taken = place.tried[chosen - 1 : chosen].tolist() if chosen else []
            self.members = tuple(sorted((*others, *taken)))

    def _probabilities(self, place: Place) -> NDArray:
        """That the place is empty, and that it holds each of the features."""
        gain = place.empty - np.append(place.empty, place.objectives)
        weight = np.exp(gain - gain.max())
        weight[1:] *= self.odds
        return weight / weight.sum()


class _Kinship:
    """Features that are kin of those listed, or they themselves."""

    def __init__(self, features: Features, listed: NDArray, least: float):
        self.features, self.listed, self.least = features, listed, least
        self._standard = self._columns(listed)

    def among(self, index: NDArray) -> NDArray:
        """Mask of shape (n_listed, len(index))."""
        same = self.listed[:, None] == index
        return same | (np.abs(self._standard.T @ self._columns(index)) > self.least)

    def _columns(self, index: NDArray) -> NDArray:
        """Columns of length 1 around their mean; a missing value is at the mean."""
        X = np.asarray(self.features.columns(index).values, float)
        known = ~np.isnan(X)
        mean = X.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1)
        X = np.where(known, X - mean, 0.0)
        length = np.linalg.norm(X, axis=0)
        return X / np.where(length > 0, length, 1.0)
