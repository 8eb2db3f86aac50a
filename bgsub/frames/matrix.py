"""Video frames as the columns of a matrix, stored transposed.

The paper's M is pixels × frames. Its transpose is kept in memory, one frame after the other: writing a frame
is one contiguous copy, and reading one back does not touch every cache line of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bgsub.base.plural import count_of
from bgsub.errors import OptionError


class FrameMatrix:
    """A ``(capacity, rows)`` C-ordered uint8 array that is filled frame by frame.

    Parameters
    ----------
    capacity
        Maximum number of frames, at least 1.
    rows
        Values per frame: pixels × channels, at least 1; see :attr:`bgsub.frames.grid.Grid.rows`.

    Raises
    ------
    OptionError
        *capacity* or *rows* is less than 1, or there is not enough memory.
    """

    __slots__ = ("_count", "_values")

    def __init__(self, capacity: int, rows: int) -> None:
        if capacity < 1 or rows < 1:
            raise OptionError(f"a frame matrix needs at least 1 frame of 1 row, got {_size(capacity, rows)}")
        try:
            self._values = np.empty((capacity, rows), np.uint8)
        except MemoryError:
            size = self.nbytes_for(capacity, rows) / 2**30
            raise OptionError(
                f"there is no room for {_size(capacity, rows)}, which need {size:.1f} GiB; "
                "use fewer columns, a smaller scale or a region"
            ) from None
        self._count = 0

    @staticmethod
    def nbytes_for(capacity: int, rows: int) -> int:
        """Return the bytes that a matrix of this size takes, before it is allocated."""
        return capacity * rows

    @property
    def capacity(self) -> int:
        """Maximum number of frames."""
        return self._values.shape[0]

    @property
    def rows(self) -> int:
        """Values per frame."""
        return self._values.shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes allocated, filled or not."""
        return self._values.nbytes

    @property
    def is_full(self) -> bool:
        """True if :meth:`append` would fail."""
        return self._count == self.capacity

    def __len__(self) -> int:
        """Return the number of frames appended."""
        return self._count

    @property
    def frames(self) -> NDArray[np.uint8]:
        """The filled part, ``(n, rows)`` uint8, C-ordered: a view, valid until the next change."""
        return self._values[: self._count]

    def append(self, vector: NDArray[np.uint8]) -> None:
        """Append a copy of one frame, ``(rows,)`` uint8.

        Raises
        ------
        ValueError
            The matrix is full, or *vector* has another shape or dtype.
        """
        if self.is_full:
            raise ValueError(f"the matrix is full: it holds {count_of(self.capacity, 'frame')}")
        if vector.shape != (self.rows,) or vector.dtype != np.uint8:
            raise ValueError(f"expected ({self.rows},) uint8, got {vector.shape} {vector.dtype}")
        self._values[self._count] = vector
        self._count += 1

    def discard_every_other(self) -> None:
        """Keep frames 0, 2, 4 …, in place and in order: half of the frames, still evenly spread.

        A sampler that does not know the length of the video calls this when the matrix is full, and from then
        on takes only every other frame. Costs one copy of half of the matrix and no extra memory.
        """
        self.keep(range(0, self._count, 2))

    def keep(self, wanted: Iterable[int]) -> None:
        """Keep the frames with these increasing indices, in place and in order; only frames that move are copied."""
        kept = 0
        for kept, index in enumerate(wanted, 1):
            if kept - 1 != index:
                self._values[kept - 1] = self._values[index]
        self._count = kept


def _size(capacity: int, rows: int) -> str:
    return f"{count_of(capacity, 'frame')} of {count_of(rows, 'row')}"
