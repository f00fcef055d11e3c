"""NumPy generators from ``random_state`` arguments."""

from numbers import Integral
from typing import Any

import numpy as np
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
