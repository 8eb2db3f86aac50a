"""A sink that keeps everything in memory, for notebooks and tests."""

from __future__ import annotations

from fractions import Fraction

from bgsub.frames.source import Image
from bgsub.render.sinks.sink import Sink


class MemorySink(Sink):
    """Collects copies of the images, with their times and numbers; an abort discards them all.

    Attributes
    ----------
    images
        Copies, in order, each ``height × width`` (× 3) bytes.
    times
        Seconds.
    numbers
        Frame numbers.
    """

    _channels = ((), (3,), (4,))

    def __init__(self, name: str = "memory") -> None:
        super().__init__(name)
        self.images: list[Image] = []
        self.times: list[Fraction] = []
        self.numbers: list[int] = []

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        self.images.append(image.copy())
        self.times.append(time)
        self.numbers.append(number)

    def _discard(self) -> None:
        self.images.clear()
        self.times.clear()
        self.numbers.clear()
