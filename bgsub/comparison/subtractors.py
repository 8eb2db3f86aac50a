"""Other subtractors behind one interface, with their masks cleaned as bgsub's are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from bgsub.errors import InputError
from bgsub.frames.source import Image
from bgsub.masks.clean import clean, default_min_area

SAMPLED = 100
"""Maximum number of frames that the median is taken over."""
THRESHOLD = 25
"""Deviation from the median, in grey levels, beyond which a pixel is foreground."""
CERTAIN = 200
"""Mask level beyond which a pixel is foreground; OpenCV marks shadows with 127."""
BAND = 16
"""Rows for which the median is taken at a time: NumPy copies what it works on."""

OPENCV = {
    "mog2": "createBackgroundSubtractorMOG2",
    "knn": "createBackgroundSubtractorKNN",
}
"""In every build of OpenCV."""
CONTRIB = {
    "cnt": "createBackgroundSubtractorCNT",
    "mog": "createBackgroundSubtractorMOG",
    "gmg": "createBackgroundSubtractorGMG",
    "lsbp": "createBackgroundSubtractorLSBP",
    "gsoc": "createBackgroundSubtractorGSOC",
}
CONTRIB_MODULE = "bgsegm"
"""Module with the CONTRIB subtractors, in OpenCV builds with contributed modules."""


class Subtractor:
    """A system that returns a mask for every frame. Online learners have nothing to fit.

    Parameters
    ----------
    width, height
        Size of the frames, which determines the minimum object area.

    Attributes
    ----------
    looks_ahead
        True if the system must be fitted first.
    """

    looks_ahead = False

    def __init__(self, width: int, height: int) -> None:
        self.area = default_min_area(width * height)

    def fit(self, images: Sequence[Image]) -> None:
        """Fit to at most SAMPLED frames, spread over the footage."""

    def prepare(self, image: Image) -> Image:
        """Return a frame (RGB or grey) in the system's input format; this is not timed."""
        return image

    def mask(self, image: Image) -> Image:
        """Return the cleaned mask of a prepared frame, ``(height, width)`` uint8, 0 or 255."""
        raise NotImplementedError


class Median(Subtractor):
    """Per-pixel median of some frames, with a fixed threshold on the channel that deviates most."""

    looks_ahead = True
    median: Image

    def fit(self, images: Sequence[Image]) -> None:
        """Compute the median of each pixel."""
        rows = range(0, len(images[0]), BAND)
        bands = [np.median([image[y : y + BAND] for image in images], axis=0) for y in rows]
        self.median = np.concatenate(bands).astype(np.uint8)

    def mask(self, image: Image) -> Image:
        """Return the cleaned mask of pixels where a channel deviates by more than THRESHOLD."""
        moved = cv2.absdiff(image, self.median)
        if moved.ndim == 3:
            moved = cv2.max(cv2.max(moved[..., 0], moved[..., 1]), moved[..., 2])
        found = cv2.threshold(moved, THRESHOLD, 255, cv2.THRESH_BINARY)[1]
        return clean(np.asarray(found, np.uint8), self.area)


class OpenCV(Subtractor):
    """An OpenCV subtractor with default parameters, learning online; marked shadows count as background.

    Parameters
    ----------
    maker
        Name of the factory function.
    **words
        Its arguments.
    """

    def __init__(self, width: int, height: int, maker: str, **words: Any) -> None:
        super().__init__(width, height)
        home = cv2 if hasattr(cv2, maker) else getattr(cv2, CONTRIB_MODULE)
        self._subtractor = getattr(home, maker)(**words)

    def prepare(self, image: Image) -> Image:
        """Return the frame in OpenCV's channel order, with three channels, which some subtractors require."""
        code = cv2.COLOR_GRAY2BGR if image.ndim == 2 else cv2.COLOR_RGB2BGR
        return np.asarray(cv2.cvtColor(image, code), np.uint8)

    def mask(self, image: Image) -> Image:
        """Return the cleaned mask of everything that is neither background nor shadow.

        Raises
        ------
        InputError
            The subtractor cannot process these frames.
        """
        try:
            found = self._subtractor.apply(image)
        except cv2.error as error:
            raise InputError(
                f"OpenCV refuses the frames: {' '.join((error.err or str(error)).split())}"
            ) from None
        return clean(
            np.asarray(cv2.threshold(found, CERTAIN, 255, cv2.THRESH_BINARY)[1], np.uint8), self.area
        )


def make_subtractor(name: str, width: int, height: int) -> Subtractor:
    """Return the named system: ``median``, or one of OPENCV or CONTRIB."""
    if name == "median":
        return Median(width, height)
    return OpenCV(width, height, (OPENCV | CONTRIB)[name])
