"""The systems that give a mask for every frame, each with the same cleaning of the mask: bgsub's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmark.clip import Picture
from bgsub.comparison import subtractors as shared
from bgsub.comparison.subtractors import THRESHOLD

if TYPE_CHECKING:
    from benchmark.footage import TimedSource

__all__ = ["THRESHOLD", "Subtractor", "make_subtractor"]


class Subtractor:
    """A system. One that does not look at the clip beforehand has nothing to fit and nothing to keep."""

    def fit(self, source: TimedSource) -> None:
        """Look at the clip."""

    def save(self, path: Path) -> None:
        """Keep what was seen."""

    def load(self, path: Path) -> None:
        """Read what was kept."""

    def mask(self, image: Picture) -> Picture:
        """Return the cleaned mask of a frame."""
        raise NotImplementedError

    def masks(self, images: Sequence[Picture]) -> list[Picture]:
        """Return the cleaned masks of frames that follow each other."""
        return [self.mask(image) for image in images]


class Bgsub(Subtractor):
    """bgsub with default options."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
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

    def masks(self, images: Sequence[Picture]) -> list[Picture]:
        """Return the masks, found as the program finds them: several frames at a time."""
        import bgsub
        from bgsub.base.parallel import mapped
        from bgsub.run.budget import workers

        workers = workers(bgsub.Options(threads=self.threads))
        return [mask for _, mask in mapped(self.mask, images, workers)]


class Online(Subtractor):
    """A system that learns all the way; it takes the frames as they are."""

    def __init__(self, subtractor: shared.Subtractor) -> None:
        self._subtractor = subtractor

    def mask(self, image: Picture) -> Picture:
        """Return what the subtractor finds."""
        return self._subtractor.mask(image)


class Still(Subtractor):
    """The median of some frames, and a fixed threshold."""

    def __init__(self, median: shared.Median) -> None:
        self._median = median

    def fit(self, source: TimedSource) -> None:
        """Take the median of frames evenly spread over the clip."""
        every = -(-source.frames // shared.SAMPLED)
        self._median.fit([frame.image for frame in source if frame.index % every == 0])

    def save(self, path: Path) -> None:
        """Keep the median."""
        np.savez(path, median=self._median.median)

    def load(self, path: Path) -> None:
        """Read a median."""
        with np.load(path) as arrays:
            self._median.median = arrays["median"]

    def mask(self, image: Picture) -> Picture:
        """Return where a channel deviates by more than THRESHOLD."""
        return self._median.mask(image)


def make_subtractor(name: str, width: int, height: int, threads: int) -> Subtractor:
    """Return the system of that name."""
    cv2.setNumThreads(threads)
    if name == "bgsub":
        return Bgsub(threads)
    if name == "median":
        return Still(shared.Median(width, height))
    if name == "mog2-no-shadows":
        return Online(shared.OpenCV(width, height, shared.OPENCV["mog2"], detectShadows=False))
    return Online(shared.OpenCV(width, height, shared.OPENCV[name]))
