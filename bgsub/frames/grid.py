"""Pixels ↔ rows: which values of a picture make up one column of the video matrix.

A picture is first brought to the wanted channels, then scaled as a whole, then cut to the region. The cut
comes last, so a region never changes the values inside it. The rows of a column are the pixels of the smallest
box around the region, line by line, channels together: ``vector.reshape(height, width, channels)`` is that box.
Pixels of the box that are not inside the region are 0 in every column and in everything that comes out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.errors import InputError, OptionError
from bgsub.frames.region import Box, Mask, resolved, select
from bgsub.frames.source import Image
from bgsub.options.areas import encode_mask, read_areas

Areas = Box | tuple[str, ...] | None


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
    roi, exclude
        What is looked at, and what of it is not: areas as :func:`.read_areas` reads them, in pixels of the
        incoming picture. The region is the union of the first (all of the picture when there is none) without the
        union of the second. Kept as texts, each picture in place of its file's name, or None.

    Raises
    ------
    OptionError
        A side or the scale is impossible, an area does not fit the picture, or nothing is left.
    """

    width: int
    height: int
    color: bool
    scale: float = 1.0
    roi: Areas = None
    exclude: Areas = None
    _box: Box = field(init=False, repr=False, compare=False)
    _inside: Mask | None = field(init=False, repr=False, compare=False)

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
        size = self.width, self.height
        roi = resolved(read_areas(self.roi or ()) or (), size, "region")
        exclude = resolved(read_areas(self.exclude or ()) or (), size, "excluded region")
        box, inside = select(roi, exclude, size, self.frame_shape)
        values = {"roi": roi or None, "exclude": exclude or None, "_box": box, "_inside": inside}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def frame_shape(self) -> tuple[int, int]:
        """``(height, width)`` of the whole scaled picture."""
        return max(1, round(self.height * self.scale)), max(1, round(self.width * self.scale))

    @property
    def region(self) -> Box:
        """``(y0, y1, x0, x1)`` of the smallest box around the region in the scaled picture, half-open."""
        return self._box

    @property
    def shape(self) -> tuple[int, int]:
        """``(height, width)`` of that box."""
        y0, y1, x0, x1 = self._box
        return y1 - y0, x1 - x0

    @property
    def inside(self) -> Mask | None:
        """``shape`` bool: which pixels of the box lie inside the region; None when all do."""
        return self._inside

    @property
    def pixels(self) -> int:
        """Pixels inside the region."""
        height, width = self.shape
        return height * width if self._inside is None else int(np.count_nonzero(self._inside))

    @property
    def is_partial(self) -> bool:
        """Whether a pixel of the picture lies outside the region."""
        return self._inside is not None or self.shape != self.frame_shape

    @property
    def outline(self) -> NDArray[np.uint8] | None:
        """``frame_shape`` uint8, 255 inside the region and 0 outside; None when the region is a rectangle."""
        if self._inside is None:
            return None
        return self.scatter_mask(np.where(self._inside, 255, 0).astype(np.uint8))

    @property
    def outline_text(self) -> str | None:
        """The same as a PNG of one bit a pixel, a ``data:`` address; None when the region is a rectangle."""
        return None if (outline := self.outline) is None else encode_mask(outline)

    @property
    def channels(self) -> int:
        """3 in colour, else 1."""
        return 3 if self.color else 1

    @property
    def rows(self) -> int:
        """Values per column: pixels of the box × channels."""
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

    def cut(
        self, resampled: Image, out: NDArray[np.uint8] | None = None, *, blank: bool = True
    ) -> NDArray[np.uint8]:
        """Return the rows of a picture that :meth:`resample` made.

        Parameters
        ----------
        resampled
            As :meth:`resample` returns it.
        out
            ``(rows,)`` uint8 to write to and return; allocated when None.
        blank
            Whether pixels of the box outside the region become 0. They stay for what moves the picture before it is
            looked at: a region does not begin where the frame shows it.
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
        """Return the rows of a picture of the incoming size: :meth:`cut` of :meth:`resample`."""
        return self.cut(self.resample(image), out, blank=blank)

    def blank(self, columns: NDArray[np.uint8]) -> None:
        """Make what lies outside the region 0 in ``(n, rows)`` uint8 *columns*, in place."""
        if self._inside is not None:
            outside = ~self._inside.reshape(-1)
            for column in columns:
                column.reshape(len(outside), -1)[outside] = 0

    def scatter(self, vector: NDArray[np.uint8], fill: int = 0) -> Image:
        """Return the whole scaled picture with *vector*, ``(rows,)`` uint8, in the region and *fill* outside.

        Values of *vector* outside the region do not count. The inverse of :meth:`cut`. C-contiguous, ``frame_shape``
        in gray, ``frame_shape + (3,)`` in colour; never shares memory with *vector*.
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
    """Narrow what OpenCV's stubs leave open; its output has the dtype of its input, here always uint8."""
    assert isinstance(array, np.ndarray)
    return array
