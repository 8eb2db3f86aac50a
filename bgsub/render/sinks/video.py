"""Sink for viewable video: H.264 in MP4, playable in every browser, or what else is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.errors import OptionError
from bgsub.frames.source import Image
from bgsub.options.codecs import BT601, CODECS, CUTOUT, LOOKAHEAD, Codec, check_codec
from bgsub.render.layer import as_color
from bgsub.render.sinks import yuv
from bgsub.render.sinks.clock import DEFAULT_TIME_BASE, LONGEST, WEEK, StreamClock
from bgsub.render.sinks.encoder import Encoder, Format
from bgsub.render.sinks.sink import FileSink


@dataclass(frozen=True, slots=True)
class Encoding:
    """How videos for people are encoded.

    Parameters
    ----------
    codec
        A key of CODECS.
    crf
        Constant rate factor, from 0 to the codec's worst; None for the usual one.
    preset
        Speed preset of the codec; None for the usual one.
    threads
        Encoder threads; 0 lets the encoder choose. It then encodes while the caller prepares the next frame.
    has_alpha
        Whether images are RGBA; they are then encoded as CUTOUT, whatever the codec.

    Raises
    ------
    OptionError
        If the codec does not take a value.
    """

    codec: str = "h264"
    crf: float | None = None
    preset: str | None = None
    threads: int = 0
    has_alpha: bool = False

    def __post_init__(self) -> None:
        check_codec(self.codec, self.crf, self.preset)
        if self.threads < 0:
            raise OptionError(f"threads must be at least 0, not {self.threads}")

    @property
    def known(self) -> Codec:
        """What the table says of the codec."""
        return CUTOUT if self.has_alpha else CODECS[self.codec]

    def format(self, time_base: Fraction) -> Format:
        """Return the properties of a file whose times are multiples of *time_base*."""
        known = self.known
        options = dict(known.options)
        if known.crf is not None:
            options["crf"] = f"{known.crf if self.crf is None else self.crf:g}"
        if known.presets:
            options[known.key] = self.preset or known.preset
        if known.encoder == "libx264" and options[known.key] == known.preset:
            options |= LOOKAHEAD
        container: dict[str, str] = {}
        if known.container in ("mp4", "mov"):
            # The first time is stored in an edit list, in units of the movie time scale: 1 ms by default.
            container = {"movflags": "+faststart", "movie_timescale": str(time_base.denominator)}
        return Format(
            container=known.container,
            codec=known.encoder,
            pixel_format=known.pixel_format,
            given="" if known.planes else known.given,
            codec_options=options,
            container_options=container,
            threads=self.threads,
            color=BT601 if known.planes else (0, 2, 2, 2),
            tag=known.tag,
        )


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
    """Video for people, of any size, gray or colour; by default H.264 in MP4, index at the front (``+faststart``).

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
    encoding
        Codec, quality, speed and threads. WebM and Matroska store times in milliseconds.

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
        encoding: Encoding | None = None,
    ) -> None:
        super().__init__(path, files)
        self._fps = check_fps(fps)
        self._encoding = encoding or Encoding()
        ticks = self._encoding.known.ticks
        self._clock = StreamClock(
            Fraction(1, ticks) if ticks else time_base or DEFAULT_TIME_BASE,
            self.name,
            WEEK if ticks else LONGEST,
        )
        self._encoder: Encoder | None = None
        self._planes = LastPlanes()

    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        known = self._encoding.known
        if known.planes:
            pixels = self._planes.of(image)
            height, width = pixels.shape[0] * 2 // 3, pixels.shape[1]
        else:
            pixels = as_color(yuv.even(image) if known.even else image)
            height, width = pixels.shape[:2]
        time_base = self._clock.time_base
        if self._encoder is None:
            layout = self._encoding.format(time_base)
            self._encoder = Encoder(self._at, self.path, layout, (width, height), time_base, self._fps)
        tick, interval = self._clock.ticks(time), self._clock.interval
        self._encoder.encode(pixels, tick, None if interval is None else min(interval, LONGEST))

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
