"""Rotation and mirroring that turn a stored picture upright."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bgsub.frames.source import Image


@dataclass(frozen=True, slots=True)
class Orientation:
    """One of the eight combinations of right-angle rotation and mirroring.

    The image is transposed first, then its columns and its rows are reversed.

    Attributes
    ----------
    transpose, flip_columns, flip_rows
        Which of the three to apply.
    """

    transpose: bool = False
    flip_columns: bool = False
    flip_rows: bool = False

    @classmethod
    def from_display_matrix(cls, data: bytes) -> Orientation:
        """Return the orientation nearest to a display matrix (ISO/IEC 14496-12, ``tkhd``).

        The matrix is nine int32, native byte order. Its upper left part [[a, b], [c, d]] maps the stored
        pixel (x, y) to (a x + c y, b x + d y), y pointing down; scale and offset are ignored.

        Parameters
        ----------
        data
            The 36 bytes of FFmpeg's ``DISPLAYMATRIX`` side data; any other length, and a matrix of zeros,
            give the identity.
        """
        if len(data) != 36:
            return cls()
        a, b, _, c, d, *_ = (int(entry) for entry in np.frombuffer(data, np.int32))
        if abs(b) + abs(c) > abs(a) + abs(d):
            return cls(transpose=True, flip_columns=c < 0, flip_rows=b < 0)
        return cls(flip_columns=a < 0, flip_rows=d < 0)

    @classmethod
    def from_degrees(cls, degrees: int) -> Orientation:
        """Return the rotation by 0, 90, 180 or 270 degrees clockwise."""
        across = degrees in (90, 270)
        return cls(transpose=across, flip_columns=degrees in (90, 180), flip_rows=degrees in (180, 270))

    @property
    def rotation(self) -> int:
        """Degrees clockwise: 0, 90, 180 or 270. A mirrored image is rotated first, then mirrored."""
        if self.transpose:
            return 270 if self.flip_rows else 90
        return 180 if self.flip_rows else 0

    def apply(self, image: Image) -> Image:
        """Return the upright image, C-contiguous; *image* itself if it already is."""
        if self.transpose:
            image = image.swapaxes(0, 1)
        if self.flip_columns:
            image = image[:, ::-1]
        if self.flip_rows:
            image = image[::-1]
        return np.ascontiguousarray(image)
