"""What a scene's shadows and lights look like: their share of the usual light, learned where it is much the same."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Self, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled
from bgsub.frames.source import Image
from bgsub.masks.decisions import DECIDED

DARK = 2.0
"""Grey levels added to both pictures: in the dark a step of the file is no ratio."""
ENTIRE = 0.9
"""Share of what hangs together that is in one light, from which on there is no thing beside the light."""
BIN, DEEPEST = 0.05, -3.0
"""Of the histograms of the logarithm of the light."""

Float = TypeVar("Float", np.float32, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """The light that falls on places of a scene now and then, as a share of what usually does.

    Attributes
    ----------
    darkest, brightest
        Logarithms of the least and the largest share of the light: of a shadow, 0 or below, and of a reflection or a
        lamp, 0 or above.
    tint
        ``(channels,)`` float32: by how much the logarithm of each channel's share differs from their mean, times that
        mean; they sum up to 0. What the sun does not reach is lit by the sky.
    """

    darkest: float
    brightest: float
    tint: NDArray[np.float32]

    @property
    def values(self) -> NDArray[np.float32]:
        """``(2 + channels,)`` float32: *darkest*, *brightest* and *tint*, as a file keeps them."""
        return np.array([self.darkest, self.brightest, *self.tint], np.float32)

    @classmethod
    def of_values(cls, values: NDArray[np.float32]) -> Self | None:
        """Return the shade of such *values*; None of none."""
        if not len(values):
            return None
        return cls(float(values[0]), float(values[1]), np.asarray(values[2:], np.float32))

    def fits(self, cells: Cells) -> NDArray[np.bool_]:
        """Tell which cells are in such a light; all of them calm."""
        return np.asarray(self._may_be(cells) & cells.even(3, DECIDED.calm))

    def places(self, cells: Cells) -> NDArray[np.bool_]:
        """Tell which cells are shadow: those that fit, and what is alike beside them, where an object ends the calm."""
        lit = self._may_be(cells)
        calm = lit & cells.even(3, DECIDED.calm)
        count = _window_sum(calm.astype(np.float32), 3)
        total = _window_sum(cells.logs * calm[..., None], 3).reshape(cells.logs.shape)
        apart = _largest(np.abs(cells.logs - total / np.maximum(count, 1)[..., None]))
        return np.asarray(calm | (lit & (count > 0) & (apart < DECIDED.tint)))

    def _may_be(self, cells: Cells) -> NDArray[np.bool_]:
        """Tell which cells are in a light between the darkest and the brightest, and of that colour."""
        lit = cells.light
        off = _largest(np.abs(cells.logs - lit[..., None] * (1 + self.tint)))
        inside = (lit >= self.darkest) & (lit <= self.brightest) & (off < DECIDED.tint)
        found = cells.covered & inside
        return np.asarray(found & cells.textured() if cells.is_gray else found)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A picture in squares of some pixels: what part of the background's light is left in its foreground.

    Attributes
    ----------
    logs
        ``(rows, columns, channels)`` float32: log (I + DARK)/(B + DARK) of the means over the foreground of a cell.
    covered
        ``(rows, columns)`` bool: the cells that lie in the foreground for the most part.
    image
        Like *logs*: log (I + DARK).
    """

    logs: NDArray[np.float32]
    covered: NDArray[np.bool_]
    image: NDArray[np.float32]

    @classmethod
    def of(cls, image: Image, background: Image, mask: NDArray[np.uint8], side: int) -> Self:
        """Return the cells of *side* × *side* pixels of a frame.

        Parameters
        ----------
        image, background
            ``(height, width, 3)`` or ``(height, width)`` uint8.
        mask
            ``(height, width)`` uint8, 0 or 255.
        """
        height, width = mask.shape
        shape = -(-height // side), -(-width // side)
        logs = np.zeros((*shape, image.size // mask.size), np.float32)
        seen, covered = np.zeros_like(logs), np.zeros(shape, np.bool_)
        planes = [np.ascontiguousarray(each).reshape(height, width, -1) for each in (image, background)]
        _fill(*planes, mask, side, DECIDED.covered, logs, seen, covered)
        return cls(logs, covered, seen)

    @property
    def light(self) -> NDArray[np.float32]:
        """``(rows, columns)`` float32: the mean of *logs* over the channels."""
        return np.asarray(sum(np.moveaxis(self.logs, 2, 0)) / np.float32(self.logs.shape[2]), np.float32)

    def even(self, window: int, most: float) -> NDArray[np.bool_]:
        """Tell where *logs* vary by at most so much within a window of covered cells (standard deviation)."""
        return np.asarray(self._variance(self.logs, window) <= most**2)

    def _variance(self, values: NDArray[np.float32], window: int) -> NDArray[np.float32]:
        """Return the variance within windows of covered cells, the largest of the channels."""
        # In double precision: the variance of noise is a millionth of the square of a logarithm.
        weight = self.covered.astype(np.float64)
        count = np.maximum(_window_sum(weight, window), 1)[..., None]
        counted = values * weight[..., None]
        mean, square = (
            _window_sum(each, window).reshape(values.shape) / count for each in (counted, counted * values)
        )
        return _largest(np.asarray(square - mean * mean, np.float32))

    def certain(self) -> NDArray[np.bool_]:
        """Tell where it is the light that differs, whatever the scene: where no thing would look as even.

        Within DECIDED.shade_window cells the share of the light varies by DECIDED.even at most, is much the same in all
        channels, and varies less than the picture does: otherwise it may be a thing of one colour on smooth ground.
        Far less, where there is no colour to tell.
        """
        side = DECIDED.shade_window
        enough = _window_sum(self.covered.astype(np.float32), side) > side
        variance = self._variance(self.logs, side)
        colour = _largest(np.abs(self.logs - self.light[..., None]))
        even = variance <= DECIDED.even**2
        # What differs no more than it may vary has the usual light.
        even &= (colour <= DECIDED.sky * np.abs(self.light)) & (np.abs(self.light) > DECIDED.even)
        most = DECIDED.relief_in_gray if self.is_gray else DECIDED.relief
        return np.asarray(self.covered & enough & even & self.textured(most))

    def with_a_thing(self) -> NDArray[np.bool_]:
        """Tell which cells hang together with some that are in no light.

        What is in one light from end to end is no light beside a thing, but a thing itself, faint perhaps.
        """
        lit = self.covered & self.even(3, DECIDED.calm)
        labels = np.asarray(
            cv2.connectedComponents(self.covered.astype(np.uint8), connectivity=8)[1], np.int32
        )
        cells, light = (np.bincount(labels.ravel(), each.ravel()) for each in (self.covered, lit))
        return np.asarray((light < ENTIRE * np.maximum(cells, 1))[labels])

    @property
    def is_gray(self) -> bool:
        """Whether all channels are the same, so that there is no colour to tell."""
        return all(np.array_equal(self.logs[..., 0], each) for each in np.moveaxis(self.logs, 2, 0)[1:])

    def textured(self, most: float = 1.0) -> NDArray[np.bool_]:
        """Tell where the share of the light varies less than *most* of what the picture does: it is the ground's."""
        of_light, of_picture = (
            self._variance(each, DECIDED.shade_window) for each in (self.logs, self.image)
        )
        return np.asarray(of_light < most * of_picture)


def cell_side(shape: tuple[int, int]) -> int:
    """Return the side of a cell in a picture of ``(height, width)``, pixels.

    It grows with the root of the picture's: larger pictures show more of a scene as well as more of each thing.
    """
    return max(1, round(math.sqrt(min(shape) / DECIDED.cell)))


def _largest(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the largest of the channels: plane by plane, since NumPy reduces a short last axis slowly."""
    return np.asarray(reduce(np.maximum, np.moveaxis(values, 2, 0)), np.float32)


def _window_sum(values: NDArray[Float], side: int) -> NDArray[Float]:
    summed = cv2.boxFilter(values, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(summed, values.dtype)


def learn_shade(frames: Iterable[Cells]) -> Shade | None:
    """Return what the shadows of some frames have in common; None where none is certain.

    Notes
    -----
    The sun, the sky or the lamps of a scene leave all its shadows about one share of the light, in one colour. Certain
    places tell that colour, by least squares, and those shares of the light at which at least DECIDED.sure of what
    looks like shadow is certain: a thing may be as even as a shadow once, but then most of what is as dark is no
    shadow at all. The same goes for light that is gained, a reflection, or a lamp that passes, if some of what it hangs
    together with is in no light.
    """
    all_frames = list(frames)
    # A shadow may come in without what casts it; a lamp and a reflection come with a thing.
    certain = [
        cells.logs[cells.certain() & (cells.with_a_thing() | (cells.light < 0))] for cells in all_frames
    ]
    logs = np.concatenate(certain) if certain else np.zeros((0, 1), np.float32)
    light = logs.mean(axis=1)
    if not len(light):
        return None
    tint = (logs - light[:, None]).T @ light / (light @ light)
    anywhere = Shade(DEEPEST, -DEEPEST, np.asarray(tint, np.float32))
    found = np.stack([_histogram(each.mean(axis=1)) for each in certain])
    alike = np.stack([_histogram(cells.light[anywhere.fits(cells)]) for cells in all_frames])
    sure = (found > 0).sum(axis=0) >= DECIDED.seen
    sure &= found.sum(axis=0) >= DECIDED.sure * alike.sum(axis=0)
    if not sure.any():
        return None
    bins = np.flatnonzero(sure)
    # Between the usual light and any other lies its penumbra.
    return Shade(min(_edge(bins[0]), 0.0), max(_edge(bins[-1] + 1), 0.0), anywhere.tint)


def _edge(number: int) -> float:
    """Return the logarithm of the light at the lower edge of a bin."""
    return DEEPEST + BIN * float(number)


def _histogram(light: NDArray[np.float32]) -> NDArray[np.float32]:
    bins = round(-2 * DEEPEST / BIN)
    counts = np.histogram(light, bins, (DEEPEST, -DEEPEST))[0].astype(np.float32)
    return np.asarray(cv2.blur(counts[None], (5, 1), borderType=cv2.BORDER_CONSTANT)[0], np.float32)


@compiled
def _fill(
    image: NDArray[np.uint8],
    background: NDArray[np.uint8],
    mask: NDArray[np.uint8],
    side: int,
    least: float,
    logs: NDArray[np.float32],
    seen: NDArray[np.float32],
    covered: NDArray[np.bool_],
) -> None:
    """Fill the cells that have foreground in them."""
    height, width, channels = image.shape
    for row in range(logs.shape[0]):
        for column in range(logs.shape[1]):
            bottom, right = min(height, (row + 1) * side), min(width, (column + 1) * side)
            count = 0
            for y in range(row * side, bottom):
                for x in range(column * side, right):
                    count += 1 if mask[y, x] else 0
            if count == 0:
                continue
            pixels = (bottom - row * side) * (right - column * side)
            covered[row, column] = count >= least * pixels
            for c in range(channels):
                total, usual = 0, 0
                for y in range(row * side, bottom):
                    for x in range(column * side, right):
                        if mask[y, x]:
                            total += image[y, x, c]
                            usual += background[y, x, c]
                seen[row, column, c] = np.log(total / count + DARK)
                logs[row, column, c] = seen[row, column, c] - np.log(usual / count + DARK)
