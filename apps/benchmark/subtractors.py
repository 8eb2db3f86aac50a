"""The systems that give a mask for every frame, each with the same cleaning of the mask: bgsub's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmark.clip import Picture
from bgsub.masks.clean import automatic_area, clean

if TYPE_CHECKING:
    from benchmark.footage import TimedSource

SAMPLED = 100
"""Frames that the median is taken of, at most."""
THRESHOLD = 25
"""Grey levels beyond which a deviation from the median is foreground."""


class Subtractor:
    """A system. One that does not look at the clip beforehand has nothing to fit and nothing to keep."""

    def __init__(self, width: int, height: int, threads: int) -> None:
        self.area, self.threads = automatic_area(width * height), threads
        cv2.setNumThreads(threads)

    def fit(self, source: TimedSource) -> None:
        """Look at the clip."""

    def save(self, path: Path) -> None:
        """Keep what was seen."""

    def load(self, path: Path) -> None:
        """Read what was kept."""

    def mask(self, image: Picture) -> Picture:
        """Return the cleaned mask of a frame."""
        raise NotImplementedError


class Bgsub(Subtractor):
    """bgsub with default options."""

    def __init__(self, width: int, height: int, threads: int) -> None:
        super().__init__(width, height, threads)
        self._model: Any = None

    def fit(self, source: TimedSource) -> None:
        """Fit a background."""
        import bgsub

        self._model = bgsub.fit(source, bgsub.Options(threads=self.threads))

    def save(self, path: Path) -> None:
        """Keep the background."""
        self._model.save(path)

    def load(self, path: Path) -> None:
        """Read a background."""
        import bgsub

        self._model = bgsub.BackgroundModel.load(path)

    def mask(self, image: Picture) -> Picture:
        """Return the mask, which bgsub cleans itself."""
        return np.asarray(self._model.apply(image).mask)


class Median(Subtractor):
    """The median of some frames, and a fixed threshold."""

    def __init__(self, width: int, height: int, threads: int) -> None:
        super().__init__(width, height, threads)
        self._median: Any = None

    def fit(self, source: TimedSource) -> None:
        """Take the median of frames evenly spread over the clip."""
        every = -(-source.frames // SAMPLED)
        frames = [frame.image for frame in source if frame.index % every == 0]
        # In bands: numpy copies what it takes the median of.
        bands = [
            np.median([frame[y : y + 16] for frame in frames], axis=0) for y in range(0, len(frames[0]), 16)
        ]
        self._median = np.concatenate(bands).astype(np.uint8)

    def save(self, path: Path) -> None:
        """Keep the median."""
        np.savez(path, median=self._median)

    def load(self, path: Path) -> None:
        """Read a median."""
        with np.load(path) as arrays:
            self._median = arrays["median"]

    def mask(self, image: Picture) -> Picture:
        """Return where a channel deviates by more than THRESHOLD."""
        difference = cv2.absdiff(image, self._median)
        moved = cv2.max(cv2.max(difference[..., 0], difference[..., 1]), difference[..., 2])
        found = cv2.threshold(moved, THRESHOLD, 255, cv2.THRESH_BINARY)[1]
        return clean(np.asarray(found, np.uint8), self.area)


class OpenCV(Subtractor):
    """A subtractor of OpenCV: default parameters, learning all the way; the shadows it marks are background."""

    def __init__(self, width: int, height: int, threads: int, maker: str, **words: Any) -> None:
        super().__init__(width, height, threads)
        self._subtractor = getattr(cv2, maker)(**words)

    def mask(self, image: Picture) -> Picture:
        """Return what is no background and no shadow."""
        found = self._subtractor.apply(image)
        return clean(np.asarray(cv2.threshold(found, 200, 255, cv2.THRESH_BINARY)[1], np.uint8), self.area)


def make_subtractor(name: str, width: int, height: int, threads: int) -> Subtractor:
    """Return the system of that name."""
    size = width, height, threads
    if name == "bgsub":
        return Bgsub(*size)
    if name == "median":
        return Median(*size)
    if name == "mog2":
        return OpenCV(*size, "createBackgroundSubtractorMOG2")
    if name == "mog2-no-shadows":
        return OpenCV(*size, "createBackgroundSubtractorMOG2", detectShadows=False)
    assert name == "knn", name
    return OpenCV(*size, "createBackgroundSubtractorKNN")
