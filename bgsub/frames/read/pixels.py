"""From decoded frames to pictures: 8 bits a channel, in standard range, of one size."""

from __future__ import annotations

import cv2
import numpy as np

from bgsub.base.pyav import VideoFrame, VideoReformatter
from bgsub.frames.read.tone import NAMES, tone_mapped
from bgsub.frames.source import Image


class Pixels:
    """Turns frames into arrays, gray or RGB as the first one is stored.

    Sharing one converter halves the time: a frame's own conversion is set up anew each time.
    """

    __slots__ = ("_converter", "is_gray")

    def __init__(self, is_gray: bool) -> None:
        self.is_gray = is_gray
        self._converter = VideoReformatter()

    def of(self, frame: VideoFrame) -> Image:
        """Return the picture of a frame; values stored as 8-bit gray are unchanged.

        Raises
        ------
        FFmpegError, ValueError
            FFmpeg cannot convert it.
        """
        if not self.is_gray and frame.color_trc in NAMES:
            return tone_mapped(self._array(frame, "rgb48le"), frame.color_trc)
        return np.ascontiguousarray(self._array(frame, "gray" if self.is_gray else "rgb24"), np.uint8)

    def _array(self, frame: VideoFrame, pixels: str) -> np.ndarray:
        return self._converter.reformat(frame, format=pixels).to_ndarray()


def is_gray(pixel_format: str) -> bool:
    """Return whether a pixel format has no colour: gray…, gray with alpha (ya…), and black and white (mono…)."""
    return pixel_format.startswith(("gray", "ya8", "ya16", "mono"))


def fitted(image: Image, width: int, height: int) -> Image:
    """Return the picture resampled to another size."""
    shrinks = image.shape[1] * image.shape[0] > width * height
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=method), np.uint8)
