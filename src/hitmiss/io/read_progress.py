"""Files that say how much of them has been read."""

import io
from collections.abc import Callable
from pathlib import Path

BUFFER = 1 << 20  # bytes read at a time

Watch = Callable[[float], None]  # is told the share that has been read


def watched(path: Path, watch: Watch | None) -> io.BufferedReader:
    """The file, open for reading; `watch` is told how far the reading has come.

    Parameters
    ----------
    path : Path
        The file.
    watch : callable or None
        Called with a share between 0 and 1 after every piece of the file.

    Returns
    -------
    BufferedReader
    """
    file = io.FileIO(path) if watch is None else _WatchedFile(path, watch)
    return io.BufferedReader(file, BUFFER)


class _WatchedFile(io.FileIO):
    def __init__(self, path: Path, watch: Watch):
        super().__init__(path)
        self._watch = watch
        self._size = max(path.stat().st_size, 1)

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        n = super().readinto(buffer)
        self._watch(min(self.tell() / self._size, 1.0))
        return n
