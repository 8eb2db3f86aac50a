"""PNG files chunk by chunk (RFC 2083, section 3): damage is found before a decoder sees it.

OpenCV lets libpng print its findings on standard error, without the name of the file, even if the image is
unaffected (a slightly wrong colour profile); Pillow refuses files for what is not needed (too long a text).
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first eight bytes of every PNG file."""
_END = b"\0\0\0\0IEND\xaeB`\x82"
# Needed besides the critical chunks, whose names begin with a capital: transparency, orientation, animation.
_NEEDED = {b"tRNS", b"eXIf", b"acTL", b"fcTL", b"fdAT"}


def sound_png(stored: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """Return a PNG file stripped to the chunks that make up the image; any other file as it is.

    Parameters
    ----------
    stored
        The bytes of a file.

    Returns
    -------
    NDArray or None
        None if part of the image is missing or fails its checksum.
    """
    data = stored.tobytes()
    if data[:8] != SIGNATURE:
        return stored
    kept, place = [data[:8]], 8
    while data[place + 4 : place + 8] != b"IEND":
        chunk = _chunk(data, place)
        if chunk is None:
            return None
        kind = chunk[4:8]
        if kind[:1].isupper() or kind in _NEEDED:
            if zlib.crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:], "big"):
                return None
            kept.append(chunk)
        place += len(chunk)
    return np.frombuffer(b"".join([*kept, _END]), np.uint8)


def _chunk(data: bytes, place: int) -> bytes | None:
    """Return the chunk at offset *place*: length, name, content and checksum; None if it is truncated."""
    end = place + 12 + int.from_bytes(data[place : place + 4], "big")
    return data[place:end] if end <= len(data) else None
