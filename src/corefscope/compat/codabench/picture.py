"""The logo of a competition: a small picture that needs no drawing library."""

from __future__ import annotations

import struct
import zlib

SIZE = 96
BACKGROUND, KEY, RESPONSE, BOTH = (247, 247, 244), (31, 119, 180), (230, 126, 34), (52, 73, 94)
CENTRES = ((37, 48), (59, 48))
RADIUS = 26


def logo() -> bytes:
    """Two circles that overlap, as PNG: what the key has, what the response has, and what both have."""
    rows = b"".join(b"\0" + b"".join(bytes(_colour(x, y)) for x in range(SIZE)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    # Not compressed: then the bytes are the same whatever zlib is at hand.
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _colour(x: int, y: int) -> tuple[int, int, int]:
    in_key, in_response = ((x - left) ** 2 + (y - top) ** 2 <= RADIUS**2 for left, top in CENTRES)
    return (BOTH if in_response else KEY) if in_key else RESPONSE if in_response else BACKGROUND


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
