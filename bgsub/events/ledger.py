"""Every sighting of a run, kept on disk until it is known which tracks count."""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import IO

import numpy as np

from bgsub.base.write_errors import writing
from bgsub.events.objects import Object
from bgsub.events.row import Moment, Row
from bgsub.events.tracker import Sighting

IN_MEMORY = 1 << 22
"""Bytes up to which no file is made."""
_FRAME = struct.Struct("<qqqqii")
_SIGHTING = struct.Struct("<iiiiiidddfffi")


class Ledger:
    """Sightings in order of time; read back once all have been written. Delete it by :meth:`close`."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    def add(self, moment: Moment, sightings: Sequence[Sighting]) -> None:
        """Write the sightings of a frame.

        Raises
        ------
        OutputError
            If the disk of the temporary folder is full.
        """
        time, name = moment.time, moment.name.encode("utf-8", "surrogateescape")
        sizes = len(sightings), len(name)
        packed = [
            _FRAME.pack(moment.index, moment.number, time.numerator, time.denominator, *sizes) + name,
            *(_packed(each) for each in sightings),
        ]
        with writing(Path(tempfile.gettempdir())):
            if self._file is None:
                self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed by close()
            self._file.write(b"".join(packed))

    def rows(self, numbers: Mapping[int, int]) -> Iterator[tuple[Moment, list[Row]]]:
        """Yield all frames, each with the rows of the tracks that have a number: index of the track → number."""
        file = self._file
        if file is None:
            return
        file.seek(0)
        while head := file.read(_FRAME.size):
            index, number, numerator, denominator, count, size = _FRAME.unpack(head)
            name = file.read(size).decode("utf-8", "surrogateescape")
            moment = Moment(index, number, Fraction(numerator, denominator), name)
            found = [_read(file) for _ in range(count)]
            yield moment, [Row(numbers[track], each) for track, each in found if track in numbers]

    def close(self) -> None:
        """Delete it."""
        if self._file is not None:
            self._file.close()


def _read(file: IO[bytes]) -> tuple[int, Object]:
    track, x, y, width, height, area, across, down, contrast, *colour, size = _SIGHTING.unpack(
        file.read(_SIGHTING.size)
    )
    bits = np.frombuffer(zlib.decompress(file.read(size)), np.uint8)
    pixels = np.unpackbits(bits, count=width * height).reshape(height, width) * np.uint8(255)
    return track, Object(
        (x, y, width, height), area, (across, down), contrast, (colour[0], colour[1], colour[2]), pixels
    )


def _packed(sighting: Sighting) -> bytes:
    found = sighting.found
    outline = zlib.compress(np.packbits(found.pixels > 0).tobytes(), 1)
    head = _SIGHTING.pack(
        sighting.track.index,
        *found.box,
        found.area,
        *found.centre,
        found.contrast,
        *found.colour,
        len(outline),
    )
    return head + outline
