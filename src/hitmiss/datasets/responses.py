"""Datasets whose target is a number or a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.checks import check_count, check_float_dtype, check_nonnegative
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.datasets._bunch import dataset


def make_additive(
    n_samples: int = 300,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """A sum of three features: y = x0 + x1² + sin(3·x2) + noise.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples.
    noise : float, default=0.3
        Standard deviation of the noise, times that of y without it.
    n_irrelevant : int, default=0
        Number of irrelevant features to append; all features are uniform on [−1, 1].
    dtype : {float32, float64}, default=float64
        Type of the data.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same data every time.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, ``relevant`` (the indices of the relevant features),
        ``feature_names`` and ``DESCR``.

    Examples
    --------
    >>> from hitmiss.datasets import make_additive
    >>> make_additive(n_irrelevant=7, random_state=0).data.shape
    (300, 10)
    """
    return _response(
        lambda X: X[:, 0] + X[:, 1] ** 2 + np.sin(3 * X[:, 2]),
        "Sum of functions of three features.",
        (n_samples, 3, n_irrelevant),
        noise,
        dtype=dtype,
        random_state=random_state,
        return_X_y=return_X_y,
    )


def make_product(
    n_samples: int = 300,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """The product of two features, neither of which alone says anything: y = x0·x1 + noise.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples.
    noise : float, default=0.3
        Standard deviation of the noise, times that of y without it.
    n_irrelevant : int, default=0
        Number of irrelevant features to append; all features are uniform on [−1, 1].
    dtype : {float32, float64}, default=float64
        Type of the data.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same data every time.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, ``relevant``, ``feature_names`` and ``DESCR``.

    Examples
    --------
    >>> from hitmiss.datasets import make_product
    >>> X, y = make_product(noise=0, random_state=0, return_X_y=True)
    >>> bool(np.allclose(y, X[:, 0] * X[:, 1]))
    True
    """
    return _response(
        lambda X: X[:, 0] * X[:, 1],
        "Product of two features.",
        (n_samples, 2, n_irrelevant),
        noise,
        dtype=dtype,
        random_state=random_state,
        return_X_y=return_X_y,
    )


def make_ring(
    n_samples: int = 300,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Rings around the origin of two features: y = cos(3‖x‖) + noise.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples.
    noise : float, default=0.3
        Standard deviation of the noise, times that of y without it.
    n_irrelevant : int, default=0
        Number of irrelevant features to append; all features are uniform on [−1, 1].
    dtype : {float32, float64}, default=float64
        Type of the data.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same data every time.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, ``relevant``, ``feature_names`` and ``DESCR``.

    Examples
    --------
    >>> from hitmiss.datasets import make_ring
    >>> make_ring(n_irrelevant=3, random_state=0).relevant
    array([0, 1])
    """
    return _response(
        lambda X: np.cos(3 * np.hypot(X[:, 0], X[:, 1])),
        "Rings around the origin of two features.",
        (n_samples, 2, n_irrelevant),
        noise,
        dtype=dtype,
        random_state=random_state,
        return_X_y=return_X_y,
    )


