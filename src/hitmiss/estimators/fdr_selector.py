"""FDRSelector: the features that are real, up to a share of false ones."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.alignment import joined, named_columns
from hitmiss._util.any_estimator import PER_SAMPLE, feature_weights, given, taken
from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss._util.progress import elapsed
from hitmiss._util.random import RandomStateLike, with_fixed_seeds
from hitmiss._util.ties import comparable
from hitmiss.data.sources import Source
from hitmiss.estimators.lofe import LOFE
from hitmiss.estimators.selector import Opened, OutOfCoreAsBase, Weighed, weighs, with_nominal
from hitmiss.estimators.target_kinds import PerSample, with_samples
from hitmiss.estimators.validation import all_or_nothing, forget
from hitmiss.inference import attribution, decoy_test, subsample_test
from hitmiss.inference.bystanders import attribution_among
from hitmiss.inference.permutation import Tested, given_to, permuted_test
from hitmiss.inference.q_values import attributed
from hitmiss.targets.target import Target


@dataclass(eq=False, repr=False)
class FDRSelector(OutOfCoreAsBase):
    """Select features so that few of them are false; perhaps none, if nothing is there.

    A discovery is a feature that has to do with the labels, alone or together with others, not one
    that does so given all others. Three methods decide:

    - "permutation" permutes the labels. It assumes that, if nothing is there, the labels could as
      well have come in another order (with `groups` and `strata`: in another order of those). If
      nothing is there, it promises that anything is selected with a probability of at most
      `fdr`; if something is, the share of false ones is at most `fdr` on average in simulations.
    - "decoys" puts copies of X with permuted rows beside X. It assumes that a feature that says
      nothing behaves as such a copy. It is quick, and loses interactions.
    - "subsamples" looks for features that are selected from halves of the samples again and again.
      It assumes that a feature that says nothing is selected no more often than by chance, and
      bounds the number of false ones by a theorem. It is the most conservative.

    Whatever the method, discoveries may be bystanders, which only correlate with features that
    explain the labels. With `attributable=True` those are left out that others could replace: see
    `hitmiss.inference.attribution` for what this assumes. If what explains the labels is among the
    features, the share of those not correlated above 0.7 with any of it is then at most `fdr` on
    average in simulations, also in few samples of thousands of correlated genes.

    Parameters
    ----------
    base : estimator, default=None
        What weighs the features: a selector of this library, or any estimator with importances or
        coefficients. None is ``LOFE()``.
    fdr : float, default=0.1
        Share of false ones among the selected features that is accepted on average.
    method : {"permutation", "decoys", "subsamples"}, default="permutation"
        How the features are tested.
    n_permutations : int, default=20
        Number of permutations; no q-value is then below ``1 / (n_permutations + 1)``.
    n_repeats : int, default=1
        Number of fits beside other decoys; see `hitmiss.inference.decoy_test`.
    n_pairs : int, default=20
        Number of pairs of halves; see `hitmiss.inference.subsample_test`.
    attributable : bool, default=False
        Whether to select only discoveries that features other than their kin cannot replace; the
        base must be a LOFE, of classes, numbers or survival.
    max_features : int, default=None
        Number of features to select from the top of `ranking_`, whatever their q-values, instead
        of `fdr`.
    n_jobs : int, default=None
        Number of processes, as in joblib; with one, the fits use threads. The result does not
        depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the permutations, the decoys or the halves.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    q_values_ : ndarray of shape (n_features,)
        Of each feature the smallest `fdr` at which it is selected.
    p_value_ : float
        Probability that the labels are explained as well if nothing is there; by permutation only.
    p_values_ : ndarray of shape (n_features,)
        Of each feature the probability that any is as large if nothing is there; by permutation
        only.
    attribution_ : ndarray of shape (n_features,)
        Of each feature with a q-value below 1 the probability that it, or kin of it, is among those
        that explain the labels; 0 for all others. With `attributable` only.
    association_ : ndarray of shape (n_features,)
        The q-values of the test itself, which `q_values_` are not below. With `attributable` only.
    frequency_ : ndarray of shape (n_features,)
        Share of the halves that select each feature; by subsamples only.
    expected_false_ : ndarray of shape (n_features,)
        Bound on the number of false ones among the features at least as frequent; by subsamples
        only.
    support_ : ndarray of bool, shape (n_features,)
        Which features are selected.
    weights_ : ndarray of shape (n_features,)
        Statistic of each feature: for LOFE the area under its weight while the penalty grows, for
        others the weight; by subsamples its stability.
    feature_importances_ : ndarray of shape (n_features,)
        `weights_` divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by q-value, then by statistic, then by the weights of `base_`.
    base_ : estimator
        The base, fitted to all samples.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    See Also
    --------
    hitmiss.inference.permutation_test, hitmiss.inference.decoy_test,
    hitmiss.inference.subsample_test : The tests.
    hitmiss.inference.attribution : Which discoveries can be told from bystanders.

    Examples
    --------
    >>> from hitmiss import FDRSelector, LOFE, datasets
    >>> X, y = datasets.make_xor(n_irrelevant=100, random_state=0, return_X_y=True)
    >>> selector = FDRSelector(LOFE(), random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1])
    >>> selector.p_value_  # as small as 20 permutations can make it
    0.047619047619047616
    """

    base: Any = None
    fdr: float = 0.1
    _: KW_ONLY
    method: str = "permutation"
    n_permutations: int = 20
    n_repeats: int = 1
    n_pairs: int = 20
    attributable: bool = False
    random_state: RandomStateLike = None

    scale = "range"  # is the base's concern
    threshold = 0.0
    fit_takes = PER_SAMPLE

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        covariates: ArrayLike | None = None,
    ) -> Self:
        """Test the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels of any type, or what else the base explains, such as numbers.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group, such as repeated measurements of a donor, keep together when
            labels are permuted, and are no neighbors if the base takes groups; taken by that method
            only.
        strata : array-like of shape (n_samples,), default=None
            Labels are permuted within each stratum, such as a batch, and neighbors come from the
            same one if the base takes strata; taken by that method only.
        sample_weight, covariates : array-like, default=None
            Given to the fit of the base, which must take them; taken by that method only.

        Returns
        -------
        self : object
            The fitted selector.
        """
        with all_or_nothing(self):
            forget(self)
            known = {"groups": groups, "strata": strata}
            known |= {"sample_weight": sample_weight, "covariates": covariates}
            names = named_columns(X, y, **known)
            X, y, beside = joined(X, y, **known)
            data, target = self._validated(X, y)
            if names:
                self.named_columns_ = names
            samples = given(**beside)
            if self.method != "permutation":
                _check_none(self.method, **samples)
            opened = self._fit_base(X, data, target, samples)
            if self.method == "permutation":
                self._permute(X, data, target, samples, opened)
            else:
                self._compare(_in_memory(self.method, data), target.answers)
            if self.attributable:
                self._attribute(X, target.answers, samples, opened)
            self._take(Weighed(self.weights_))
            self.support_ = self._get_support_mask()
            if not self.support_.any():
                warn(f"No feature has a q-value of at most {self.fdr:g}, so none is selected.")
            return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if check_positive("fdr", self.fdr) >= 1:
            raise ValueError(f"fdr must be a share below 1; got {self.fdr!r}.")
        check_choice("method", self.method, ("permutation", "decoys", "subsamples"))
        check_count("n_repeats", self.n_repeats)
        check_count("n_pairs", self.n_pairs)
        n = check_count("n_permutations", self.n_permutations)
        if self.method == "permutation" and self.fdr * (n + 1) < 1:
            least = ceil(round(1 / self.fdr, 9)) - 1
            raise ValueError(
                f"fdr={self.fdr:g} cannot be reached with {n} permutations; use {least} or more."
            )
        if not hasattr(self._base(), "fit"):
            raise ValueError(f"base must be an estimator with a method fit; got {self.base!r}.")
        if self.attributable and not hasattr(self._base(), "reopened"):
            raise ValueError(f"attributable=True needs a LOFE as base; got {self.base!r}.")

    def _fit_base(
        self, X: Any, data: NDArray | Source, target: Target, samples: dict[str, Any]
    ) -> Opened | None:
        """Fit the base; return the data as it has opened them, if it is one of ours."""
        base, opened = clone(self._base()), None
        known = taken(base, samples)
        if weighs(base) and type(base).fit.__module__.startswith("hitmiss."):
            base._check_parameters()
            base._see(self)
            base._check_width(self.n_features_in_)
            for name in ("feature_names_in_", "classes_"):
                if hasattr(self, name):
                    setattr(base, name, getattr(self, name))
            weight = getattr(base, "class_weight", None)
            target = with_samples(target, PerSample(**known), weight)
            with elapsed(type(base).__name__) if base.verbose else nullcontext():
                if base.verbose:
                    base._announce(data.shape)
                opened = base._open(data, target)
                with opened.weigher.blas():
                    base._take(opened.weigher.weigh(opened.features, target))
        else:
            base.fit(X, target.answers, **known)  # with names of the features
        self.base_ = base
        if hasattr(base, "n_missing_"):
            self.n_missing_ = base.n_missing_
        return opened

    def _permute(
        self,
        X: Any,
        data: NDArray | Source,
        target: Target,
        samples: dict[str, Any],
        opened: Opened | None,
    ) -> None:
        """Test the base by permuted labels, on the data that it has opened."""
        X, y = data if isinstance(data, np.ndarray) else X, target.answers
        base = self._tested(X)
        seeded = with_fixed_seeds(base)
        if opened is not None:
            opened = opened._replace(weigher=clone(seeded)._see(self)._weigher())
        tested = Tested(seeded, X, y, given_to(base, samples), opened)
        groups, strata = samples.get("groups"), samples.get("strata")
        found = permuted_test(tested, self.n_permutations, groups, strata, **self._how())
        self.weights_, self.q_values_, self.p_values_ = found[:3]
        self.p_value_ = found.p_value

    def _compare(self, X: NDArray, y: NDArray) -> None:
        if self.method == "decoys":
            found = decoy_test(
                self._tested(X), X, y, fdr=self.fdr, n_repeats=self.n_repeats, **self._how()
            )
            self.weights_, self.q_values_ = found[:2]
            return
        halves = subsample_test(self._tested(X), X, y, n_pairs=self.n_pairs, **self._how())
        self.weights_, self.q_values_, self.frequency_, self.expected_false_ = halves

    def _attribute(
        self, X: Any, y: NDArray, samples: dict[str, Any], opened: Opened | None
    ) -> None:
        """Raise the q-values of features that others could replace."""
        found = np.flatnonzero(self.q_values_ < 1)
        self.association_, self.attribution_ = self.q_values_, np.zeros(len(self.q_values_))
        if len(found) and opened is not None:
            problem = self.base_._problem(opened)
            self.attribution_[found] = attribution_among(
                self.base_, opened.features, problem, found, random_state=self.random_state
            )
        elif len(found):
            known = taken(self.base_, samples)
            self.attribution_[found] = attribution(
                self.base_, X, y, found, random_state=self.random_state, **known
            )
        self.q_values_ = attributed(self.association_, self.attribution_)

    def _how(self) -> dict[str, Any]:
        return {
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
            "verbose": self.verbose,
        }

    def _tested(self, X: Any) -> Any:
        """The base as it is tested: on codes where X has been encoded."""
        encoded = isinstance(X, np.ndarray) and self.categorical is not None
        return with_nominal(self._base(), self._nominal()) if encoded else self._base()

    def _base(self) -> Any:
        return LOFE() if self.base is None else self.base

    @property
    def ranking_(self) -> NDArray:
        """All features, best first."""
        weights, statistic = comparable(feature_weights(self.base_)), comparable(self.weights_)
        return np.lexsort((-weights, -statistic, self.q_values_))

    def _get_support_mask(self) -> NDArray:
        check_is_fitted(self)
        if self.max_features is not None:
            return super()._get_support_mask()
        return self.q_values_ <= self.fdr


def _check_none(method: str, **given: ArrayLike | None) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"method={method!r} takes no {name}; use method='permutation'.")


def _in_memory(method: str, data: Any) -> NDArray:
    if isinstance(data, np.ndarray):
        return data
    raise ValueError(
        f"method={method!r} needs X as an array in memory; use method='permutation', or load X."
    )
