"""PNG files chunk by chunk (RFC 2083, section 3): damage is found before a decoder sees it.

OpenCV lets libpng print its findings on standard error, without the name of the file, even if the image is
unaffected (a slightly wrong colour profile); Pillow refuses files for what is not needed (too long a text).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first eight bytes of every PNG file."""
_END = b"\0\0\0\0IEND\xaeB`\x82"
# Needed besides the critical chunks, whose names begin with a capital: transparency, orientation, animation.
_BARE = {b"IHDR", b"IDAT", b"eXIf"}
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by type of colour
_WHOLE = ((0, 0, 1, 1),)
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of each pass of an interlaced picture: where it begins, and its steps (RFC 2083, section 2.6)."""
_BLOCK = 1 << 16
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


def bare_png(sound: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """Return what :func:`sound_png` has returned, with pixels and orientation only; None if libpng would complain.

    Checksums of chunks are right there, but the packed pixels have one of their own, and may be too many or too few.
    """
    data = sound.tobytes()
    kept = [chunk for chunk in _chunks(data) if chunk[4:8] in _BARE]
    packed = b"".join(chunk[8:-4] for chunk in kept if chunk[4:8] == b"IDAT")
    if _unpacked_size(packed) != _promised_size(data):
        return None
    return np.frombuffer(b"".join([data[:8], *kept, _END]), np.uint8)


def _chunks(data: bytes) -> Iterator[bytes]:
    place = 8
    while (chunk := _chunk(data, place)) is not None and len(chunk) > 8 and chunk[4:8] != b"IEND":
        yield chunk
        place += len(chunk)


def _unpacked_size(packed: bytes) -> int | None:
    """Return how many bytes zlib data unpacks to, without keeping them; None if it is damaged or has a tail."""
    unpacker, size, left = zlib.decompressobj(), 0, packed
    try:
        while not unpacker.eof:
            block = unpacker.decompress(left, _BLOCK)
            left, size = unpacker.unconsumed_tail, size + len(block)
            if not block and not left:
                break
    except zlib.error:
        return None
    return size if unpacker.eof and not unpacker.unused_data else None


def _promised_size(data: bytes) -> int:
    """Return the bytes of all lines, each with the number of its filter, as the header promises them."""
    width, height = (int.from_bytes(data[place : place + 4], "big") for place in (16, 20))
    bits = data[24] * _CHANNELS.get(data[25], 0)
    passes = _ADAM7 if data[28] else _WHOLE
    sides = ((-(-(width - x) // across), -(-(height - y) // down)) for x, y, across, down in passes)
    return sum((1 + (wide * bits + 7) // 8) * high for wide, high in sides if wide > 0 and high > 0)


def _chunk(data: bytes, place: int) -> bytes | None:
    """Return the chunk at offset *place*: length, name, content and checksum; None if it is truncated."""
    end = place + 12 + int.from_bytes(data[place : place + 4], "big")
    return data[place:end] if end <= len(data) else None
