"""Animated PNG and WebP files as a frame source, with the durations of their frames."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from PIL.Image import Image as Picture
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from bgsub.base.plural import count_of
from bgsub.base.warn import report
from bgsub.errors import CannotDecode
from bgsub.frames.read.content import animation_of, png_chunks, webp_chunks
from bgsub.frames.read.decode import GRAY_MODES, pixels
from bgsub.frames.read.headers import size_of
from bgsub.frames.read.limits import MOST_PIXELS, check_pixels
from bgsub.frames.read.timing import FrameClock, check_rate, nominal_rate
from bgsub.frames.source import Frame, Image, VideoInfo

_READERS: dict[str, type[PngImageFile | WebPImageFile]] = {"apng": PngImageFile, "webp": WebPImageFile}
_HUNDREDTHS = 100  # what a denominator of 0 means, APNG specification
_HEADER = 64  # bytes in which the size stands
_ROOM = 30  # most time stamps that the rate is measured on


class AnimationSource:
    """The frames of an animated PNG or WebP, composed as a browser shows them, without alpha.

    Parameters
    ----------
    path
        The file, whatever its name.
    name
        In messages and reports; the path if None.
    fps
        Frame rate of a file whose frames have no durations; it has no effect on others.
    max_pixels
        Pixels that a picture may have at most.

    Raises
    ------
    CannotDecode
        No frame can be decoded, or they claim too many pixels.
    OptionError
        *fps* is not within 0.01 … 1000.

    Warns
    -----
    BgsubWarning
        While reading: it is damaged, and only its first frames decode. At once: *fps* is not used.
    """

    __slots__ = ("_info", "_kind", "_most", "_path", "_promised", "_times")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        fps: Fraction | None = None,
        max_pixels: int = MOST_PIXELS,
    ) -> None:
        self._path, self._most = Path(path), max_pixels
        name = str(path) if name is None else name
        rate = None if fps is None else check_rate(fps)
        with self._path.open("rb") as file:
            self._kind = animation_of(file)
            durations = _durations(file, self._kind)
            self._promised = max(_announced(file, self._kind), len(durations))
        if rate is not None and any(durations):
            report(f"{name} has its own time stamps; the given rate, {fps} frames/s, is not used")
        ends = _running(durations)
        rate = nominal_rate(_common(durations), ends[:_ROOM]) if any(durations) else rate
        clock = FrameClock(rate)
        self._times = [clock.stamp(end if any(durations) else None) for end in ends]
        first, mode = self._first()
        self._info = VideoInfo(
            name=name,
            kind="video",
            width=first.shape[1],
            height=first.shape[0],
            is_color=first.ndim == 3,
            frame_count=len(durations),
            fps=rate,
            duration=clock.elapsed,
            codec=self._kind,
            pixel_format=mode,
        )

    @property
    def info(self) -> VideoInfo:
        """Exact, except that frames that do not decode are counted until they are encountered."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Decode from the first frame to the last one before any damage."""
        count = 0
        with self._open() as file:
            for time in self._times:
                picture = _decoded(file, count)
                if picture is None:
                    break
                yield Frame(count, count + 1, time, pixels(picture, not self._info.is_color))
                count += 1
        if count < self._promised:
            promised = count_of(self._promised, "frame")
            report(f"{self._path}: {count} of {promised} decoded; the rest is damaged or missing")

    def _first(self) -> tuple[Image, str]:
        with self._open() as file:
            picture = _decoded(file, 0)
            if picture is None:
                raise CannotDecode(f"no frame of {self._path} can be decoded: it is damaged")
            return pixels(picture, picture.mode in GRAY_MODES), picture.mode.lower()

    def _open(self) -> PngImageFile | WebPImageFile:
        # Its plugin for WebP has a limit of its own, and does not say how to change it.
        with self._path.open("rb") as opened:
            self._check(size_of(opened.read(_HEADER)))
        # Not Image.open, which takes large pictures for an attack.
        try:
            file = _READERS[self._kind](self._path)
        except Exception as error:  # its plugins raise whatever the damage leads to
            raise CannotDecode(f"no frame of {self._path} can be decoded: {error}") from None
        self._check(file.size)
        return file

    def _check(self, size: tuple[int, int] | None) -> None:
        check_pixels(str(self._path), *(size or (0, 0)), self._most)


def _decoded(file: PngImageFile | WebPImageFile, index: int) -> Picture | None:
    # Some animations have a picture in front, for programs that show the first one only.
    index += bool(getattr(file, "default_image", False))
    try:
        file.seek(index)
        file.load()
    except Exception:  # its plugins raise whatever the damage leads to
        return None
    return file


def _durations(file: BinaryIO, kind: str) -> list[Fraction]:
    """Return the seconds that each frame is shown, as the file says: Pillow rounds those of PNG."""
    durations = []
    for name, place, length in png_chunks(file) if kind == "apng" else webp_chunks(file):
        if name == b"fcTL" and length >= 24:
            file.seek(place + 20)
            counter, parts = file.read(2), file.read(2)
            seconds = Fraction(int.from_bytes(counter, "big"), int.from_bytes(parts, "big") or _HUNDREDTHS)
            durations.append(seconds)
        elif name == b"ANMF" and length >= 16:
            file.seek(place + 12)
            durations.append(Fraction(int.from_bytes(file.read(3), "little"), 1000))
    return durations


def _announced(file: BinaryIO, kind: str) -> int:
    """Return how many frames the file says that it has; 0 where it does not say."""
    for name, place, _ in png_chunks(file) if kind == "apng" else ():
        if name == b"acTL":
            file.seek(place)
            return int.from_bytes(file.read(4), "big")
    return 0


def _running(durations: list[Fraction]) -> list[Fraction]:
    """Return when each frame begins."""
    begin, times = Fraction(0), []
    for each in durations:
        times.append(begin)
        begin += each
    return times


def _common(durations: list[Fraction]) -> list[Fraction]:
    """Return the rate of frames that are all shown equally long; the last frame's duration does not count."""
    lasting = set(durations[:-1] or durations)
    return [1 / each for each in lasting if each] if len(lasting) == 1 else []
