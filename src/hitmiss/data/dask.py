"""Blocks that live on the workers of a Dask cluster.

Every worker keeps its chunks of features and answers the questions of `Blocks` for them. What
travels is what the answers are made of: sums over pairs of samples, a number per feature, and
the few features that are worked on. Sums over chunks are formed in one fixed order, so that a
result does not depend on the number of workers.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.workers import Workers
from hitmiss.data.cluster import Cluster
from hitmiss.data.in_memory import Blocks, Part, working_dtype
from hitmiss.data.row_tiles import ManySamples, SoftTiles, some_samples
from hitmiss.data.sources.lazy import DaskSource, dense

TOGETHER = 8  # partial sums that are added by one worker


class Distributed(Blocks):
    """Features of a Dask array in blocks, each feature as ``(x - center) * factor``.

    Parameters
    ----------
    source : DaskSource
        The data, cut along the features.
    workers : Workers
        Where the work on few features runs: here.
    client : distributed.Client
        Of the cluster.
    """

    def __init__(self, source: DaskSource, workers: Workers, client: Any):
        self.source, self.workers, self.cluster = source, workers, Cluster(client)
        self.center = self.factor = None
        self._measure(source.shape, working_dtype(source.dtype))
        self._parts_there = _slices(source.array.chunks[1])
        self._chunks = client.compute(source.array.to_delayed().ravel().tolist())

    def extremes(self) -> tuple[NDArray, NDArray]:
        """Lowest and highest value of every feature, NaN where it holds NaN."""
        found = self._each("extremes")
        return np.concatenate([low for low, _ in found]), np.concatenate(
            [high for _, high in found]
        )

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        if not w.any():
            return np.zeros((self.n_samples, self.n_samples))

        def submit() -> list[Any]:
            sums = self._submit(
                "distances", lambda part: (w[part],), lambda part: bool(w[part].any())
            )
            while len(sums) > 1:
                groups = [sums[k : k + TOGETHER] for k in range(0, len(sums), TOGETHER)]
                sums = [self.cluster.submit(_total, group) for group in groups]
            return sums

        return np.array(self.cluster.results(submit)[0])

    def margins(self, Q: NDArray) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        return np.hstack(self._each("margins", Q))

    def difference_sums(self, matrices: Sequence[NDArray]) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every S and feature j, one row per S."""
        return np.hstack(self._each("difference_sums", list(matrices)))

    def squared_sums(self, Q: NDArray, weights: NDArray) -> NDArray:
        """``sum_n weights_n z_n(j)^2`` of every feature j, where Q makes the margin vectors z."""
        return np.concatenate(self._each("squared_sums", Q, weights))

    def pair_sums(self, Q: NDArray) -> NDArray:
        """``sum_{n,i} Q_ni |x_nj - x_ij|`` of every feature j, over the nonzero Q_ni only."""
        return np.concatenate(self._each("pair_sums", Q))

    def tile_sums(self, Q: SoftTiles, weights: NDArray, squared: bool) -> NDArray:
        """``sum_n weights_n z_n(j)``, or of the squares, of every feature j in row tiles."""
        return np.concatenate(self._each("tile_sums", Q, weights, squared))

    def of_samples(self, rows: NDArray) -> "Distributed":
        """The same features of some samples, on the same cluster."""
        source = DaskSource(self.source.array[rows])
        some = Distributed(source, self.workers, self.cluster.client)
        return some.transformed(self.center, self.factor)

    def digest(self) -> bytes:
        """A hash of the data as they are worked on."""
        return b"".join(self._each("digest"))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> Blocks:
        """The features at `index`, packed, here."""
        order = np.argsort(index, kind="stable")
        places = {
            part.start: index[order][(index[order] >= part.start) & (index[order] < part.stop)]
            for part in self._parts_there
        }
        found = self.cluster.results(
            lambda: self._submit(
                "values",
                lambda part: (places[part.start] - part.start, dtype),
                lambda part: len(places[part.start]) > 0,
            )
        )
        packed = np.empty((self.n_padded, len(index)), dtype or self.dtype)
        packed[self.n_samples :] = 0
        if found:
            packed[: self.n_samples, order] = np.hstack(found)
        return Blocks(packed[: self.n_samples], self.workers)

    def part(self, part: Part) -> Blocks:
        """The features of a part, here."""
        index = np.arange(part.start, part.stop) if isinstance(part, slice) else part
        return self.columns(index)

    def fits(self, n_bytes: int) -> bool:
        """Whether there is room for as many numbers as the data have."""
        return False

    def _pack_into(self, block: NDArray, part: Part, weights: NDArray | None = None) -> None:
        few = self.part(part)
        few._pack_into(block, slice(0, few.n_features), weights)

    def _each(self, question: str, *arguments: Any) -> list[Any]:
        """What every chunk answers to a question; the arguments are the same for all."""

        def submit() -> list[Any]:
            there = [self.cluster.scatter(argument) for argument in arguments]
            return self._submit(question, lambda part: tuple(there))

        return self.cluster.results(submit)

    def _submit(
        self,
        question: str,
        arguments: Callable[[slice], tuple[Any, ...]],
        asked: Callable[[slice], bool] = lambda part: True,
    ) -> list[Any]:
        """Futures of what the chunks that are asked answer, in their order."""
        return [
            self.cluster.submit(
                _answer,
                question,
                chunk,
                self._of(self.center, part),
                self._of(self.factor, part),
                *arguments(part),
            )
            for part, chunk in zip(self._parts_there, self._chunks, strict=True)
            if asked(part)
        ]


class ManyDistributed(ManySamples):
    """Features of very many samples on a cluster: sums are formed where the features are."""

    _blocks: Distributed

    def thinned(self, y: NDArray) -> "tuple[Blocks, NDArray] | None":
        """Some samples, and which, if these are so many that a search begins with some of them."""
        rows = some_samples(y)
        return None if rows is None else (self._blocks.of_samples(rows), rows)

    def _sums(self, Q: Any, weights: NDArray, *, squared: bool = False) -> NDArray:
        return self._blocks.tile_sums(Q, weights, squared)


def _answer(
    question: str, chunk: Any, center: NDArray | None, factor: NDArray | None, *arguments: Any
) -> Any:
    """What the blocks of one chunk answer; runs on a worker."""
    blocks = Blocks(dense(chunk), Workers(1), center, factor)
    if question == "values":
        return blocks.columns(*arguments).X
    if question == "tile_sums":
        Q, weights, squared = arguments
        return ManySamples(blocks)._sums(Q, weights, squared=squared)
    return getattr(blocks, question)(*arguments)


def _total(parts: list[NDArray]) -> NDArray:
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def _slices(lengths: Sequence[int]) -> list[slice]:
    edges = np.cumsum([0, *lengths]).tolist()
    return [slice(*edge) for edge in pairwise(edges)]
