"""Cut-out sink: VP9 with alpha in WebM, which browsers and editors lay over other pictures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.render.sinks.video import Encoding, VideoSink


class CutoutSink(VideoSink):
    """``(height, width, 4)`` RGBA images as VP9 (``yuva420p``); times in milliseconds, sides padded to even numbers.

    Parameters
    ----------
    path
        The file.
    files
        Publishes it: see :class:`.FileSink`.
    fps
        Nominal frame rate, if known; not used for time stamps.
    threads
        Encoder threads; 0 lets the encoder choose.

    Raises
    ------
    OutputError
        If the path cannot be used.
    """

    _channels = ((4,),)

    def __init__(
        self,
        path: str | Path,
        files: Publication | None = None,
        *,
        fps: Fraction | None = None,
        threads: int = 0,
    ) -> None:
        super().__init__(path, files, fps=fps, encoding=Encoding(threads=threads, has_alpha=True))
