"""Datasets of the published experiments, drawn by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from hitmiss._util.checks import check_count, check_nonnegative
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.datasets._bunch import dataset, with_irrelevant


def make_spiral(
    n_samples: int = 460,
    *,
    noise: float = 0.0,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Fermat's spiral: two arms, separated only by both features together.

    With t equally spaced in [0.5, 3π] and r = √t, class 0 lies at (r cos t, r sin t) and
    class 1 at (−r cos t, −r sin t).

    Parameters
    ----------
    n_samples : int, default=460
        Number of samples, the two classes in turn.
    noise : float, default=0.0
        Standard deviation of the Gaussian noise added to both features.
    n_irrelevant : int, default=0
        Number of irrelevant N(0, 1) features to append.
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

    References
    ----------
    Y. Sun, S. Todorovic and S. Goodison, "Local-learning-based feature selection for
    high-dimensional data analysis", IEEE TPAMI 32(9), 2010, section 4.1. The paper does not print
    the constants of its spiral; those above are this library's choice.

    Examples
    --------
    >>> from hitmiss.datasets import make_spiral
    >>> spiral = make_spiral(n_irrelevant=1000, random_state=0)
    >>> spiral.data.shape, spiral.relevant
    ((460, 1002), array([0, 1]))
    """
    check_count("n_samples", n_samples, 2)
    check_nonnegative("noise", noise)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 2
    t = np.repeat(np.linspace(0.5, 3 * np.pi, (n_samples + 1) // 2), 2)[:n_samples]
    r = np.where(y == 0, 1.0, -1.0) * np.sqrt(t)
    X = np.column_stack([r * np.cos(t), r * np.sin(t)])
    X += noise * rng.standard_normal(X.shape)
    bunch = dataset(X, y, [0, 1], "Fermat's spiral, two classes, two relevant features.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )


def make_twonorm(
    n_samples: int = 400,
    *,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Twonorm: two unit Gaussians in 20 dimensions, every feature equally relevant.

    Class 0 is N((a, …, a), I), class 1 is N((−a, …, −a), I), with a = 2/√20. The best possible
    error is Φ(−2) = 2.3 %.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples, the two classes in turn.
    n_irrelevant : int, default=0
        Number of irrelevant N(0, 1) features to append.
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
    L. Breiman, "Bias, variance, and arcing classifiers", Technical Report 460, Statistics
    Department, University of California at Berkeley, 1996.

    Examples
    --------
    >>> from hitmiss.datasets import make_twonorm
    >>> X, y = make_twonorm(random_state=0, return_X_y=True)
    >>> error = ((X.sum(axis=1) < 0) != y).mean()  # the optimal rule
    >>> bool(error < 0.05)
    True
    """
    check_count("n_samples", n_samples, 2)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 2
    center = np.where(y == 0, 1.0, -1.0) * 2 / np.sqrt(20)
    X = center[:, None] + rng.standard_normal((n_samples, 20))
    bunch = dataset(X, y, range(20), "Twonorm, two classes, 20 relevant features.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )


def make_ringnorm(
    n_samples: int = 400,
    *,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Ringnorm: a narrow Gaussian inside a wide one, in 20 dimensions.

    Class 0 is N(0, 4I), class 1 is N((a, …, a), I), with a = 2/√20. The best possible error is
    about 1.3 %.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples, the two classes in turn.
    n_irrelevant : int, default=0
        Number of irrelevant N(0, 1) features to append.
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
    L. Breiman, "Bias, variance, and arcing classifiers", Technical Report 460, Statistics
    Department, University of California at Berkeley, 1996.

    Examples
    --------
    >>> from hitmiss.datasets import make_ringnorm
    >>> ring = make_ringnorm(n_samples=4000, random_state=0)
    >>> [round(ring.data[ring.target == c].std()) for c in (0, 1)]
    [2, 1]
    """
    check_count("n_samples", n_samples, 2)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 2
    center, spread = np.where(y == 0, [[0.0], [2.0]], [[2 / np.sqrt(20)], [1.0]])
    X = center[:, None] + spread[:, None] * rng.standard_normal((n_samples, 20))
    bunch = dataset(X, y, range(20), "Ringnorm, two classes, 20 relevant features.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )


def make_waveform(
    n_samples: int = 400,
    *,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Two of Breiman's three waveforms: mixtures of triangles at 21 points, with noise.

    With ``h1(i) = max(6 − |i − 11|, 0)``, h2(i) = h1(i − 4), h3(i) = h1(i + 4), u uniform on [0, 1)
    for each sample and ε ~ N(0, 1), feature i = 1, …, 21 is

    - class 0: u h1(i) + (1 − u) h2(i) + ε
    - class 1: u h1(i) + (1 − u) h3(i) + ε

    All triangles vanish at the first and the last point, which are therefore pure noise: the
    relevant features are the 19 between them.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples, the two classes in turn.
    n_irrelevant : int, default=0
        Number of irrelevant N(0, 1) features to append.
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
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification and regression
    trees", Wadsworth, 1984, section 2.6.2.

    Examples
    --------
    >>> from hitmiss.datasets import make_waveform
    >>> wave = make_waveform(random_state=0)
    >>> wave.data.shape
    (400, 21)
    >>> wave.relevant
    array([ 1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    """
    check_count("n_samples", n_samples, 2)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 2
    h1, h2, h3 = (np.maximum(6 - np.abs(np.arange(1, 22) - peak), 0) for peak in (11, 15, 7))
    u = rng.random((n_samples, 1))
    X = u * h1 + (1 - u) * np.where(y[:, None] == 0, h2, h3)
    X += rng.standard_normal(X.shape)
    bunch = dataset(X, y, range(1, 20), "Waveform, two of its three classes, 19 of 21 relevant.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )


def make_clusters(
    n_samples: int = 300,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Three classes, one Gaussian cluster each, on the corners of a triangle.

    Class c = 0, 1, 2 is N((cos φ, sin φ), noise² I) with φ = π/2 + 2πc/3. Classes 1 and 2 have
    the same second feature, and class 0 lies between them in the first: both are needed.

    Parameters
    ----------
    n_samples : int, default=300
        Number of samples, the three classes in turn.
    noise : float, default=0.3
        Standard deviation of the clusters.
    n_irrelevant : int, default=0
        Number of irrelevant N(0, 1) features to append.
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
    >>> from hitmiss.datasets import make_clusters
    >>> make_clusters(3, noise=0.0).data.round(3) + 0.0
    array([[ 0.   ,  1.   ],
           [-0.866, -0.5  ],
           [ 0.866, -0.5  ]])
    """
    check_count("n_samples", n_samples, 3)
    check_nonnegative("noise", noise)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 3
    angle = np.pi / 2 + 2 * np.pi * y / 3
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X += noise * rng.standard_normal(X.shape)
    bunch = dataset(X, y, [0, 1], "Three clusters, three classes, two relevant features.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )
