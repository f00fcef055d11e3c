"""Features that live on the workers of a Dask cluster.

Every worker keeps its chunks of features and answers for them. What travels is what the answers
are made of: sums over pairs of samples, a number per feature, and the few features that are
worked on. Sums over chunks are formed in one fixed order, so that a result does not depend on the
number of workers.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hitmiss._util.versions import __version__
from hitmiss._util.workers import Workers
from hitmiss.data.aligned import padded_length
from hitmiss.data.blockwise import working_dtype
from hitmiss.data.cluster import Cluster, check_same_version
from hitmiss.data.features import Features, Neighbors, PairWeights, grouped
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import UNSCALED, Extremes, Part, Scaling, joined_extremes
from hitmiss.data.sources.array_sources import DaskSource, dense

SUMMED_TOGETHER = 8  # partial sums that are added by one worker: a fixed order, log8 n rounds


class Distributed(Features):
    """Features of a Dask array.

    Parameters
    ----------
    source : DaskSource
        The data, cut along the features.
    workers : Workers
        Threads of this process, for the work on few features.
    client : distributed.Client
        Of the cluster.
    scaling : Scaling, optional
        In the working precision. Without it the values are taken as they are.
    """

    room = 0.0  # the data may be larger than this machine

    def __init__(
        self, source: DaskSource, workers: Workers, client: Any, scaling: Scaling = UNSCALED
    ):
        self.source, self.workers, self.cluster = source, workers, Cluster(client)
        self.n_samples, self.n_features = source.shape
        self.dtype, self.scaling = working_dtype(source.dtype), scaling
        self._parts = _slices(source.array.chunks[1])
        self._chunks = client.compute(source.array.to_delayed().ravel().tolist())

    def extremes(self) -> Extremes:
        """Lowest and highest raw value of every feature, and what is missing."""
        return joined_extremes(self._answers("extremes", None))

    def distances(self, w: NDArray) -> NDArray:
        """Weighted Manhattan distances between all samples, ``sum_j w_j |x_nj - x_ij|``."""
        if not w.any():
            return np.zeros((self.n_samples, self.n_samples))

        def submit() -> list[Any]:
            sums = self._submit("distances", lambda part: (w[part],) if w[part].any() else None)
            size = SUMMED_TOGETHER
            while len(sums) > 1:
                groups = [sums[k : k + size] for k in range(0, len(sums), size)]
                sums = [self.cluster.submit(_total, group) for group in groups]
            return sums

        return np.array(self.cluster.results(submit)[0])

    def sums(self, weights: Iterable[PairWeights], index: Part | None = None) -> NDArray:
        """``sum_{n,i} S_ni |x_nj - x_ij|`` of every feature j, one row for each S."""
        found = (self._answers("sums", index, group) for group in grouped(weights))
        return np.vstack([np.hstack(parts) for parts in found])

    def margins(self, Q: Neighbors, index: Part | None = None) -> NDArray:
        """Margin vectors ``sum_i Q_ni |x_n - x_i|``, shape (n_samples, n_features)."""
        return np.hstack(self._answers("margins", index, Q))

    def columns(self, index: NDArray, dtype: DTypeLike | None = None) -> InMemory:
        """Some features, scaled, in memory here."""
        order = np.argsort(index, kind="stable")
        places = self._places(index[order])

        def of_chunk(part: slice) -> tuple[Any, ...] | None:
            own = places[part.start]
            return (own, dtype) if len(own) else None

        found = self.cluster.results(lambda: self._submit("values", of_chunk))
        packed = np.empty((padded_length(self.n_samples), len(index)), dtype or self.dtype)
        packed[self.n_samples :] = 0
        if found:
            packed[: self.n_samples, order] = np.hstack(found)
        scaling = self.scaling.at(index).of_scaled()
        return InMemory(packed[: self.n_samples], self.workers, scaling)

    def digest(self, index: Part | None = None) -> bytes:
        """A hash of the scaled values, which depends on how they are cut into chunks."""
        return b"".join(self._answers("digest", index))

    def of_samples(self, rows: NDArray) -> "Distributed":
        """The same features of some samples, on the same cluster."""
        source = DaskSource(self.source.array[rows])
        return Distributed(source, self.workers, self.cluster.client, self.scaling)

    def _places(self, index: NDArray) -> dict[int, NDArray]:
        """Places of features, ascending, in their chunk, by the start of the chunk."""
        return {
            part.start: index[(index >= part.start) & (index < part.stop)] - part.start
            for part in self._parts
        }

    def _answers(self, question: str, index: Part | None, *arguments: Any) -> list[Any]:
        """Answers of the chunks, in their order; the arguments are the same for all."""
        places = None if index is None else self._places(np.arange(self.n_features)[index])

        def submit() -> list[Any]:
            there = [self.cluster.scatter(argument) for argument in arguments]

            def of_chunk(part: slice) -> tuple[Any, ...] | None:
                if places is None:
                    return (*there,)
                own = places[part.start]
                return (*there, own) if len(own) else None

            return self._submit(question, of_chunk)

        return self.cluster.results(submit)

    def _submit(
        self, question: str, arguments: Callable[[slice], tuple[Any, ...] | None]
    ) -> list[Any]:
        """Futures of the answers of the chunks, in order; one without arguments is skipped."""
        return [
            self.cluster.submit(_answer, __version__, question, chunk, self.scaling.at(part), *own)
            for part, chunk in zip(self._parts, self._chunks, strict=True)
            if (own := arguments(part)) is not None
        ]


def _answer(version: str, question: str, chunk: Any, scaling: Scaling, *arguments: Any) -> Any:
    """The answer of one chunk; runs on a worker, which must have the same version."""
    check_same_version(version)
    features = InMemory(dense(chunk), Workers(1), scaling)
    if question == "values":
        return features.columns(*arguments).X
    return getattr(features, question)(*arguments)


def _total(parts: list[NDArray]) -> NDArray:
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def _slices(lengths: Sequence[int]) -> list[slice]:
    edges = np.cumsum([0, *lengths]).tolist()
    return [slice(*edge) for edge in pairwise(edges)]
