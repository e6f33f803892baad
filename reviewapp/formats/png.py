"""PNG out of raw pixels, without an imaging library (ISO/IEC 15948: signature, IHDR, IDAT, IEND)."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_RGB = (8, 2, 0, 0, 0)
"""Bit depth, colour type, compression, filter, interlace."""


def write_png(width: int, height: int, stride: int, rgb: memoryview | bytes) -> bytes:
    """A picture of 8-bit RGB rows, `stride` bytes from one row to the next."""
    view = memoryview(rgb)
    rows = bytearray()
    for y in range(height):
        rows.append(0)  # no filter
        rows += view[y * stride : y * stride + 3 * width]
    header = struct.pack(">II5B", width, height, *_EIGHT_BIT_RGB)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
