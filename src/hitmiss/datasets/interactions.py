"""Datasets of pure interaction, in which no single feature is informative."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from hitmiss._util.checks import check_count, check_nonnegative
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.datasets._bunch import dataset, with_irrelevant


def make_xor(
    n_samples: int = 200,
    *,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """XOR: four Gaussian corners at (±1, ±1), the class the sign of the product.

    Class 1 holds the corners (1, 1) and (−1, −1), class 0 the other two. Same as `make_parity`
    with two bits.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples, the two classes in turn; a multiple of 4 fills the corners equally.
    noise : float, default=0.3
        Standard deviation of the corners.
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
    M. Minsky and S. Papert, "Perceptrons", MIT Press, 1969.

    Examples
    --------
    >>> from hitmiss.datasets import make_xor
    >>> X, y = make_xor(random_state=0, return_X_y=True)
    >>> bool(((X[:, 0] * X[:, 1] > 0) == y).mean() > 0.99)
    True
    """
    return make_parity(
        n_samples,
        n_bits=2,
        noise=noise,
        n_irrelevant=n_irrelevant,
        dtype=dtype,
        random_state=random_state,
        return_X_y=return_X_y,
    )


def make_parity(
    n_samples: int = 400,
    *,
    n_bits: int = 3,
    noise: float = 0.3,
    n_irrelevant: int = 0,
    dtype: DTypeLike = np.float64,
    random_state: RandomStateLike = None,
    return_X_y: bool = False,
) -> Any:
    """Parity: Gaussian corners of a cube, the class the sign of the product of all bits.

    x = b + noise·ε with b in {−1, 1}^n_bits and ε ~ N(0, I); class 1 where Π_j b_j = 1. Any
    n_bits − 1 of the features together are independent of the class.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples, the two classes in turn; a multiple of 2^n_bits fills the corners
        equally.
    n_bits : int, default=3
        Number of relevant features, from 2 to 20.
    noise : float, default=0.3
        Standard deviation of the corners.
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
    M. Minsky and S. Papert, "Perceptrons", MIT Press, 1969.

    Examples
    --------
    >>> from hitmiss.datasets import make_parity
    >>> parity = make_parity(n_bits=3, n_irrelevant=10, random_state=0)
    >>> parity.data.shape, parity.relevant
    ((400, 13), array([0, 1, 2]))
    """
    check_count("n_samples", n_samples, 2)
    check_count("n_bits", n_bits, 2, 20)
    check_nonnegative("noise", noise)
    rng = as_generator(random_state)
    y = np.arange(n_samples) % 2
    # All bits but the last are free and run through their combinations, in random order so that
    # no bit stays constant when the samples are too few for all; the class decides the last bit.
    corners = rng.permutation(2 ** (n_bits - 1))
    corner = corners[np.arange(n_samples) // 2 % len(corners)]
    free = 2.0 * (corner[:, None] >> np.arange(n_bits - 1) & 1) - 1
    last = (2.0 * y - 1) * free.prod(axis=1)
    X = np.column_stack([free, last])
    X += noise * rng.standard_normal(X.shape)
    bunch = dataset(X, y, range(n_bits), f"Parity of {n_bits} bits, two classes, all relevant.")
    return with_irrelevant(
        bunch, rng, n_irrelevant=n_irrelevant, dtype=dtype, return_X_y=return_X_y
    )
