"""Some of the features of X, as blocks."""

from functools import cached_property

from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks, Part


class Subset(Blocks):
    """Blocks of the features at `index`; nothing is copied before it is needed.

    Parameters
    ----------
    blocks : Blocks
        The data.
    index : ndarray of shape (n_kept,)
        Features to keep.
    """

    def __init__(self, blocks: Blocks, index: NDArray):
        vars(self).update({name: value for name, value in vars(blocks).items() if name != "X"})
        self._whole, self._index = blocks, index
        self.n_features = len(index)
        self.center = None if blocks.center is None else blocks.center[index]
        self.factor = None if blocks.factor is None else blocks.factor[index]

    @cached_property
    def X(self) -> NDArray:  # type: ignore[override]
        """The features themselves: a copy, for methods that go through the samples."""
        return self._whole.X[:, self._index]

    def _pack_into(self, block: NDArray, part: Part, weights: NDArray | None = None) -> None:
        self._whole._pack_into(block, self._index[part], weights)
