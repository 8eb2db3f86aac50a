"""Video files, read with PyAV.

Frames are as a viewer would see them: upright, deinterlaced, in standard dynamic range, 8 bits per channel, with
the time stamps of the file. Deliberately not done: correction of the pixel aspect ratio. An alpha channel is dropped
(the colour under transparent pixels is whatever the file stores).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from bgsub.base.plural import count_of
from bgsub.base.pyav import (
    FFmpegError,
    InputContainer,
    VideoFrame,
    VideoStream,
    display_matrix,
    recorded_at,
    time_of,
)
from bgsub.base.warn import report
from bgsub.errors import CannotDecode
from bgsub.frames.read.completeness import ends_early
from bgsub.frames.read.container import open_container, other_films, reason_of, video_stream
from bgsub.frames.read.decoding import Damage, decoded
from bgsub.frames.read.deinterlace import deinterlaced, wants
from bgsub.frames.read.limits import check_pixels
from bgsub.frames.read.orientation import Orientation
from bgsub.frames.read.pixels import Pixels, fitted, is_gray
from bgsub.frames.read.survey import Survey, survey
from bgsub.frames.read.timing import FrameClock
from bgsub.frames.read.tone import NAMES
from bgsub.frames.source import Frame, Image, VideoInfo
from bgsub.options.table import Options


class VideoSource:
    """The frames of a video file.

    The constructor opens the file and decodes its first frame, since frame sizes claimed by containers cannot
    be trusted. Each iteration opens the file anew.

    Parameters
    ----------
    path
        A video file in any format that FFmpeg reads. Of several video streams the best is read (FFmpeg's
        choice), or the one that *options* name.
    options
        Of these, ``stream``, ``deinterlace`` and ``max_pixels``.
    name
        What the footage is called; None is its path.

    Raises
    ------
    CannotOpen
        The file does not exist, is empty, cannot be read, is not a video, or has no video stream.
    CannotDecode
        No frame decodes.

    Warns
    -----
    BgsubWarning
        While reading: packets were damaged (they are skipped), the file ends early, or the frame size changes
        midway (later frames are resampled to the size of the first).
    """

    __slots__ = ("_info", "_is_gray", "_listed", "_name", "_options", "_orientation", "_path")

    def __init__(
        self, path: str | os.PathLike[str], options: Options | None = None, name: str | None = None
    ) -> None:
        self._path = Path(path)
        self._name = str(self._path) if name is None else name
        self._options = options or Options()
        with open_container(self._path, self._options.max_pixels) as container:
            stream = self._stream(container)
            found = survey(container, stream, self._name)
            check_pixels(self._name, found.first.width, found.first.height, self._options.max_pixels)
            self._listed = found.indexed
            self._orientation = _orientation_of(found.first)
            self._is_gray = is_gray(found.first.format.name)
            damage = Damage()
            image = self._upright(found.first, damage, Pixels(self._is_gray))
            if image is None:
                raise self._nothing_decodes(damage)
            self._info = self._describe(container, stream, found, image)

    @property
    def info(self) -> VideoInfo:
        """Size, colour and format of the first frame; rate and counts as far as they can be trusted."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Decode from the first frame to the last one that decodes."""
        damage = Damage()
        clock = FrameClock(self._info.fps)
        pixels = Pixels(self._is_gray)
        count, resized = 0, False
        with open_container(self._path, self._options.max_pixels) as container:
            stream = self._stream(container)
            stored = ((frame, time_of(frame, stream)) for frame in decoded(container, stream, damage))
            for frame, stamp in deinterlaced(stored, self._options.deinterlace, self._name):
                image = self._upright(frame, damage, pixels)
                if image is None:
                    continue
                if image.shape[:2] != (self._info.height, self._info.width):
                    if not resized:
                        report(self._resize_message(image, count))
                    resized = True
                    image = fitted(image, self._info.width, self._info.height)
                time = clock.stamp(stamp)
                try:
                    yield Frame(count, count + 1, time, image)
                except GeneratorExit:
                    # Reading stops here, but frames lost before shift the numbers of those read.
                    if damage:
                        report(f"{self._name}: {count_of(count + 1, 'frame')} read; {damage}")
                    raise
                count += 1
            if count == 0:
                raise self._nothing_decodes(damage)
            early = ends_early(stream, self._listed, self._info.duration, count, clock)
            if troubles := self._troubles(damage, early):
                report(f"{self._name}: {count_of(count, 'frame')} decoded; {troubles}")

    def _stream(self, container: InputContainer) -> VideoStream:
        return video_stream(container, self._name, self._options.max_pixels, self._options.stream)

    def _describe(
        self, container: InputContainer, stream: VideoStream, found: Survey, image: Image
    ) -> VideoInfo:
        height, width = image.shape[:2]
        codec = stream.codec_context.codec
        return VideoInfo(
            name=self._name,
            kind="video",
            width=width,
            height=height,
            is_color=not self._is_gray,
            frame_count=found.frame_count,
            fps=found.fps,
            duration=found.duration,
            codec=str(getattr(codec, "canonical_name", codec.name)),
            pixel_format=found.first.format.name,
            rotation=self._orientation.rotation,
            recorded=recorded_at(container, stream),
            notes=tuple(filter(None, self._notes(container, stream, found.first))),
        )

    def _notes(self, container: InputContainer, stream: VideoStream, first: VideoFrame) -> Iterator[str]:
        yield other_films(container, stream, self._options.stream)
        if wants(first, self._options.deinterlace):
            yield "interlaced: each frame is deinterlaced (--deinterlace off leaves the lines as they are)"
        if first.color_trc in NAMES and not self._is_gray:
            yield f"high dynamic range ({NAMES[first.color_trc]}): brought to standard range"

    def _upright(self, frame: VideoFrame, damage: Damage, pixels: Pixels) -> Image | None:
        try:
            return self._orientation.apply(pixels.of(frame))
        except (FFmpegError, ValueError) as error:
            damage.note(reason_of(error))
            return None

    def _resize_message(self, image: Image, index: int) -> str:
        height, width = image.shape[:2]
        return (
            f"{self._name}: the picture changes from {self._info.width} × {self._info.height} to {width} × "
            f"{height} pixels at frame {index + 1}; all frames are brought to the first size"
        )

    def _troubles(self, damage: Damage, ends_early: bool) -> str:
        promised = count_of(self._info.frame_count or 0, "frame")
        early = f"it ends before the {promised} that it announces" if ends_early else ""
        return "; ".join(filter(None, (str(damage), early)))

    def _nothing_decodes(self, damage: Damage) -> CannotDecode:
        return CannotDecode(f"no frame of {self._name} can be decoded: {damage or 'it holds none'}")


def _orientation_of(frame: VideoFrame) -> Orientation:
    matrix = display_matrix(frame)
    return Orientation() if matrix is None else Orientation.from_display_matrix(matrix)