def make_friedman(
    n_samples: int = 300,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Friedman's function: y = 10·sin(π·x0·x1) + 20·(x2 − ½)² + 10·x3 + 5·x4 + noise.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples.
    noise : float, default=0.3
        Standard deviation of the noise, times that of y without it.
    n_irrelevant : int, default=0
        Number of irrelevant features to append; all are uniform on [−1, 1], and the function takes
        them on [0, 1].
    dtype : {float32, float64}, default=float64
        Type of the data.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same data every time.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, ``relevant``, ``feature_names`` and ``DESCR``.

    References
    ----------
    J. H. Friedman (1991). Multivariate adaptive regression splines. Annals of Statistics 19(1),
    1-67.

    Examples
    --------
    >>> from hitmiss.datasets import make_friedman
    >>> len(make_friedman(random_state=0).relevant)
    5
    """

    def signal(X: NDArray) -> NDArray:
        U = (X + 1) / 2
        linear = 10 * U[:, 3] + 5 * U[:, 4]
        return 10 * np.sin(np.pi * U[:, 0] * U[:, 1]) + 20 * (U[:, 2] - 0.5) ** 2 + linear

    return _response(
        signal,
        "Friedman's function of five features.",
        (n_samples, 5, n_irrelevant),
        noise,
        dtype=dtype,
        random_state=random_state,
        return_X_y=return_X_y,
    )


def make_survival(
    n_samples: int = 400,
    *,
    strength: float = 4.0,
    censored: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Exponential times whose hazard is exp(strength·x0·x1), some of them censored.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples.
    strength : float, default=4.0
        Of the product of the two features in the logarithm of the hazard.
    censored : float, default=0.3
        Share of the samples whose time ends, uniformly at random, before the event.
    n_irrelevant : int, default=0
        Number of irrelevant features to append; all features are uniform on [−1, 1].
    dtype : {float32, float64}, default=float64
        Type of the data.
    random_state : int, Generator, RandomState or None, default=None
        Pass an integer for the same data every time.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.

    Returns
    -------
    Bunch
        With ``data``, ``target``, an array of the fields event and time as in scikit-survival,
        ``relevant``, ``feature_names`` and ``DESCR``.

    Examples
    --------
    >>> from hitmiss.datasets import make_survival
    >>> survival = make_survival(n_irrelevant=10, random_state=0)
    >>> survival.target.dtype.names, survival.data.shape
    (('event', 'time'), (400, 12))
    """
    if not 0 <= censored < 1:
        raise ValueError(f"censored must be a share of at least 0 and below 1; got {censored!r}.")
    rng = as_generator(random_state)
    X = _uniform(rng, (n_samples, 2, n_irrelevant), dtype)
    hazard = np.exp(strength * X[:, 0].astype(float) * X[:, 1])
    y = np.empty(n_samples, [("event", bool), ("time", float)])
    y["time"], y["event"] = rng.exponential(1 / hazard), True
    ended = rng.permutation(n_samples)[: round(censored * n_samples)]
    y["time"][ended] *= rng.random(len(ended))
    y["event"][ended] = False
    bunch = dataset(X, y, range(2), "Times of events whose hazard is that of a product.")
    return (X, y) if return_X_y else bunch


def _response(
    signal: Callable[[NDArray], NDArray],
    descr: str,
    shape: tuple[int, int, int],
    noise: float,
    *,
    dtype: DTypeLike,
    random_state: RandomStateLike,
    return_X_y: bool,
) -> Any:
    """Uniform features, and a function of the first of them with noise."""
    check_nonnegative("noise", noise)
    rng = as_generator(random_state)
    X = _uniform(rng, shape, dtype)
    y = signal(X[:, : shape[1]].astype(float))
    y = y + noise * y.std() * rng.standard_normal(len(y))
    bunch = dataset(X, y, range(shape[1]), descr)
    return (X, y) if return_X_y else bunch


def _uniform(rng: np.random.Generator, shape: tuple[int, int, int], dtype: DTypeLike) -> NDArray:
    """Features uniform on [−1, 1]; those that are relevant do not depend on how many others are."""
    n_samples, n_relevant, n_irrelevant = shape
    check_count("n_samples", n_samples, 2)
    check_count("n_irrelevant", n_irrelevant, 0)
    dtype = check_float_dtype("dtype", dtype)
    X = np.empty((n_samples, n_relevant + n_irrelevant), dtype)
    X[:, :n_relevant] = rng.uniform(-1, 1, (n_samples, n_relevant))
    others = np.random.default_rng(rng.integers(2**63))  # y does not depend on their number
    X[:, n_relevant:] = others.uniform(-1, 1, (n_samples, n_irrelevant))
    return X
