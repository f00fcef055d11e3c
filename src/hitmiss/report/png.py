"""PNG files as data addresses."""

import struct
import zlib
from base64 import b64encode

import numpy as np
from numpy.typing import NDArray


def png_address(pixels: NDArray) -> str:
    """A PNG file of the pixels as a ``data:`` address.

    Parameters
    ----------
    pixels : ndarray of uint8, shape (height, width, 3)
        Red, green and blue.

    Returns
    -------
    str

    Examples
    --------
    >>> png_address(np.zeros((1, 1, 3), np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, true color
    rows = np.pad(pixels.reshape(height, 3 * width), ((0, 0), (1, 0)))  # each unfiltered: a 0
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)
    return f"data:image/png;base64,{b64encode(data).decode()}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
