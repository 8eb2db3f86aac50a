"""Pixels ↔ rows: which values of a picture make up one column of the video matrix.

A picture is first brought to the wanted channels, then scaled as a whole, then cut to the region. The cut
comes last, so a region never changes the values inside it. The rows of a column are the pixels of the region,
line by line, channels together: ``vector.reshape(height, width, channels)`` is the region.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.frames.source import Image

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """The pixels of a picture that take part.

    Attributes
    ----------
    width, height
        Pixels of the pictures that come in.
    color
        Three channels (RGB) when true, one (luma 0.299 R + 0.587 G + 0.114 B) when false, whatever comes in.
    scale
        Factor for both sides, 0 < scale ≤ 1; the scaled sides are rounded to whole pixels. Area averaging.
    roi
        ``(x, y, width, height)`` of the region of interest in pixels of the incoming picture (right and lower
        edge excluded), or None for all of it. It keeps at least one pixel, however small the scale.

    Raises
    ------
    OptionError
        A side, the scale or the region is impossible.
    """

    width: int
    height: int
    color: bool
    scale: float = 1.0
    roi: Box | None = None

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise OptionError(f"a picture has at least 1 × 1 pixel, got {self.width} × {self.height}")
        if not (math.isfinite(self.scale) and 0 < self.scale <= 1):
            raise OptionError(f"scale must be greater than 0 and at most 1, got {self.scale:g}")
        if min(self.width * self.scale, self.height * self.scale) < 0.5:
            raise OptionError(
                f"scale {self.scale:g} leaves nothing of {self.width} × {self.height} pixels; "
                f"use at least {1 / min(self.width, self.height):.3g}"
            )
        if self.roi is not None:
            _check_roi(self.roi, self.width, self.height)

    @property
    def frame_shape(self) -> tuple[int, int]:
        """``(height, width)`` of the whole scaled picture."""
        return max(1, round(self.height * self.scale)), max(1, round(self.width * self.scale))

    @property
    def region(self) -> Box:
        """``(y0, y1, x0, x1)`` of the region in the scaled picture, half-open."""
        height, width = self.frame_shape
        if self.roi is None:
            return 0, height, 0, width
        x, y, w, h = self.roi
        return *_scaled_span(y, h, self.height, height), *_scaled_span(x, w, self.width, width)

    @property
    def shape(self) -> tuple[int, int]:
        """``(height, width)`` of the region in the scaled picture."""
        y0, y1, x0, x1 = self.region
        return y1 - y0, x1 - x0

    @property
    def channels(self) -> int:
        """3 in colour, else 1."""
        return 3 if self.color else 1

    @property
    def rows(self) -> int:
        """Values per column: pixels of the region × channels."""
        height, width = self.shape
        return height * width * self.channels

    def resample(self, image: Image) -> Image:
        """Return the whole picture in the wanted channels and scale.

        Parameters
        ----------
        image
            ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8, of the size that comes in.

        Returns
        -------
        Image
            ``frame_shape`` or ``frame_shape + (3,)``, uint8, C-contiguous; *image* itself when there is
            nothing to do.

        Raises
        ------
        InputError
            The picture has another size.
        """
        if image.shape[:2] != (self.height, self.width):
            got = " × ".join(str(side) for side in image.shape[1::-1])
            raise InputError(f"expected pictures of {self.width} × {self.height} pixels, got one of {got}")
        height, width = self.frame_shape
        if image.ndim == 3 and not self.color:
            image = _as_image(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
        if image.shape[:2] != (height, width):
            image = _as_image(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
        if image.ndim == 2 and self.color:
            image = _as_image(cv2.cvtColor(image, cv2.COLOR_GRAY2RGB))
        return np.ascontiguousarray(image)

    def cut(self, resampled: Image, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the rows of a picture that :meth:`resample` made.

        Parameters
        ----------
        resampled
            As :meth:`resample` returns it.
        out
            ``(rows,)`` uint8 to write to and return; allocated when None.
        """
        y0, y1, x0, x1 = self.region
        if out is None:
            out = np.empty(self.rows, np.uint8)
        region = resampled[y0:y1, x0:x1]
        out.reshape(region.shape)[...] = region
        return out

    def gather(self, image: Image, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the rows of a picture of the incoming size: :meth:`cut` of :meth:`resample`."""
        return self.cut(self.resample(image), out)

    def scatter(self, vector: NDArray[np.uint8], fill: int = 0) -> Image:
        """Return the whole scaled picture with *vector*, ``(rows,)`` uint8, in the region and *fill* outside.

        The inverse of :meth:`cut`. C-contiguous, ``frame_shape`` in gray, ``frame_shape + (3,)`` in colour;
        never shares memory with *vector*.
        """
        shape = (*self.shape, 3) if self.color else self.shape
        return self._embed(vector.reshape(shape), fill)

    def scatter_mask(self, mask: NDArray[np.uint8], fill: int = 0) -> NDArray[np.uint8]:
        """Return the ``frame_shape`` plane with *mask* (``shape``, uint8) in the region, *fill* outside."""
        return self._embed(mask.reshape(self.shape), fill)

    def _embed(self, region: NDArray[np.uint8], fill: int) -> NDArray[np.uint8]:
        if self.shape == self.frame_shape:
            return region.copy()
        y0, y1, x0, x1 = self.region
        whole = np.full((*self.frame_shape, *region.shape[2:]), fill, np.uint8)
        whole[y0:y1, x0:x1] = region
        return whole


def _check_roi(roi: Box, width: int, height: int) -> None:
    x, y, w, h = roi
    if w < 1 or h < 1:
        raise OptionError(
            f"the region {x},{y},{w},{h} is empty: its width and height must be at least 1 pixel"
        )
    if x < 0 or y < 0 or x + w > width or y + h > height:
        raise OptionError(
            f"the region {x},{y},{w},{h} (x,y,width,height) reaches outside the picture, "
            f"which is {width} × {height} pixels"
        )


def _scaled_span(start: int, length: int, whole: int, scaled: int) -> tuple[int, int]:
    """Scale the half-open span *start* … *start + length* from *whole* to *scaled* pixels, at least 1."""
    first = min(round(start * scaled / whole), scaled - 1)
    last = round((start + length) * scaled / whole)
    return first, max(last, first + 1)


def _as_image(array: object) -> Image:
    """Narrow what OpenCV's stubs leave open; its output has the dtype of its input, here always uint8."""
    assert isinstance(array, np.ndarray)
    return array
