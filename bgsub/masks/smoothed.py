"""The difference of smoothed pictures, only where it is asked for: in dynamic background."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined
from bgsub.frames.source import Image

WINDOW = 9
"""Pixels: over a window of this side ripples, leaves and sensor noise cancel, while an object stays what it is."""
REACH = WINDOW // 2
AREA = WINDOW * WINDOW
TILE = 16
"""Side of the squares that are smoothed or left out as a whole, pixels."""

GAP = 6
"""Tiles that are smoothed rather than left out, between others."""


@dataclass(frozen=True, slots=True, eq=False)
class SmoothedDifference:
    """Pixels whose surroundings are compared instead of themselves.

    Attributes
    ----------
    places
        ``(height, width)`` bool: these pixels.
    blocks
        ``(n, 4)`` int64: first and end row, first and end column of rectangles that hold them all.
    """

    places: NDArray[np.bool_]
    blocks: NDArray[np.int64]

    @classmethod
    def of(cls, places: NDArray[np.bool_]) -> SmoothedDifference:
        """Return *places* with rows of tiles around them."""
        height, width = places.shape
        padded = np.pad(places, ((0, -height % TILE), (0, -width % TILE)))
        tiles = padded.reshape(padded.shape[0] // TILE, TILE, -1, TILE).any(axis=(1, 3))
        # A block costs as much as a gap of some tiles. Not SciPy's closing, which takes half a second to import.
        framed = np.pad(tiles.astype(np.uint8), ((0, 0), (GAP, GAP)))
        joined = cv2.morphologyEx(framed, cv2.MORPH_CLOSE, np.ones((1, GAP + 1), np.uint8))
        edges = np.diff(joined[:, GAP:-GAP].astype(np.int8), axis=1, prepend=0, append=0)
        rows, first = np.nonzero(edges > 0)
        ends = np.nonzero(edges < 0)[1]
        blocks = TILE * np.stack([rows, rows + 1, first, ends], axis=1).astype(np.int64)
        return cls(places, np.minimum(blocks, [height, height, width, width]))

    def put(self, image: Image, background: Image, difference: NDArray[np.uint8]) -> None:
        """Write the channel maximum of |mean image − mean background| to these pixels of *difference*, in place.

        Parameters
        ----------
        image, background
            ``(height, width, 3)`` or ``(height, width)`` uint8, grey levels.
        difference
            ``(height, width)`` uint8, grey levels, rounded.

        Notes
        -----
        Means over windows of WINDOW × WINDOW pixels, the border being repeated outwards. Cost: some eight 16-bit
        additions for each value in the blocks and a margin of REACH around them; nothing elsewhere.
        """
        height, width = difference.shape
        channels = image.size // difference.size
        pictures = (np.ascontiguousarray(each).reshape(height, -1) for each in (image, background))
        scratch = np.empty((3, (width + 2 * REACH) * channels), np.int16)
        _put(*pictures, self.places, self.blocks, channels, difference, scratch)


@compiled
def _put(
    image: NDArray[np.uint8],
    background: NDArray[np.uint8],
    places: NDArray[np.bool_],
    blocks: NDArray[np.int64],
    channels: int,
    difference: NDArray[np.uint8],
    scratch: NDArray[np.int16],
) -> None:
    height, size = image.shape
    for n in range(len(blocks)):
        top, bottom, first, end = blocks[n, 0], blocks[n, 1], blocks[n, 2], blocks[n, 3]
        low, high = (first - REACH) * channels, (end + REACH) * channels
        inner, outer = max(low, 0), min(high, size)
        columns = scratch[0, : high - low]
        inside = columns[inner - low : outer - low]
        for i in range(len(inside)):
            inside[i] = 0
        for row in range(top - REACH, top + REACH):
            y = min(max(row, 0), height - 1)
            _add(image[y, inner:outer], background[y, inner:outer], inside)
        for row in range(top, bottom):
            y = min(row + REACH, height - 1)
            _add(image[y, inner:outer], background[y, inner:outer], inside)
            _repeat_border(columns, inner - low, outer - low, channels)
            _join(columns, channels, scratch[1])
            _join(scratch[1, : len(columns)], 3 * channels, scratch[2])
            sums, largest = scratch[2, : (end - first) * channels], scratch[1, : end - first]
            _take(sums, channels, places[row, first:end], largest, difference[row, first:end])
            y = max(row - REACH, 0)
            _add(background[y, inner:outer], image[y, inner:outer], inside)


@inlined
def _add(first: NDArray[np.uint8], second: NDArray[np.uint8], sums: NDArray[np.int16]) -> None:
    for i in range(len(sums)):
        sums[i] += np.int16(first[i]) - np.int16(second[i])


@inlined
def _repeat_border(sums: NDArray[np.int16], first: int, end: int, channels: int) -> None:
    for i in range(first - 1, -1, -1):
        sums[i] = sums[i + channels]
    for i in range(end, len(sums)):
        sums[i] = sums[i - channels]


@inlined
def _join(sums: NDArray[np.int16], step: int, joined: NDArray[np.int16]) -> None:
    """Fill *joined* with sums of three values *step* apart; twice, of nine."""
    size = len(sums) - 2 * step
    # Slices: an index that is itself a sum keeps the loop from being vectorised.
    _add_three(sums[:size], sums[step : step + size], sums[2 * step : 2 * step + size], joined[:size])


@inlined
def _add_three(
    first: NDArray[np.int16], second: NDArray[np.int16], third: NDArray[np.int16], total: NDArray[np.int16]
) -> None:
    for i in range(len(total)):
        total[i] = first[i] + second[i] + third[i]


@inlined
def _take(
    sums: NDArray[np.int16],
    channels: int,
    places: NDArray[np.bool_],
    largest: NDArray[np.int16],
    difference: NDArray[np.uint8],
) -> None:
    _absolute(sums)
    if channels == 3:
        _largest(sums, largest)
    else:
        largest = sums
    for i in range(len(places)):
        # The area is odd: no mean lies halfway.
        mean = np.uint8((np.uint16(largest[i]) + AREA // 2) // AREA)
        difference[i] = mean if places[i] else difference[i]


@inlined
def _absolute(sums: NDArray[np.int16]) -> None:
    for i in range(len(sums)):
        sums[i] = abs(sums[i])


@inlined
def _largest(sums: NDArray[np.int16], largest: NDArray[np.int16]) -> None:
    for i in range(len(largest)):
        largest[i] = max(sums[3 * i], sums[3 * i + 1], sums[3 * i + 2])
