"""What a file is by its first bytes, whatever it is called."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from bgsub.frames.read.png import SIGNATURE as PNG

_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")  # both orders of bytes, and BigTIFF of each
_ANIMATION_FLAG = 0x02  # of the chunk VP8X, WebP container specification

Chunk = tuple[bytes, int, int]
"""Name, place of the content, and its length."""


def begins_tiff(head: bytes) -> bool:
    """Return whether a file that begins with *head* (four bytes or more) is a TIFF."""
    return head[:4] in _TIFF


def is_tiff(path: Path) -> bool:
    """Return whether the file is a TIFF."""
    with path.open("rb") as file:
        return begins_tiff(file.read(4))


def is_animated(file: Path | NDArray[np.uint8]) -> bool:
    """Return whether a file (or its bytes) is an animated PNG or WebP."""
    if isinstance(file, Path):
        with file.open("rb") as opened:
            return animation_of(opened) != ""
    head = file[:12].tobytes()
    return _may_be_animated(head) and animation_of(io.BytesIO(file.tobytes())) != ""


def animation_of(file: BinaryIO) -> str:
    """Return ``"apng"`` or ``"webp"`` for an animation, an empty text for anything else."""
    file.seek(0)
    head = file.read(12)
    if head.startswith(PNG):
        for name, _, _ in png_chunks(file):
            if name in (b"acTL", b"IDAT"):
                return "apng" if name == b"acTL" else ""
    elif _may_be_animated(head):
        name, place, _ = next(webp_chunks(file), (b"", 0, 0))
        file.seek(place)
        return "webp" if name == b"VP8X" and (file.read(1) or b"\0")[0] & _ANIMATION_FLAG else ""
    return ""


def _may_be_animated(head: bytes) -> bool:
    return head.startswith(PNG) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")


def png_chunks(file: BinaryIO) -> Iterator[Chunk]:
    """Yield the chunks of a PNG file, as far as they are whole."""
    return _chunks(file, len(PNG), "big")


def webp_chunks(file: BinaryIO) -> Iterator[Chunk]:
    """Yield the chunks of a WebP file, as far as they are whole."""
    return _chunks(file, 12, "little")


def _chunks(file: BinaryIO, place: int, order: Literal["big", "little"]) -> Iterator[Chunk]:
    size = file.seek(0, io.SEEK_END)
    while place + 8 <= size:
        file.seek(place)
        one, other = file.read(4), file.read(4)
        length, name = (one, other) if order == "big" else (other, one)
        count = int.from_bytes(length, order)
        if place + 8 + count > size:
            return
        yield name, place + 8, count
        # PNG ends every chunk with a checksum; RIFF begins every one at an even place.
        place += 8 + count + (4 if order == "big" else count % 2)


def has_more_pages(stored: NDArray[np.uint8]) -> bool:
    """Return whether the bytes of a TIFF may hold more than one picture: a second directory, or ImageJ's own way."""
    head = stored[:16].tobytes()
    order: Literal["big", "little"] = "little" if head[:2] == b"II" else "big"
    is_big = head[2 if order == "little" else 3] == 43
    width, counted, entry = (8, 8, 20) if is_big else (4, 2, 12)
    first = int.from_bytes(head[width : 2 * width], order)
    count = int.from_bytes(stored[first : first + counted].tobytes(), order)
    end = first + counted + count * entry
    following = int.from_bytes(stored[end : end + width].tobytes(), order)
    return following != 0 or b"ImageJ=" in stored[: 1 << 16].tobytes()
