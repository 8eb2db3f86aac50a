"""Cut-out sink: VP9 with alpha in WebM, which browsers and editors lay over other pictures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np

from bgsub.base.publish import Publication
from bgsub.frames.source import Image
from bgsub.render.sinks.clock import LONGEST, WEEK, StreamClock
from bgsub.render.sinks.encoder import Encoder, Format
from bgsub.render.sinks.mask import MILLISECOND
from bgsub.render.sinks.sink import FileSink
from bgsub.render.sinks.video import check_fps


class CutoutSink(FileSink):
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
        super().__init__(path, files)
        self._fps, self._threads = check_fps(fps), threads
        self._clock = StreamClock(MILLISECOND, self.name, WEEK)
        self._encoder: Encoder | None = None

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        height, width = image.shape[:2]
        if height % 2 or width % 2:
            image = np.asarray(
                cv2.copyMakeBorder(image, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), np.uint8
            )
        if self._encoder is None:
            size = image.shape[1], image.shape[0]
            self._encoder = Encoder(self._at, self.path, _layout(self._threads), size, MILLISECOND, self._fps)
        tick = self._clock.ticks(time)
        self._encoder.encode(image, tick, min(self._clock.interval or 1, LONGEST))

    def _finish(self) -> None:
        if self._encoder is not None:
            self._encoder.finish()

    def _discard(self) -> None:
        if self._encoder is not None:
            self._encoder.abandon()
        super()._discard()


def _layout(threads: int) -> Format:
    # VP9 allows no alpha with frames that are shown later ("alternative references").
    speed = {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "auto-alt-ref": "0"}
    return Format(
        container="webm",
        codec="libvpx-vp9",
        pixel_format="yuva420p",
        given="rgba",
        codec_options={"crf": "24", "b": "0", **speed},
        threads=threads,
    )
