"""Video files, read with PyAV.

Frames are as a viewer would see them: upright, 8 bits per channel, with the time stamps of the file.
Deliberately not done: deinterlacing (fields stay woven), correction of the pixel aspect ratio, and HDR tone
mapping. An alpha channel is dropped (the colour under transparent pixels is whatever the file stores).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from bgsub.base.plural import count_of
from bgsub.base.pyav import (
    FFmpegError,
    VideoFrame,
    VideoReformatter,
    VideoStream,
    display_matrix,
    time_of,
)
from bgsub.base.warn import report
from bgsub.errors import CannotDecode
from bgsub.frames.read.completeness import ends_early
from bgsub.frames.read.container import open_container, reason_of, video_stream
from bgsub.frames.read.decoding import Damage, decoded
from bgsub.frames.read.limits import check_pixels
from bgsub.frames.read.orientation import Orientation
from bgsub.frames.read.survey import Survey, survey
from bgsub.frames.read.timing import FrameClock
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
        choice).
    options
        Of these, ``max_pixels``.

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

    __slots__ = ("_info", "_listed", "_most", "_orientation", "_path", "_pixels")

    def __init__(self, path: str | os.PathLike[str], options: Options | None = None) -> None:
        self._path = Path(path)
        self._most = (options or Options()).max_pixels
        with open_container(self._path, self._most) as container:
            stream = video_stream(container, self._path, self._most)
            found = survey(container, stream, self._path)
            check_pixels(str(path), found.first.width, found.first.height, self._most)
            self._listed = found.indexed
            self._orientation = _orientation_of(found.first)
            self._pixels = "gray" if _is_gray(found.first.format.name) else "rgb24"
            damage = Damage()
            image = self._upright(found.first, damage, VideoReformatter())
            if image is None:
                raise self._nothing_decodes(damage)
            self._info = self._describe(stream, found, image)

    @property
    def info(self) -> VideoInfo:
        """Size, colour and format of the first frame; rate and counts as far as they can be trusted."""
        return self._info

    def __iter__(self) -> Iterator[Frame]:
        """Decode from the first frame to the last one that decodes."""
        damage = Damage()
        clock = FrameClock(self._info.fps)
        converter = VideoReformatter()
        count, resized = 0, False
        with open_container(self._path, self._most) as container:
            stream = video_stream(container, self._path, self._most)
            for stored in decoded(container, stream, damage):
                image = self._upright(stored, damage, converter)
                if image is None:
                    continue
                if image.shape[:2] != (self._info.height, self._info.width):
                    if not resized:
                        report(self._resize_message(image, count))
                    resized = True
                    image = _fit(image, self._info.width, self._info.height)
                time = clock.stamp(time_of(stored, stream))
                try:
                    yield Frame(count, count + 1, time, image)
                except GeneratorExit:
                    # Reading stops here, but frames lost before shift the numbers of those read.
                    if damage:
                        report(f"{self._path}: {count_of(count + 1, 'frame')} read; {damage}")
                    raise
                count += 1
            if count == 0:
                raise self._nothing_decodes(damage)
            early = ends_early(stream, self._listed, self._info.duration, count, clock)
            if troubles := self._troubles(damage, early):
                report(f"{self._path}: {count_of(count, 'frame')} decoded; {troubles}")

    def _describe(self, stream: VideoStream, found: Survey, image: Image) -> VideoInfo:
        height, width = image.shape[:2]
        codec = stream.codec_context.codec
        return VideoInfo(
            name=str(self._path),
            kind="video",
            width=width,
            height=height,
            is_color=self._pixels != "gray",
            frame_count=found.frame_count,
            fps=found.fps,
            duration=found.duration,
            codec=str(getattr(codec, "canonical_name", codec.name)),
            pixel_format=found.first.format.name,
            rotation=self._orientation.rotation,
        )

    def _upright(self, frame: VideoFrame, damage: Damage, converter: VideoReformatter) -> Image | None:
        try:
            return self._orientation.apply(_to_array(frame, self._pixels, converter))
        except (FFmpegError, ValueError) as error:
            damage.note(reason_of(error))
            return None

    def _resize_message(self, image: Image, index: int) -> str:
        height, width = image.shape[:2]
        return (
            f"{self._path}: the picture changes from {self._info.width} × {self._info.height} to {width} × "
            f"{height} pixels at frame {index + 1}; all frames are brought to the first size"
        )

    def _troubles(self, damage: Damage, ends_early: bool) -> str:
        promised = count_of(self._info.frame_count or 0, "frame")
        early = f"it ends before the {promised} that it announces" if ends_early else ""
        return "; ".join(filter(None, (str(damage), early)))

    def _nothing_decodes(self, damage: Damage) -> CannotDecode:
        return CannotDecode(f"no frame of {self._path} can be decoded: {damage or 'it holds none'}")


def _orientation_of(frame: VideoFrame) -> Orientation:
    matrix = display_matrix(frame)
    return Orientation() if matrix is None else Orientation.from_display_matrix(matrix)


def _is_gray(pixel_format: str) -> bool:
    """Return whether a pixel format has no colour: gray…, gray with alpha (ya…), and black and white (mono…)."""
    return pixel_format.startswith(("gray", "ya8", "ya16", "mono"))


def _to_array(frame: VideoFrame, pixels: str, converter: VideoReformatter) -> Image:
    """Return 8-bit pixels, ``"gray"`` or ``"rgb24"``; values stored as 8-bit gray are unchanged.

    Sharing one *converter* halves the time: a frame's own conversion is set up anew each time.
    """
    array = converter.reformat(frame, format=pixels).to_ndarray()
    return np.ascontiguousarray(array, np.uint8)


def _fit(image: Image, width: int, height: int) -> Image:
    shrinks = image.shape[1] * image.shape[0] > width * height
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=method), np.uint8)
