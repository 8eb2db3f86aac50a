"""Pixels ↔ rows: which values of an image make up one column of the video matrix.

An image is first converted to the requested channels, then scaled as a whole, then cropped to the region.
Cropping comes last, so a region never changes the values inside it. The rows of a column are the pixels of
the bounding box of the region in raster order, channels interleaved:
``vector.reshape(height, width, channels)`` is that box. Pixels of the box outside the region are 0 in every
column that is fitted and in all output.
"""

from __future__ import annotations

import math
from dataclasses import InitVar, dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.frames.read.limits import MOST_PIXELS
from bgsub.frames.region import Box, Mask, resolved, select
from bgsub.frames.source import Image
from bgsub.options.areas import encode_mask, read_areas

Areas = Box | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Grid:
    """The pixels of an image that are processed.

    Attributes
    ----------
    width, height
        Size of the incoming images in pixels.
    color
        Three channels (RGB) if true, one (luma 0.299 R + 0.587 G + 0.114 B) if false, whatever comes in.
    scale
        Factor for both sides, 0 < scale ≤ 1, by area averaging; the scaled sides are rounded to whole pixels.
    roi, exclude
        Areas to process and to leave out, as :func:`.read_areas` reads them, in pixels of the incoming image.
        The region is the union of *roi* (the whole image if there is none) minus the union of *exclude*.
        Stored as texts, with image files replaced by their contents, or None.
    max_pixels
        Pixels that such an image may have at most; it is not kept.

    Raises
    ------
    OptionError
        A side or the scale is invalid, an area does not fit the image, or the region is empty.
    """

    width: int
    height: int
    color: bool
    scale: float = 1.0
    roi: Areas = None
    exclude: Areas = None
    max_pixels: InitVar[int] = MOST_PIXELS
    _box: Box = field(init=False, repr=False, compare=False)
    _inside: Mask | None = field(init=False, repr=False, compare=False)

    def __post_init__(self, max_pixels: int) -> None:
        if self.width < 1 or self.height < 1:
            raise OptionError(f"a picture has at least 1 × 1 pixel, got {self.width} × {self.height}")
        if not (math.isfinite(self.scale) and 0 < self.scale <= 1):
            raise OptionError(f"scale must be greater than 0 and at most 1, got {self.scale:g}")
        if min(self.width * self.scale, self.height * self.scale) < 0.5:
            raise OptionError(
                f"scale {self.scale:g} leaves nothing of {self.width} × {self.height} pixels; "
                f"use at least {1 / min(self.width, self.height):.3g}"
            )
        size = self.width, self.height
        roi = resolved(read_areas(self.roi or ()) or (), size, "region", max_pixels)
        exclude = resolved(read_areas(self.exclude or ()) or (), size, "excluded region", max_pixels)
        box, inside = select(roi, exclude, size, self.frame_shape)
        values = {"roi": roi or None, "exclude": exclude or None, "_box": box, "_inside": inside}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def frame_shape(self) -> tuple[int, int]:
        """``(height, width)`` of the whole scaled image."""
        return max(1, round(self.height * self.scale)), max(1, round(self.width * self.scale))

    @property
    def region(self) -> Box:
        """``(y0, y1, x0, x1)``, half-open: bounding box of the region in the scaled image."""
        return self._box

    @property
    def shape(self) -> tuple[int, int]:
        """``(height, width)`` of the bounding box."""
        y0, y1, x0, x1 = self._box
        return y1 - y0, x1 - x0

    @property
    def inside(self) -> Mask | None:
        """``shape`` bool: the pixels of the box inside the region; None if all are."""
        return self._inside

    @property
    def pixels(self) -> int:
        """Number of pixels inside the region."""
        height, width = self.shape
        return height * width if self._inside is None else int(np.count_nonzero(self._inside))

    @property
    def is_partial(self) -> bool:
        """True if the region does not cover the whole image."""
        return self._inside is not None or self.shape != self.frame_shape

    @property
    def outline(self) -> NDArray[np.uint8] | None:
        """``frame_shape`` uint8, 255 inside the region and 0 outside; None for a rectangular region."""
        if self._inside is None:
            return None
        return self.scatter_mask(np.where(self._inside, 255, 0).astype(np.uint8))

    @property
    def outline_text(self) -> str | None:
        """:attr:`outline` as a ``data:`` URL of a 1-bit PNG; None for a rectangular region."""
        return None if (outline := self.outline) is None else encode_mask(outline)

    @property
    def channels(self) -> int:
        """3 for colour, 1 for gray."""
        return 3 if self.color else 1

    @property
    def rows(self) -> int:
        """Values per column: pixels of the box × channels."""
        height, width = self.shape
        return height * width * self.channels

    def resample(self, image: Image) -> Image:
        """Return the whole image with the grid's channels and scale.

        Parameters
        ----------
        image
            ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8, of the incoming size.

        Returns
        -------
        Image
            ``frame_shape`` or ``frame_shape + (3,)``, uint8, C-contiguous; *image* itself if nothing needs to be done.

        Raises
        ------
        InputError
            The image has another size.
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

    def cut(
        self, resampled: Image, out: NDArray[np.uint8] | None = None, *, blank: bool = True
    ) -> NDArray[np.uint8]:
        """Return the rows of an image returned by :meth:`resample`.

        Parameters
        ----------
        resampled
            As returned by :meth:`resample`.
        out
            ``(rows,)`` uint8 to write to and return; allocated if None.
        blank
            Whether to set pixels of the box outside the region to 0. They are kept for motion compensation,
            which may move them into the region.
        """
        y0, y1, x0, x1 = self._box
        if out is None:
            out = np.empty(self.rows, np.uint8)
        region = resampled[y0:y1, x0:x1]
        if self._inside is None or not blank:
            out.reshape(region.shape)[...] = region
        else:
            out[...] = 0
            cv2.copyTo(region, self._inside.view(np.uint8), out.reshape(region.shape))
        return out

    def gather(
        self, image: Image, out: NDArray[np.uint8] | None = None, *, blank: bool = True
    ) -> NDArray[np.uint8]:
        """Return the rows of an incoming image: :meth:`cut` of :meth:`resample`."""
        return self.cut(self.resample(image), out, blank=blank)

    def blank(self, columns: NDArray[np.uint8]) -> None:
        """Set the pixels outside the region to 0 in ``(n, rows)`` uint8 *columns*, in place."""
        if self._inside is not None:
            outside = ~self._inside.reshape(-1)
            for column in columns:
                column.reshape(len(outside), -1)[outside] = 0

    def scatter(self, vector: NDArray[np.uint8], fill: int = 0) -> Image:
        """Return the whole scaled image with *vector*, ``(rows,)`` uint8, in the region and *fill* outside.

        The inverse of :meth:`cut`; values of *vector* outside the region are ignored. C-contiguous,
        ``frame_shape`` for gray, ``frame_shape + (3,)`` for colour; never shares memory with *vector*.
        """
        shape = (*self.shape, 3) if self.color else self.shape
        return self._embed(vector.reshape(shape), fill)

    def scatter_mask(self, mask: NDArray[np.uint8], fill: int = 0) -> NDArray[np.uint8]:
        """Return the ``frame_shape`` plane with *mask* (``shape``, uint8) in the region, *fill* outside."""
        return self._embed(mask.reshape(self.shape), fill)

    def _embed(self, box: NDArray[np.uint8], fill: int) -> NDArray[np.uint8]:
        if not self.is_partial:
            return box.copy()
        y0, y1, x0, x1 = self._box
        whole = np.full((*self.frame_shape, *box.shape[2:]), fill, np.uint8)
        if self._inside is None:
            whole[y0:y1, x0:x1] = box
        else:
            cv2.copyTo(box, self._inside.view(np.uint8), whole[y0:y1, x0:x1])
        return whole


def _as_image(array: object) -> Image:
    """Narrow the type that OpenCV's stubs leave open: output has the dtype of the input, here always uint8."""
    assert isinstance(array, np.ndarray)
    return array
