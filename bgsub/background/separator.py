"""A background made ready: every frame of its camera is held against it."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.background.coefficients import Coefficients
from bgsub.background.data import Background
from bgsub.background.frame import check_frame
from bgsub.background.light.relight import FrameLight
from bgsub.background.predict import predict
from bgsub.background.separated import Separated
from bgsub.background.stabilise.aligner import Aligner, Parts
from bgsub.base.parallel import mapped
from bgsub.frames.colour import is_gray
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.clean import default_min_area
from bgsub.masks.detector import Detector
from bgsub.masks.shade import Shade
from bgsub.masks.shadow import cast_shadow
from bgsub.masks.small_objects import Persistence
from bgsub.masks.thresholds import Thresholds


class Separator:
    """Holds frames against a background. Prepared once; it remembers nothing of a frame.

    Parameters
    ----------
    background
        What a fit has found.

    Attributes
    ----------
    thresholds
        Those of each pixel.
    """

    def __init__(self, background: Background) -> None:
        self._background, self._grid = background, background.grid
        grid = self._grid
        self._shape = (*grid.shape, 3) if grid.channels == 3 else grid.shape
        # What lies outside the region is 0 in every frame and in every component, and tells nothing.
        inside = None if grid.inside is None else np.repeat(grid.inside, grid.channels)
        self._coefficients = Coefficients.of(
            background.offset, background.components, background.outlier, background.seed, inside
        )
        self._aligner = (
            None
            if background.reference is None
            else Aligner.of(background.reference, background.stabilise, grid.shape, grid.inside)
        )
        given = background.min_area
        self._min_area = default_min_area(grid.pixels) if given is None else given
        self.thresholds = _thresholds(background)
        self._detector = Detector(self.thresholds, self._min_area)
        self._stack = np.ascontiguousarray(background.components.T)
        # Without components every frame has this background, and they share it.
        self._still = self._predicted(background.typical)
        self._light = FrameLight(self._still, self.thresholds.limits, grid.inside)
        # A view: passes over an array that cannot be written to would be compiled once more.
        self._shared = self._still.view()
        self._shared.flags.writeable = False
        self._shade = Shade.of_values(background.shade)
        self._takes_gray = is_gray(self._still)

    @property
    def plate(self) -> Image:
        """A copy of the picture of the empty scene."""
        return self._grid.scatter(self._still)

    def stream(
        self, frames: Iterable[Image], threads: int = 1, *, shared: bool = False
    ) -> Generator[Separated, None, None]:
        """Hold the frames of a clip against the background, in order: see :meth:`.BackgroundModel.stream`."""
        persistence = Persistence()
        # Whoever fills one array again and again must find the frames in work as they were.
        kept = frames if threads == 1 else (np.array(frame) for frame in frames)
        for _, parts in mapped(lambda frame: self(frame, shared), kept, threads):
            yield parts.after(persistence)

    def __call__(self, frame: Image, shared: bool = False) -> Separated:
        """Hold a frame against the background, whatever came before it."""
        check_frame(frame, self._grid, self._takes_gray)
        image = self._grid.resample(frame)
        still = self._aligner is None
        rows = self._grid.cut(image, blank=still) if self._grid.is_partial else image.reshape(-1)
        region = rows.reshape(self._shape)
        parts = self._detected(region) if self._aligner is None else self._aligner(region, self._detected)
        background, difference, mask = parts.background, parts.difference, parts.mask
        shadow, small_objects = parts.shadow, parts.small_objects
        if background is self._still:
            background = self._shared if shared else background.copy()
        if self._grid.is_partial:
            background, difference, mask = (
                self._grid.scatter(background),
                self._grid.scatter_mask(difference),
                self._grid.scatter_mask(mask),
            )
            shadow, small_objects = (
                None if each is None else self._grid.scatter_mask(each) for each in (shadow, small_objects)
            )
        return Separated(
            image,
            background,
            difference,
            mask,
            shadow,
            small_objects,
            parts.coefficients,
            parts.registered,
            parts.blind,
        )

    def _detected(self, region: Image) -> Parts:
        """Hold the region of a frame against the background."""
        found = self._coefficients(region.reshape(-1))
        background = self._picture(found)
        lit = self._light.lit(region, background)
        if lit is None:
            difference, mask = channel_difference(region, background), np.zeros(self._grid.shape, np.uint8)
            return Parts(background, difference, mask, None, None, found, blind=True)
        background = lit
        difference, mask = self._detector(region, background)
        shadow = None
        if self._background.shadows != "keep":
            shadow = cast_shadow(region, background, mask, self._shade, self._min_area)
            mask = np.asarray(cv2.subtract(mask, shadow), np.uint8)
        # Who has said what the smallest object is does not want smaller ones.
        small_objects = self._detector.small_objects(difference, mask, shadow, self._background.min_area or 0)
        return Parts(background, difference, mask, shadow, small_objects, found)

    def _picture(self, coefficients: NDArray[np.float32]) -> Image:
        """Return x(coefficients) as a picture of the region, not to be written to."""
        return self._still if self._background.rank == 0 else self._predicted(coefficients)

    def _predicted(self, coefficients: NDArray[np.float32]) -> Image:
        picture = np.empty(self._grid.rows, np.uint8)
        predict(self._background.offset, self._stack, coefficients, picture)
        return picture.reshape(self._shape)


def _thresholds(background: Background) -> Thresholds:
    if background.threshold is not None:
        return Thresholds.fixed(background.grid.shape, background.threshold)
    return Thresholds.of(
        background.ordinary, background.level, background.sensitivity, background.grid.inside
    )
