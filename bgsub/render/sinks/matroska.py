"""Time stamps finer than a millisecond in Matroska.

FFmpeg's Matroska writer always counts in milliseconds, which would move the frames of 30 fps footage by up to
half a millisecond, differently each. The format itself allows any whole number of nanoseconds
(``TimestampScale``, element 0x2AD7B1, RFC 9559 section 5.1.2.9). So microseconds are handed to the writer as
if they were milliseconds, and the header is corrected at the end. Readers apply the scale to every time in
the file: blocks, clusters, cues, duration. Only FFmpeg's textual ``DURATION`` tag is not subject to it and is
rewritten too.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from bgsub.base.write_errors import writing
from bgsub.errors import OutputError

MILLISECOND = Fraction(1, 1000)
MICROSECOND = Fraction(1, 1_000_000)

_HEADER = 16_384
_MILLISECONDS = bytes.fromhex("2AD7B1 83 0F4240")
_MICROSECONDS = bytes.fromhex("2AD7B1 83 0003E8")
_DURATION_TAG = re.compile(rb"DURATION\x44\x87[\x80-\xff](\d{2,}):(\d\d):(\d\d)(\.\d+)")


def declare_microseconds(path: Path, shown: Path) -> None:
    """Correct the header of a file whose times are microseconds but are declared as milliseconds, in place.

    Parameters
    ----------
    path
        A complete Matroska file by FFmpeg.
    shown
        The path that messages name.

    Raises
    ------
    OutputError
        If the header is not as FFmpeg writes it, or the file cannot be written.
    """
    with writing(shown), path.open("r+b") as file:
        header = file.read(_HEADER)
        if header.count(_MILLISECONDS) != 1:
            raise OutputError(
                f"cannot write {shown}: this FFmpeg writes an unknown Matroska header; update 'av'"
            )
        fixed = _DURATION_TAG.sub(_thousandth, header.replace(_MILLISECONDS, _MICROSECONDS), count=1)
        file.seek(0)
        file.write(fixed)


def _thousandth(tag: re.Match[bytes]) -> bytes:
    """Return the tag with a thousandth of its duration, in as many bytes."""
    hours, minutes, seconds, fraction = (part.decode() for part in tag.groups())
    inflated = int(hours) * 3600 + int(minutes) * 60 + int(seconds) + Fraction(f"0{fraction}")
    nanoseconds = round(inflated * 1_000_000)
    minute, rest = divmod(nanoseconds, 60 * 10**9)
    text = f"{minute // 60:02d}:{minute % 60:02d}:{rest // 10**9:02d}.{rest % 10**9:09d}"
    start = tag.start(1) - tag.start()
    room = tag.end() - tag.start(1)
    return tag.group()[:start] + text.encode()[:room].ljust(room, b"0")
