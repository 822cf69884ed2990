"""A drawn canvas as PNG: without filters, which are half of the time of other encoders and no gain for plain areas."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA = (8, 6, 0, 0, 0)  # bits of a colour, its kind, then methods of which there is one
_LEVEL = 3  # of compression: a third of the time of the usual 6, 5 % larger
_METRES = 0.0254  # of an inch


def encoded(pixels: NDArray[np.uint8], dpi: float) -> bytes:
    r"""Return an image, shape ``(rows, columns, 4)``, as the bytes of a PNG file.

    Examples
    --------
    >>> encoded(np.zeros((2, 3, 4), dtype=np.uint8), dpi=120)[:4]
    b'\x89PNG'

    Source: PNG specification, third edition, section 5 (https://www.w3.org/TR/png-3/).
    """
    tall, wide, _ = pixels.shape
    rows = np.zeros((tall, 1 + 4 * wide), dtype=np.uint8)  # each begins with the number of its filter: 0 is none
    rows[:, 1:] = pixels.reshape(tall, -1)
    dots = round(dpi / _METRES)
    chunks = (
        (b"IHDR", struct.pack(">II5B", wide, tall, *_RGBA)),
        (b"pHYs", struct.pack(">IIB", dots, dots, 1)),
        (b"IDAT", zlib.compress(rows.tobytes(), _LEVEL)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
