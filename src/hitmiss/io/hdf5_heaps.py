"""Heaps of an HDF5 file, which hold its strings, checked before the HDF5 library reads them.

The library goes through a heap from object to object. An object that takes no room leads it to the
same object again, for ever, and no interrupt reaches it there. The layout is that of the HDF5 file
format specification, section III.E, "Global Heap".
"""

from mmap import ACCESS_READ, mmap
from pathlib import Path

from hitmiss._util.errors import InputError

LARGEST_CHECKED = 1_000_000_000  # bytes of a file; larger ones would take seconds to look through
SIGNATURE = b"GCOL\x01\0\0\0"
HEADER = 16  # bytes of the head of a heap, and of each object in it
SMALLEST = 4096  # bytes of a heap
WORD = 8  # objects begin at multiples of this


def check_heaps(path: Path, length_size: int) -> None:
    """Raise an error if the file holds a heap that the HDF5 library would read forever.

    Parameters
    ----------
    path : Path
        The file.
    length_size : int
        Bytes of a length in it.
    """
    if not SMALLEST <= path.stat().st_size <= LARGEST_CHECKED:
        return
    with open(path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        begin = content.find(SIGNATURE)
        while begin >= 0:
            if _is_endless(content, begin, length_size):
                raise InputError(f"{path} is damaged: a heap of strings in it has no end.")
            begin = content.find(SIGNATURE, begin + 1)


def _is_endless(content: mmap, begin: int, length_size: int) -> bool:
    """Whether an object of the heap leads to itself."""
    end = begin + _number(content, begin + WORD, length_size)
    place = begin + HEADER
    while place + HEADER <= min(end, len(content)):
        size = _number(content, place + WORD, length_size)
        if _number(content, place, 2):  # an object; 0 stands for the room that is left
            size = HEADER + -(-size // WORD) * WORD
        if size % 2 ** (8 * length_size) == 0:
            return True
        place += size
    return False


def _number(content: mmap, begin: int, n_bytes: int) -> int:
    return int.from_bytes(content[begin : begin + n_bytes], "little")
