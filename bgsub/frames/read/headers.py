"""How large a picture is, from the header of its file: before a decoder takes memory for what that claims.

Only for what OpenCV decodes; Pillow and tifffile tell sizes themselves before they decode.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

Size = tuple[int, int]
"""Width and height."""

_HEAD = 1 << 16
"""Bytes in which text headers and the boxes of JPEG 2000 and AVIF must name a size: elsewhere nobody writes it."""
_PNM = re.compile(rb"P[1-6fF](?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)")
_PAM = re.compile(rb"P7\s(?=.*?\bWIDTH\s+(\d+))(?=.*?\bHEIGHT\s+(\d+))", re.DOTALL)
_RADIANCE = re.compile(rb"([-+])Y (\d+) [-+]X (\d+)")
_WHOLE_NUMBERS = {3: 2, 4: 4, 16: 8}  # bytes of TIFF's types of numbers that sizes have
_WIDTHS, _HEIGHTS = (256, 322), (257, 323)  # tags of the picture and of its tiles
_LONGEST = 20  # digits: Python converts long ones slowly, and no picture has them


def size_of(data: bytes | memoryview) -> Size | None:
    """Return width and height of the largest picture that a file claims to hold; None if its kind is not known.

    Of a TIFF it is the first page, or a tile of it where that is larger.
    """
    head = bytes(data[:_HEAD])
    for begin, read in _READERS:
        if re.match(begin, head, re.DOTALL):
            return read(head) if read is not _tiff else _tiff(data)
    return None


def _number(head: bytes, place: int, width: int, order: Literal["big", "little"]) -> int:
    return int.from_bytes(head[place : place + width], order)


def _png(head: bytes) -> Size:
    return _number(head, 16, 4, "big"), _number(head, 20, 4, "big")


def _gif(head: bytes) -> Size:
    return _number(head, 6, 2, "little"), _number(head, 8, 2, "little")


def _sun(head: bytes) -> Size:
    return _number(head, 4, 4, "big"), _number(head, 8, 4, "big")


def _bmp(head: bytes) -> Size:
    if _number(head, 14, 4, "little") == 12:
        return _number(head, 18, 2, "little"), _number(head, 20, 2, "little")
    # A picture that is stored from the top has a negative height.
    sides = (int.from_bytes(head[place : place + 4], "little", signed=True) for place in (18, 22))
    width, height = map(abs, sides)
    return width, height


def _webp(head: bytes) -> Size | None:
    kind = head[12:16]
    if kind == b"VP8X":
        return 1 + _number(head, 24, 3, "little"), 1 + _number(head, 27, 3, "little")
    if kind == b"VP8L":
        bits = _number(head, 21, 4, "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return _number(head, 26, 2, "little") & 0x3FFF, _number(head, 28, 2, "little") & 0x3FFF
    return None


def _text(head: bytes) -> Size | None:
    found = _PNM.match(head) or _PAM.match(head)
    return _sides(found[1], found[2]) if found else None


def _radiance(head: bytes) -> Size | None:
    found = _RADIANCE.search(head)
    return _sides(found[3], found[2]) if found else None


def _sides(width: bytes, height: bytes) -> Size | None:
    return (int(width), int(height)) if max(len(width), len(height)) <= _LONGEST else None


def _jpeg2000(head: bytes) -> Size | None:
    start = head.find(b"\xff\x4f\xff\x51")
    return (_number(head, start + 8, 4, "big"), _number(head, start + 12, 4, "big")) if start >= 0 else None


def _avif(head: bytes) -> Size | None:
    places = [found.end() + 4 for found in re.finditer(b"ispe", head)]
    sizes = [(_number(head, place, 4, "big"), _number(head, place + 4, 4, "big")) for place in places]
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def _tiff(data: bytes | memoryview) -> Size | None:
    order: Literal["big", "little"] = "little" if bytes(data[:2]) == b"II" else "big"
    is_big = int.from_bytes(data[2:4], order) == 43
    width, counted, entry, value = (8, 8, 20, 12) if is_big else (4, 2, 12, 8)
    first = int.from_bytes(data[width : 2 * width], order)
    count = int.from_bytes(data[first : first + counted], order)
    begin = first + counted
    found = dict.fromkeys((*_WIDTHS, *_HEIGHTS), 0)
    for place in range(begin, min(begin + count * entry, len(data)), entry):
        tag, kind = (int.from_bytes(data[at : at + 2], order) for at in (place, place + 2))
        if tag in found:
            if kind not in _WHOLE_NUMBERS:
                return None
            number = data[place + value : place + value + _WHOLE_NUMBERS[kind]]
            found[tag] = max(found[tag], int.from_bytes(number, order))
    sizes = [(found[wide], found[high]) for wide, high in zip(_WIDTHS, _HEIGHTS, strict=True)]
    return max(sizes, key=lambda size: size[0] * size[1])


_READERS: tuple[tuple[bytes, Callable[[bytes], Size | None]], ...] = (
    (rb"\x89PNG\r\n\x1a\n", _png),
    (rb"BM", _bmp),
    (rb"RIFF....WEBP", _webp),
    (rb"II[*+]\0|MM\0[*+]", _tiff),
    (rb"P[1-7fF]\s", _text),
    (rb"GIF8", _gif),
    (rb"#\?", _radiance),
    (rb"\x59\xa6\x6a\x95", _sun),
    (rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51", _jpeg2000),
    (rb"....ftyp(?:avi[fs]|mif1|msf1)", _avif),
)
