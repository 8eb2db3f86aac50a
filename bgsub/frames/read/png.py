"""PNG files chunk by chunk (RFC 2083, section 3): damage is found before libpng meets it.

OpenCV lets libpng print what it finds on standard error, in words that do not name the file, even where the picture is
none the worse for it (a colour profile that is slightly wrong).
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = b"\0\0\0\0IEND\xaeB`\x82"
# Beside the critical chunks, whose names begin with a capital letter: transparency, orientation, animation.
_NEEDED = {b"tRNS", b"eXIf", b"acTL", b"fcTL", b"fdAT"}


def sound_png(stored: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """Return a PNG file with nothing in it but what makes up the picture; any other file as it is.

    Parameters
    ----------
    stored
        The bytes of a file.

    Returns
    -------
    NDArray or None
        None where a part of the picture is missing or does not agree with its checksum.
    """
    data = stored.tobytes()
    if data[:8] != _SIGNATURE:
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
    """Return the chunk that begins at a place: length, name, content and checksum; None where it is cut off."""
    end = place + 12 + int.from_bytes(data[place : place + 4], "big")
    return data[place:end] if end <= len(data) else None
