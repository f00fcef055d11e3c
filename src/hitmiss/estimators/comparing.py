"""The template of the methods whose neighbors must be comparable and whose samples have weights."""

from __future__ import annotations

from typing import Self

from numpy.typing import ArrayLike

from hitmiss._util.any_estimator import PER_SAMPLE
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.per_sample import PerSample


class ComparingSelector(BaseSelector):
    """Base of the methods that find hits and misses of all samples."""

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        return PER_SAMPLE

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        covariates: ArrayLike | None = None,
    ) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            What a sample counts for in the loss or the average. A sample of weight zero is still
            the hit or the miss of others.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group, such as cells of a donor, are no neighbors of each other.
        strata : array-like of shape (n_samples,), default=None
            Neighbors come from the same stratum, such as a batch or a site.
        covariates : array-like of shape (n_samples,) or (n_samples, n_covariates), default=None
            Numbers such as the age: neighbors count the less the more they differ in these, by
            ``exp(-sum_k |c_nk - c_ik| / h_k)`` with h_k the standard deviation.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, PerSample(sample_weight, groups, strata, covariates))

    def _fit(self, X: ArrayLike, y: ArrayLike, samples: PerSample) -> Self:
        for name in samples.given():
            if name not in self.fit_takes:
                raise ValueError(self._refusal(name))
        return super()._fit(X, y, samples)

    def _refusal(self, name: str) -> str:
        """Why `fit` does not take what is given by this name, and what to do."""
        if hasattr(self, "base"):
            return (
                f"The base of {type(self).__name__} takes no {name}; leave it out, or use another "
                "base."
            )
        return (
            f"{type(self).__name__} looks at one hit and one miss, which {name} cannot weigh; give "
            "strata instead, or use a method of several neighbors."
        )


def of_single_neighbors() -> tuple[str, ...]:
    """What a method of one hit and one miss takes: covariates weigh neighbors, and exclude none."""
    return tuple(name for name in PER_SAMPLE if name != "covariates")
