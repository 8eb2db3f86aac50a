"""The sink of a run's report: text that is known when all else has been written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from bgsub.errors import OutputError
from bgsub.frames.source import Image
from bgsub.render.sinks.sink import FileSink


class ReportSink(FileSink):
    """Writes *text()* when it is closed; put it last in a :class:`.SinkGroup`, so that it is placed last.

    Parameters
    ----------
    path
        Final name.
    text
        Called once, when the other sinks are complete.
    """

    def __init__(self, path: str | Path, text: Callable[[], str]) -> None:
        super().__init__(path)
        self._text = text

    def _start(self) -> None:
        super()._start()
        self.frames = 1  # it takes no frames, and is complete without

    def _put(self, image: Image, time: Fraction, number: int) -> None:
        raise OutputError(f"cannot write a picture to {self.name}: it is a report")

    def _finish(self) -> None:
        self._store(self._staged.partial, self._text().encode("utf-8", "backslashreplace"))
