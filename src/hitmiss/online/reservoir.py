"""A reservoir: a bounded, class-balanced memory of the samples of a stream."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


class Reservoir:
    """At most `capacity` samples, divided evenly among the classes as far as possible.

    While there is room every sample is kept. Then a sample of a class that is not among the
    largest replaces a random one of the largest class; one of a largest class replaces a random
    one of its own with the probability that makes every sample of the class seen so far equally
    likely to be there.

    Parameters
    ----------
    capacity : int
        Largest number of samples.
    rng : numpy.random.Generator
        Source of the random choices.
    forgetting : float
        Weight of a sample relative to the next of its class: below 1 the memory follows a
        drifting stream.
    """

    _replaced: list[tuple[NDArray, int, NDArray, int, int]] | None = None  # since `restorer`

    def __init__(self, capacity: int, rng: np.random.Generator, forgetting: float = 1.0):
        self.capacity, self.rng, self.forgetting = capacity, rng, forgetting
        self.n_stored = self.n_seen = 0
        self._seen: dict[int, float] = {}  # samples seen, as far as they count, by label
        self._counts: dict[int, int] = {}  # samples kept, by label

    @property
    def X(self) -> NDArray:
        """The samples."""
        return self._X[: self.n_stored]

    @property
    def y(self) -> NDArray:
        """Their labels."""
        return self._y[: self.n_stored]

    @property
    def ids(self) -> NDArray:
        """Order of arrival of each: 0 for the first sample ever seen."""
        return self._ids[: self.n_stored]

    def restorer(self) -> Callable[[], None]:
        """A function that restores the present state, until `commit` is called.

        Only the samples that are replaced from now on are copied.
        """
        before = {**vars(self), "_seen": dict(self._seen), "_counts": dict(self._counts)}
        state = self.rng.bit_generator.state
        replaced = self._replaced = []

        def restore() -> None:
            for X, slot, x, label, n in reversed(replaced):
                X[slot], self._y[slot], self._ids[slot] = x, label, n
            vars(self).clear()
            vars(self).update(before)
            self.rng.bit_generator.state = state

        return restore

    def commit(self) -> None:
        """Keep all changes: the samples copied for `restorer` are dropped."""
        vars(self).pop("_replaced", None)

    def add(self, x: NDArray, label: int) -> None:
        """Count one more sample and perhaps store it, in the widest precision of any so far."""
        self._seen[label] = self.forgetting * self._seen.get(label, 0.0) + 1
        slot = self._slot(label)
        if slot >= 0:
            self._grow(slot, x)
            if slot < self.n_stored:
                self._keep_replaced(slot)
                self._counts[int(self._y[slot])] -= 1
            self._counts[label] = self._counts.get(label, 0) + 1
            self._X[slot], self._y[slot], self._ids[slot] = x, label, self.n_seen
            self.n_stored = max(self.n_stored, slot + 1)
        self.n_seen += 1

    def _slot(self, label: int) -> int:
        """Slot for a new sample of this label; -1 if it is not kept."""
        if self.n_stored < self.capacity:
            return self.n_stored
        own, most = self._counts.get(label, 0), max(self._counts.values())
        if own < most:
            largest = self.rng.choice([k for k in sorted(self._counts) if self._counts[k] == most])
            return int(self.rng.choice(np.flatnonzero(self.y == largest)))
        if self.rng.random() * self._seen[label] < own:
            return int(self.rng.choice(np.flatnonzero(self.y == label)))
        return -1

    def _keep_replaced(self, slot: int) -> None:
        if self._replaced is not None:
            old = self._X[slot].copy(), int(self._y[slot]), int(self._ids[slot])
            self._replaced.append((self._X, slot, *old))

    def _grow(self, slot: int, x: NDArray) -> None:
        """Room for one more sample, doubled when it runs out."""
        if self.n_stored == 0:
            self._X = np.empty((min(16, self.capacity), len(x)), x.dtype)
            self._y = np.empty(self.capacity, np.intp)
            self._ids = np.empty(self.capacity, np.int64)
        elif slot == len(self._X):
            size = min(2 * slot, self.capacity)
            self._X = np.concatenate([self._X, np.empty((size - slot, len(x)), self._X.dtype)])
        if x.dtype != self._X.dtype:
            self._X = self._X.astype(np.promote_types(self._X.dtype, x.dtype), copy=False)
