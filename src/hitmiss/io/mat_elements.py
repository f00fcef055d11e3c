"""The elements of a MATLAB file, checked before SciPy reads them: it trusts their types and sizes.

A file of version 5 is a sequence of elements, each with a type, a size and its bytes; a compressed
one holds another, and an array holds its flags, dimensions, name and values. SciPy looks types up
in a table without asking whether they are in it, which ends the process.
"""

import struct
import zlib
from collections.abc import Iterator

HEADER = 128  # bytes
MATRIX, COMPRESSED = 14, 15
SIZES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8, 16: 1, 17: 2, 18: 4}
CLASSES = range(1, 18)
MOST_NESTED = 20  # arrays within arrays: cells of cells of structures
LARGEST_UNPACKED = 1 << 33  # bytes of one compressed array


def check_elements(content: bytes) -> None:
    """Raise an error if a MATLAB file of version 5 is not a sequence of valid elements."""
    if len(content) < HEADER or content[126:128] not in (b"IM", b"MI"):
        return  # of version 4, or none: SciPy says so
    order = "<" if content[126:128] == b"IM" else ">"
    _check(content[HEADER:], order, 0)


def _check(content: bytes, order: str, depth: int) -> None:
    for kind, data in _elements(content, order):
        if kind == COMPRESSED and depth == 0:
            unpacker = zlib.decompressobj()
            _check(unpacker.decompress(data, LARGEST_UNPACKED), order, 1)
        elif kind == MATRIX and depth < MOST_NESTED:
            _check_matrix(data, order, depth + 1)
        elif kind not in SIZES or len(data) % SIZES[kind]:
            raise _damaged()


def _check_matrix(data: bytes, order: str, depth: int) -> None:
    """An array begins with flags, which name its class; what follows are elements again."""
    if not data:
        return
    (kind, flags), *rest = _elements(data, order)
    if (
        kind != 6
        or len(flags) != 8
        or struct.unpack(f"{order}I", flags[:4])[0] & 255 not in CLASSES
    ):
        raise _damaged()
    if not rest or rest[0][0] != 5 or len(rest[0][1]) < 8:
        raise _damaged()
    for kind, values in rest:
        if kind == MATRIX and depth < MOST_NESTED:
            _check_matrix(values, order, depth + 1)
        elif kind not in SIZES or len(values) % SIZES[kind]:
            raise _damaged()


def _elements(content: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(content):
        if at + 8 > len(content):
            raise _damaged()
        kind, size = struct.unpack_from(f"{order}II", content, at)
        if kind >> 16:  # a small element: type and size in four bytes, the values in the others
            kind, size = kind & 0xFFFF, kind >> 16
            start, following = at + 4, at + 8
            if size > 4:
                raise _damaged()
        else:
            start = at + 8
            following = start + size + (0 if kind == COMPRESSED else -size % 8)
        if start + size > len(content):
            raise _damaged()
        yield kind, content[start : start + size]
        at = following


def _damaged() -> ValueError:
    return ValueError("its parts are not of the sizes or types that they state")
