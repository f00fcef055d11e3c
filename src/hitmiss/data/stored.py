"""Features that are read from a source when they are needed.

Several blocks, a window, are read at once; while one window is worked on, a thread reads the
next. The blocks have the same bounds as in memory and are worked on in the same order, so that
no bit of a result depends on where the data are.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.checks import check_memory_limit
from hitmiss._util.workers import Workers
from hitmiss.data.blockwise import Block, Blockwise, Window
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import UNSCALED, Extremes, Part, Scaling, joined_extremes
from hitmiss.data.sizes import BLOCK_BYTES, GROUP_BLOCKS, MATRICES
from hitmiss.data.sources import Source

WINDOW_BYTES = 1 << 27  # of a window, at most
WINDOWS = 4  # worked on, coming, being converted, and the features that are kept
VECTORS = 24  # numbers per feature that a fit is taken to hold


class Stored(Blockwise):
    """Features of a source.

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
    scaling : Scaling, optional
        In the working precision. Without it the values are taken as they are.
    """

    def __init__(
        self,
        source: Source,
        workers: Workers,
        memory: int | None = None,
        matrices: int = MATRICES,
        scaling: Scaling = UNSCALED,
    ):
        super().__init__(source.shape, source.dtype, workers, scaling)
        self.source = source
        self._window = self._window_blocks(memory, matrices)
        self.room = self._window * self._block_bytes
        self._kept: dict[int, NDArray] = {}
        # One thread for all passes: pyarrow keeps memory for every thread that has ever read.
        self._reader = ThreadPoolExecutor(1, "hitmiss-reader")

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        windows = self._windows(self._blocks(None), "range")
        return joined_extremes([window.data.extremes() for window in windows])

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory; those that were asked for last are kept."""
        missing = np.unique([j for j in index.tolist() if j not in self._kept]).astype(np.intp)
        fresh = dict(zip(missing.tolist(), self.source.read(missing).T, strict=True))
        found = {**self._kept, **fresh}
        X = np.empty((self.n_samples, len(index)), self.source.dtype)
        for k, j in enumerate(index.tolist()):
            X[:, k] = found[j]
        if X.nbytes <= WINDOW_BYTES // 8 and len(index):
            self._kept = {j: X[:, k] for k, j in enumerate(index.tolist())}
        return self._in_memory(X, index).columns(np.arange(len(index)), dtype)

    def _in_memory(self, X: NDArray, part: Part) -> InMemory:
        return InMemory(X, self.workers, self.scaling.at(part))

    def _windows(self, blocks: list[Block], name: str) -> Iterator[Window]:
        size = self._window
        groups = [blocks[k : k + size] for k in range(0, len(blocks), size)]
        progress = self.workers.progress if len(groups) > 1 and name else None
        if progress is not None:
            progress.begin(name, len(groups))
        for group, part, X in self._ahead(groups):
            first = group[0].answer.start
            there = [
                Block(answer, slice(answer.start - first, answer.stop - first))
                for answer, _ in group
            ]
            yield Window(self._in_memory(X, part), there, "")
            if progress is not None:
                progress.advance()

    def _ahead(self, groups: list[list[Block]]) -> Iterator[tuple[list[Block], Part, NDArray]]:
        """The windows, read one ahead of what is asked for."""

        def read(group: list[Block]) -> tuple[list[Block], Part, NDArray]:
            part = _joined([block.features for block in group])
            return group, part, self.source.read(part)

        coming = None
        try:
            for group in groups:
                ready, coming = coming, self._reader.submit(read, group)
                if ready is not None:
                    yield ready.result()
            if coming is not None:
                yield coming.result()
        finally:
            if coming is not None and not coming.cancel():
                wait([coming])  # nothing is read any more when this ends

    @property
    def _block_bytes(self) -> int:
        return self.n_padded * self.block_size * self.source.dtype.itemsize

    def _window_blocks(self, memory: int | None, matrices: int) -> int:
        """Number of blocks in a window."""
        one = self._block_bytes
        least = WINDOWS * one + 2 * GROUP_BLOCKS * BLOCK_BYTES
        least += 8 * (VECTORS * self.n_features + matrices * self.n_padded**2)
        least += self.source.overhead
        check_memory_limit(memory, least, (self.n_samples, self.n_features))
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
