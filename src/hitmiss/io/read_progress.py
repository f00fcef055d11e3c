"""Files that report how much of them has been read."""

import io
from collections.abc import Callable
from pathlib import Path

# Bytes read at a time: few enough calls of `watch` not to cost time, many enough for a smooth bar.
BUFFER = 1 << 20

Watch = Callable[[float], None]  # receives the share that has been read


def watched(path: Path, watch: Watch | None) -> io.BufferedReader:
    """The file, opened for reading; every read reports its progress to `watch`.

    Parameters
    ----------
    path : Path
        The file.
    watch : callable or None
        Called after every read with the share of the file read so far, between 0 and 1.

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
