"""A source whose pictures hold their own index, and whose claimed length may be wrong, as containers' are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from bgsub.frames.source import Frame, Image, VideoInfo

HEIGHT, WIDTH = 2, 4


class NumberedSource:
    """*count* pictures at 25 frames/s from *first* seconds on (or at *times*), of which *claimed* are announced."""

    def __init__(
        self,
        count: int,
        claimed: int | None = None,
        *,
        first: Fraction = Fraction(0),
        times: Sequence[Fraction] | None = None,
        color: bool = False,
    ) -> None:
        self.count = count
        self.times = times or [first + Fraction(index, 25) for index in range(count)]
        self.color = color
        self.open_readers = 0
        self.info = VideoInfo("numbered", "video", WIDTH, HEIGHT, color, claimed, Fraction(25), None)

    def __iter__(self) -> Iterator[Frame]:
        self.open_readers += 1
        try:
            for index in range(self.count):
                yield Frame(index, index + 1, self.times[index], picture(index, self.color))
        finally:
            self.open_readers -= 1


@cache
def picture(index: int, color: bool = False) -> Image:
    """Return a picture from which :func:`index_of` reads *index*; the other values are noise that it seeds."""
    values = np.random.default_rng(index).integers(0, 256, (HEIGHT, WIDTH, 3) if color else (HEIGHT, WIDTH))
    values.flat[:3] = index // 65536, index // 256 % 256, index % 256
    return values.astype(np.uint8)


def index_of(rows: Image) -> int:
    """Return the index that a picture, or its rows, was made with."""
    high, middle, low = (int(value) for value in rows.flat[:3])
    return high * 65536 + middle * 256 + low
