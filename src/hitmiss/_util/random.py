"""NumPy generators from ``random_state`` arguments, and random subsets of the samples."""

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

RandomStateLike = int | np.random.Generator | np.random.RandomState | None


def as_generator(random_state: RandomStateLike) -> np.random.Generator:
    """Generator for anything scikit-learn accepts as ``random_state``.

    Parameters
    ----------
    random_state : int, Generator, RandomState or None
        An integer gives the same numbers every time, None different ones. A Generator is returned
        unchanged; a RandomState seeds a new generator, and its own state advances.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> as_generator(0).random() == as_generator(0).random()
    True
    """
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    if isinstance(random_state, Integral) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    raise ValueError(
        "random_state must be a non-negative integer, a NumPy Generator or RandomState, "
        f"or None; got {random_state!r}."
    )


def with_fixed_seeds(estimator: Any) -> Any:
    """A clone with an integer in the place of every generator, which would go on from fit to fit.

    Parameters
    ----------
    estimator : estimator
        Not changed, nor are its generators.

    Returns
    -------
    estimator
        The estimator itself if no `random_state`, of it or inside it, is a generator.
    """
    kinds = (np.random.Generator, np.random.RandomState)
    moving = [
        name
        for name, value in estimator.get_params().items()
        if name.split("__")[-1] == "random_state" and isinstance(value, kinds)
    ]
    if not moving:
        return estimator
    found = clone(estimator)
    states = found.get_params()
    seeds = {name: int(as_generator(states[name]).integers(2**31)) for name in moving}
    return found.set_params(**seeds)


def subset_size(name: str, size: Any, n_samples: int) -> int:
    """Number of samples that `size` stands for: a count, or a share that is rounded up.

    Parameters
    ----------
    name : str
        Name of the parameter, for the error.
    size : int or float
        A number of samples, or a share of them above 0 and up to 1.
    n_samples : int
        Number of all samples.

    Returns
    -------
    int
    """
    if isinstance(size, Real) and not isinstance(size, bool | np.bool_):
        number = float(size)
        if isinstance(size, Integral) and 1 <= number <= n_samples:
            return int(size)
        if not isinstance(size, Integral) and 0 < number <= 1:
            # Rounded first, because 0.07 * 100 is 7.000000000000001 and must be 7.
            return int(np.ceil(round(number * n_samples, 9)))
    raise ValueError(
        f"{name} must be a share of the samples, above 0 and up to 1, or a number of samples from "
        f"1 to {n_samples}; got {size!r}."
    )


def random_subset(
    n_samples: int, size: int, rng: np.random.Generator, classes: NDArray | None = None
) -> NDArray:
    """Sorted indices of `size` random samples; with `classes`, stratified by class.

    Parameters
    ----------
    n_samples : int
        Number of samples to draw from.
    size : int
        Number of samples to draw.
    rng : Generator
        Source of randomness.
    classes : ndarray of shape (n_samples,), optional
        Class of each sample, from 0.

    Returns
    -------
    rows : ndarray of shape (size,)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rows = random_subset(10, 5, rng, classes=np.repeat([0, 1], [8, 2]))
    >>> int(np.sum(rows < 8)), int(np.sum(rows >= 8))
    (4, 1)
    """
    if classes is None:
        return np.sort(rng.permutation(n_samples)[:size])
    counts = np.bincount(classes)
    exact = counts * size / n_samples
    quota = np.floor(exact).astype(int)
    # The rest goes to the classes with the largest remainders. The noise breaks ties at random; it
    # is smaller than any difference of remainders, which are multiples of 1 / n_samples.
    owed = np.argsort(quota - exact + 1e-9 * rng.random(len(counts)))
    quota[owed[: size - quota.sum()]] += 1
    parts = [rng.permutation(np.flatnonzero(classes == c))[:q] for c, q in enumerate(quota)]
    return np.sort(np.concatenate(parts))
