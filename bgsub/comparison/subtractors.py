"""Other subtractors, behind one interface, their masks cleaned as bgsub's are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from bgsub.errors import InputError
from bgsub.frames.source import Image
from bgsub.masks.clean import clean, default_min_area

SAMPLED = 100
"""Frames that the median is taken of, at most."""
THRESHOLD = 25
"""Grey levels beyond which a deviation from the median is foreground."""
CERTAIN = 200
"""Mask levels beyond which a pixel is foreground; the shadows that OpenCV marks are 127."""
BAND = 16
"""Rows of which the median is taken at a time: NumPy copies what it works on."""

OPENCV = {
    "mog2": "createBackgroundSubtractorMOG2",
    "knn": "createBackgroundSubtractorKNN",
}
"""In every OpenCV."""
CONTRIB = {
    "cnt": "createBackgroundSubtractorCNT",
    "mog": "createBackgroundSubtractorMOG",
    "gmg": "createBackgroundSubtractorGMG",
    "lsbp": "createBackgroundSubtractorLSBP",
    "gsoc": "createBackgroundSubtractorGSOC",
}
CONTRIB_MODULE = "bgsegm"
"""Where CONTRIB are, in builds of OpenCV with its contributed modules."""


class Subtractor:
    """A system that gives a mask for every frame. One that learns all the way has nothing to fit.

    Parameters
    ----------
    width, height
        Of the frames; they decide which objects are too small.

    Attributes
    ----------
    looks_ahead
        Whether it is to be fitted.
    """

    looks_ahead = False

    def __init__(self, width: int, height: int) -> None:
        self.area = default_min_area(width * height)

    def fit(self, images: Sequence[Image]) -> None:
        """Look at frames, at most SAMPLED, that are spread over the footage."""

    def prepare(self, image: Image) -> Image:
        """Return a frame (RGB or gray) as the system takes it, which is no part of its work."""
        return image

    def mask(self, image: Image) -> Image:
        """Return the cleaned mask of a prepared frame, ``(height, width)`` uint8, 0 or 255."""
        raise NotImplementedError


class Median(Subtractor):
    """The median of some frames, and a fixed threshold of the channel that deviates most."""

    looks_ahead = True
    median: Image

    def fit(self, images: Sequence[Image]) -> None:
        """Take the median of each pixel."""
        rows = range(0, len(images[0]), BAND)
        bands = [np.median([image[y : y + BAND] for image in images], axis=0) for y in rows]
        self.median = np.concatenate(bands).astype(np.uint8)

    def mask(self, image: Image) -> Image:
        """Return where a channel deviates by more than THRESHOLD."""
        moved = cv2.absdiff(image, self.median)
        if moved.ndim == 3:
            moved = cv2.max(cv2.max(moved[..., 0], moved[..., 1]), moved[..., 2])
        found = cv2.threshold(moved, THRESHOLD, 255, cv2.THRESH_BINARY)[1]
        return clean(np.asarray(found, np.uint8), self.area)


class OpenCV(Subtractor):
    """A subtractor of OpenCV: default parameters, learning all the way; the shadows it marks are background.

    Parameters
    ----------
    maker
        Name of the function that makes it.
    **words
        Its arguments.
    """

    def __init__(self, width: int, height: int, maker: str, **words: Any) -> None:
        super().__init__(width, height)
        home = cv2 if hasattr(cv2, maker) else getattr(cv2, CONTRIB_MODULE)
        self._subtractor = getattr(home, maker)(**words)

    def prepare(self, image: Image) -> Image:
        """Return the frame in OpenCV's order of channels, of which some take only three."""
        code = cv2.COLOR_GRAY2BGR if image.ndim == 2 else cv2.COLOR_RGB2BGR
        return np.asarray(cv2.cvtColor(image, code), np.uint8)

    def mask(self, image: Image) -> Image:
        """Return what is no background and no shadow.

        Raises
        ------
        InputError
            The subtractor cannot do with these frames.
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
    """Return the system of that name: ``median``, or one of OPENCV or CONTRIB."""
    if name == "median":
        return Median(width, height)
    return OpenCV(width, height, (OPENCV | CONTRIB)[name])
