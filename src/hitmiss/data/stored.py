"""Blocks that are read from a source when they are needed.

Several blocks, a window, are read at once; while one window is worked on, a thread reads the
next. The blocks have the same bounds as in memory and are worked on in the same order, so that
no bit of a result depends on where the data are.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import BLOCK_BYTES, GROUP_BLOCKS, Blocks, Part, Run, working_dtype
from hitmiss.data.memory_limit import MATRICES, check_ceiling
from hitmiss.data.sources import Source

WINDOW_BYTES = 1 << 27  # a window larger than this reads no quicker
WINDOWS = 4  # worked on, coming, being converted, and the features that are kept
VECTORS = 24  # numbers per feature that a fit holds


class Stored(Blocks):
    """Features of a source in blocks, each feature as ``(x - center) * factor``.

    Parameters
    ----------
    source : Source
        The data.
    workers : Workers
        Where the work runs.
    memory : int, optional
        Bytes that a fit may use; without it, a window has 128 MB.
    matrices : int
        Numbers per pair of samples that a fit holds.
    """

    def __init__(
        self,
        source: Source,
        workers: Workers,
        memory: int | None = None,
        matrices: int = MATRICES,
    ):
        self.source, self.workers = source, workers
        self.center = self.factor = None
        self._measure(source.shape, working_dtype(source.dtype))
        self._window = self._window_blocks(memory, matrices)
        self._kept: dict[int, NDArray] = {}

    def extremes(self) -> tuple[NDArray, NDArray]:
        """Lowest and highest value of every feature, NaN where it holds NaN."""
        lowest, highest = np.empty((2, self.n_features), self.dtype)
        for window, pairs, _ in self._runs(self._parts(), "range"):
            part = _joined([part for part, _ in pairs])
            lowest[part], highest[part] = window.extremes()
        return lowest, highest

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> Blocks:
        """The features at `index`, packed; those that were asked for last are kept."""
        missing = np.unique([j for j in index.tolist() if j not in self._kept]).astype(np.intp)
        fresh = dict(zip(missing.tolist(), self.source.read(missing).T, strict=True))
        found = {**self._kept, **fresh}
        X = np.empty((self.n_samples, len(index)), self.source.dtype)
        for k, j in enumerate(index.tolist()):
            X[:, k] = found[j]
        if X.nbytes <= WINDOW_BYTES // 8 and len(index):
            self._kept = {j: X[:, k] for k, j in enumerate(index.tolist())}
        return self._blocks(X, index).columns(np.arange(len(index)), dtype)

    def fits(self, n_bytes: int) -> bool:
        """Whether there is room for so much."""
        return n_bytes <= self._window * self._block_bytes

    def part(self, part: Part) -> Blocks:
        """The features of a part, in memory."""
        return self._blocks(self.source.read(part), part)

    def _pack_into(self, block: NDArray, part: Part, weights: NDArray | None = None) -> None:
        window = self.part(part)
        window._pack_into(block, slice(0, window.n_features), weights)

    def _blocks(self, X: NDArray, part: Part) -> Blocks:
        return Blocks(X, self.workers, self._of(self.center, part), self._of(self.factor, part))

    def _runs(self, parts: list[Part], name: str) -> Iterator[Run]:
        size = self._window
        windows = [parts[k : k + size] for k in range(0, len(parts), size)]
        progress = self.workers.progress if len(windows) > 1 and name else None
        if progress is not None:
            progress.begin(name, len(windows))
        for group, part, X in self._ahead(windows):
            window = self._blocks(X, part)
            edges = np.cumsum([0, *map(_width, group)]).tolist()
            places = [slice(*edge) for edge in pairwise(edges)]
            yield window, list(zip(group, places, strict=True)), ""
            if progress is not None:
                progress.advance()

    def _ahead(self, windows: list[list[Part]]) -> Iterator[tuple[list[Part], Part, NDArray]]:
        """The windows, read one ahead of what is asked for."""

        def read(group: list[Part]) -> tuple[list[Part], Part, NDArray]:
            part = _joined(group)
            return group, part, self.source.read(part)

        with ThreadPoolExecutor(1) as reader:
            coming = None
            for group in windows:
                ready, coming = coming, reader.submit(read, group)
                if ready is not None:
                    yield ready.result()
            if coming is not None:
                yield coming.result()

    @property
    def _block_bytes(self) -> int:
        return self.n_padded * self.block_size * self.source.dtype.itemsize

    def _window_blocks(self, memory: int | None, matrices: int) -> int:
        """Number of blocks in a window."""
        one = self._block_bytes
        least = WINDOWS * one + 2 * GROUP_BLOCKS * BLOCK_BYTES
        least += 8 * (VECTORS * self.n_features + matrices * self.n_padded**2)
        check_ceiling(memory, least, (self.n_samples, self.n_features))
        spare = WINDOW_BYTES if memory is None else (memory - least) // WINDOWS + one
        size = max(1, min(WINDOW_BYTES, spare) // one)
        per_chunk = int(np.lcm(self.source.chunk, self.block_size)) // self.block_size
        return size // per_chunk * per_chunk or size


def _joined(group: list[Part]) -> Part:
    """The features of consecutive parts, as a slice if there are no gaps."""
    pieces = [np.arange(p.start, p.stop) if isinstance(p, slice) else p for p in group]
    index = np.concatenate(pieces)
    if index[-1] - index[0] + 1 == len(index):
        return slice(int(index[0]), int(index[-1]) + 1)
    return index


def _width(part: Part) -> int:
    return part.stop - part.start if isinstance(part, slice) else len(part)
