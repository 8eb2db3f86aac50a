"""Footage turned by right angles, as the user asks for it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from bgsub.frames.read.orientation import Orientation
from bgsub.frames.source import Frame, FrameSource, VideoInfo


class Turned:
    """The frames of another source, turned clockwise.

    Parameters
    ----------
    source
        Any footage, upright as far as it says itself.
    degrees
        0, 90, 180 or 270, clockwise.
    """

    __slots__ = ("_orientation", "_source", "info")

    def __init__(self, source: FrameSource, degrees: int) -> None:
        self._source, self._orientation = source, Orientation.from_degrees(degrees)
        info = source.info
        width, height = (info.height, info.width) if degrees % 180 else (info.width, info.height)
        rotation = (info.rotation + degrees) % 360
        self.info: VideoInfo = replace(info, width=width, height=height, rotation=rotation)

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the source's files, if it has some: see :attr:`.ImageSource.names`."""
        return tuple(getattr(self._source, "names", ()))

    @property
    def file_names(self) -> dict[str, str]:
        """Those of the source's files by the names of its frames, if it has some."""
        return dict(getattr(self._source, "file_names", {}))

    def __iter__(self) -> Iterator[Frame]:
        """Read from the first frame."""
        frames = iter(self._source)
        try:
            for frame in frames:
                yield replace(frame, image=self._orientation.apply(frame.image))
        finally:
            if isinstance(frames, Generator):
                frames.close()
