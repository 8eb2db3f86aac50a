"""Sink for viewable video: H.264 in MP4, playable in every browser."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args

from bgsub.base.publish import Publication
from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.render.sinks import yuv
from bgsub.render.sinks.clock import DEFAULT_TIME_BASE, StreamClock
from bgsub.render.sinks.encoder import Encoder, Format
from bgsub.render.sinks.sink import FileSink

Preset = Literal[
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow"
]


DEFAULT_PRESET: Preset = "superfast"
"""x264's speed preset: this one takes 0.64 of the time of ``veryfast`` for 1.1 times the space."""
LOOKAHEAD = "mbtree=1:rc-lookahead=10"
"""Goes with DEFAULT_PRESET: x264 omits it from its fastest presets, but it pays most on a still background, a
sixth of the space."""


@dataclass(frozen=True, slots=True)
class H264:
    """H.264 encoder settings.

    Parameters
    ----------
    crf
        Constant rate factor, 0 (lossless, large, and not playable in browsers) to 51 (worst). 20 is hard to
        tell from the original.
    preset
        x264's speed preset. ``superfast`` comes with ten frames of look-ahead here (see LOOKAHEAD), and then
        takes 0.64 of the time of ``veryfast`` for 1.1 times the space (768 × 576 surveillance footage, three layers).
    threads
        Encoder threads; 0 lets x264 choose. x264 then encodes while the caller prepares the next frame.

    Raises
    ------
    OptionError
        If a value is out of range.
    """

    crf: float = 20.0
    preset: Preset = DEFAULT_PRESET
    threads: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.crf <= 51:
            raise OptionError(f"crf must lie between 0 and 51, not {self.crf}")
        if self.preset not in get_args(Preset):
            raise OptionError(f"preset must be one of {', '.join(get_args(Preset))}, not '{self.preset}'")
        if self.threads < 0:
            raise OptionError(f"threads must be at least 0, not {self.threads}")


class LastPlanes:
    """Converts images to YUV, but an image that comes again, such as a static background, only once.

    Only read-only images are trusted not to have changed.
    """

    def __init__(self) -> None:
        self._image: Image | None = None
        self._planes: Image | None = None

    def of(self, image: Image) -> Image:
        """Return the YUV planes of *image*, padded to even sides (:mod:`bgsub.render.sinks.yuv`)."""
        if self._planes is None or image is not self._image:
            self._image = None if image.flags.writeable else image
            self._planes = yuv.to_yuv420(yuv.even(image))
        return self._planes


class VideoSink(FileSink):
    """H.264 in MP4: ``yuv420p``, index at the front (``+faststart``), any size, gray or colour.

    Sizes are padded to even numbers by repeating the last row and column. Times that are multiples of
    *time_base* are stored exactly, including the first, whether or not they are evenly spaced; other times
    are rounded to the nearest tick.

    Parameters
    ----------
    path
        The file.
    files
        Publishes it: see :class:`.FileSink`.
    fps
        Nominal frame rate, if known: a hint for x264's rate control and for players. Not used for time
        stamps.
    time_base
        Seconds of which all times are multiples, if known (see :func:`.time_base_for`); the default fits the
        usual rates.
    h264
        Quality, speed and threads.

    Raises
    ------
    OutputError
        If the path cannot be used.
    OptionError
        If the time base or the rate is invalid.
    """

    def __init__(
        self,
        path: str | Path,
        files: Publication | None = None,
        *,
        fps: Fraction | None = None,
        time_base: Fraction | None = None,
        h264: H264 | None = None,
    ) -> None:
        super().__init__(path, files)
        self._fps = check_fps(fps)
        self._h264 = h264 or H264()
        self._clock = StreamClock(time_base or DEFAULT_TIME_BASE, self.name)
        self._encoder: Encoder | None = None
        self._planes = LastPlanes()

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        planes = self._planes.of(image)
        if self._encoder is None:
            height, width = planes.shape[0] * 2 // 3, planes.shape[1]
            self._encoder = Encoder(
                self._at,
                self.path,
                self._format(),
                (width, height),
                self._clock.time_base,
                self._fps,
            )
        tick = self._clock.ticks(time)
        self._encoder.encode(planes, tick, self._clock.interval)

    def _format(self) -> Format:
        # The first time is stored in an edit list, in units of the movie time scale: 1 ms by default.
        scale = str(self._clock.time_base.denominator)
        return Format(
            container="mp4",
            codec="libx264",
            pixel_format="yuv420p",
            codec_options={"crf": str(self._h264.crf), "preset": self._h264.preset, **self._lookahead()},
            container_options={"movflags": "+faststart", "movie_timescale": scale},
            threads=self._h264.threads,
            color=(yuv.MPEG_RANGE, yuv.SMPTE170M_MATRIX, yuv.BT709_PRIMARIES, yuv.BT709_TRANSFER),
        )

    def _lookahead(self) -> dict[str, str]:
        return {"x264-params": LOOKAHEAD} if self._h264.preset == DEFAULT_PRESET else {}

    def _finish(self) -> None:
        if self._encoder is not None:
            self._encoder.finish()

    def _discard(self) -> None:
        if self._encoder is not None:
            self._encoder.abandon()
        super()._discard()


def check_fps(fps: Fraction | None) -> Fraction | None:
    """Return *fps*; raise :class:`OptionError` unless it is positive and a ratio of numbers below 2³¹."""
    if fps is not None and not (fps > 0 and max(fps.numerator, fps.denominator) < 2**31):
        raise OptionError(f"frames per second must be positive, not {fps}")
    return fps
