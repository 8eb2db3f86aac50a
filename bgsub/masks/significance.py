"""How significant a difference is: in units of what the empty scene does at that place by itself."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled, inlined
from bgsub.frames.difference import channel_difference
from bgsub.frames.source import Image
from bgsub.masks.clean import MEDIAN
from bgsub.masks.decisions import DECIDED, Decisions

SIDE = 3
"""Pixels: differences are means over windows of this side, in which noise and small shifts cancel."""
AREA = SIDE * SIDE
QUANTISATION = 0.5
"""Grey levels: half a step of the file, below which no deviation is known."""
AROUND = 9
"""Pixels: a place deviates, not a pixel."""
FINEST, STEP = 0.1, 0.03
"""Least significance told apart, and the step of its logarithm: 256 of them reach 200."""
SMOOTHING = 0.2
"""Standard deviation of the kernel that the distribution of the log significance is smoothed with."""


def local_difference(
    image: Image, background: Image, difference: NDArray[np.uint8] | None = None
) -> NDArray[np.uint16]:
    """Return how far a place differs: its mean over a window, but no more than the pixel itself.

    In the mean over SIDE × SIDE pixels noise and small shifts cancel; the pixel's own difference keeps the outline.

    Parameters
    ----------
    image, background
        ``(height, width, 3)`` or ``(height, width)`` uint8, grey levels.
    difference
        ``(height, width)`` uint8: their channel maximum of |image − background|, if it is known.

    Returns
    -------
    ``(height, width)`` uint16, grey levels times AREA, exact: min(AREA · difference, channel maximum of |Σ image −
    Σ background|), the border being repeated outwards.
    """
    height, width = image.shape[:2]
    if difference is None:
        difference = channel_difference(image, background)
    channels = image.size // difference.size
    planes = [np.ascontiguousarray(each).reshape(height, -1) for each in (image, background)]
    found = np.empty((height, width), np.uint16)
    _local(*planes, difference, channels, found, np.empty((SIDE + 2, (width + 2) * channels), np.int16))
    return found


@compiled
def _local(
    image: NDArray[np.uint8],
    background: NDArray[np.uint8],
    difference: NDArray[np.uint8],
    channels: int,
    found: NDArray[np.uint16],
    scratch: NDArray[np.int16],
) -> None:
    """Fill *found* row by row; *scratch* holds three rows of differences, a pixel wider on either side, and sums."""
    height, size = image.shape
    columns, sums = scratch[SIDE], scratch[SIDE + 1, :size]
    _signed(image[0], background[0], channels, scratch[0])
    for i in range(scratch.shape[1]):
        scratch[2, i] = scratch[0, i]
    for y in range(height):
        below = min(y + 1, height - 1)
        # The row above the first one is that row again, as is the one below the last.
        _signed(image[below], background[below], channels, scratch[(y + 1) % 3])
        _add_three(scratch[0], scratch[1], scratch[2], columns)
        _add_three(columns[:size], columns[channels : size + channels], columns[2 * channels :], sums)
        _absolute(sums)
        if channels == 3:
            _smaller(difference[y], sums[::3], sums[1::3], sums[2::3], found[y])
        else:
            _smaller(difference[y], sums, sums, sums, found[y])


@inlined
def _signed(
    image: NDArray[np.uint8], background: NDArray[np.uint8], channels: int, row: NDArray[np.int16]
) -> None:
    inner = row[channels : channels + len(image)]
    for i in range(len(image)):
        inner[i] = np.int16(image[i]) - np.int16(background[i])
    for c in range(channels):
        row[c] = row[channels + c]
        row[len(row) - channels + c] = row[len(row) - 2 * channels + c]


@inlined
def _add_three(
    first: NDArray[np.int16], second: NDArray[np.int16], third: NDArray[np.int16], total: NDArray[np.int16]
) -> None:
    for i in range(len(total)):
        total[i] = first[i] + second[i] + third[i]


@inlined
def _absolute(sums: NDArray[np.int16]) -> None:
    for i in range(len(sums)):
        sums[i] = abs(sums[i])


@inlined
def _smaller(
    own: NDArray[np.uint8],
    first: NDArray[np.int16],
    second: NDArray[np.int16],
    third: NDArray[np.int16],
    found: NDArray[np.uint16],
) -> None:
    for i in range(len(found)):
        largest = max(first[i], second[i], third[i])
        found[i] = min(np.uint16(largest), np.uint16(AREA) * np.uint16(own[i]))


def ordinary_deviation(
    residuals: NDArray[np.float32], inside: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """Return what a difference is measured in: half of what the place and the picture ordinarily deviate by.

    Parameters
    ----------
    residuals
        ``(height, width)`` float32, grey levels: the median |frame − background| of each pixel over the frames that
        show the ground.
    inside
        ``(height, width)`` bool: the pixels that count; None for all.

    Returns
    -------
    ``(height, width)`` float32, grey levels: (c + r)/2, r being the mean of *residuals* around a pixel and c its
    median over the picture. A place that moves no more than others has c; one that moves far more needs half as much
    significance as it would if its own deviation alone were the unit, since what moves there has no Gaussian tail.
    """
    around = window_mean(residuals, AROUND, inside)
    usual = np.median(around if inside is None else around[inside]) if around.size else 0.0
    usual = max(float(usual), QUANTISATION)
    return np.asarray((usual + np.minimum(around, DECIDED.most * usual)) / 2, np.float32)


def window_mean(
    values: NDArray[np.float32], side: int, inside: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """Return the mean over windows of *side* × *side* pixels, of those *inside* if given; 0 where there are none."""
    size, border = (side, side), cv2.BORDER_REPLICATE
    if inside is None:
        return np.asarray(cv2.blur(values, size, borderType=border), np.float32)
    counted = inside.astype(np.float32)
    weight = cv2.blur(counted, size, borderType=border)
    total = cv2.blur(np.where(inside, values, np.float32(0)), size, borderType=border)
    return np.asarray(total / np.maximum(weight, 1e-6), np.float32)


def log_significance(difference: NDArray[np.uint16], ordinary: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return round(log(z / FINEST) / STEP) of the significance z = difference / (AREA · ordinary), median-filtered.

    The median of MEDIAN × MEDIAN pixels and a threshold change places: above any level lies what would be left of a
    mask of that level. ``(height, width)`` uint8, 0 for z ≤ FINEST.
    """
    z = difference.astype(np.float32)
    z *= 1 / (AREA * FINEST * ordinary)
    levels = cv2.log(np.maximum(z, 1))
    return np.asarray(cv2.medianBlur(cv2.convertScaleAbs(levels, alpha=1 / STEP), MEDIAN), np.uint8)


def stable_level(
    significances: Iterable[NDArray[np.uint8]], inside: NDArray[np.bool_] | None = None
) -> float:
    """Return the significance at which the foreground depends least on the threshold.

    Parameters
    ----------
    significances
        Of some frames, as :func:`log_significance` returns them.
    inside
        ``(height, width)`` bool: the pixels that count; None for all.

    Notes
    -----
    With A(z) the share of pixels beyond z, the hazard h = −d log A / d log z is the share of the foreground that a
    slightly higher threshold loses. It is large in the noise, whose tail falls fast, and again among the objects; in
    between lies a valley (the maximally stable extremal regions of Matas, Chum, Urban and Pajdla, BMVC 2002, of a
    whole scene). The level minimises h(z) + confidence · log²(z / level), where *unseen* more of the picture is taken
    to lie beyond all z.
    """
    counts = np.zeros(256)
    for each in significances:
        values = each if inside is None else each[inside]
        counts += np.bincount(values.reshape(-1), minlength=256)
    return level_of(counts, DECIDED)


def level_of(counts: NDArray[np.float64], decisions: Decisions) -> float:
    """Return the stable level of ``(256,)`` *counts* of log significances, by the numbers of *decisions*."""
    z = FINEST * np.exp(STEP * np.arange(256))
    density = counts / max(counts.sum(), 1.0) / STEP
    beyond = STEP * np.cumsum(density[::-1])[::-1]
    hazard = (_smoothed(density) + decisions.unseen) / (_smoothed(beyond) + decisions.unseen)
    cost = hazard + decisions.confidence * np.log(z / decisions.level) ** 2
    low, high = decisions.range
    cost[(z < low) | (z > high)] = np.inf
    return float(z[np.argmin(cost)])


def level_index(level: float) -> int:
    """Return the largest log significance that is not beyond *level*."""
    return int(np.clip(np.rint(np.log(level / FINEST) / STEP), 0, 255))


def _smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    reach = int(4 * SMOOTHING / STEP)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * STEP / SMOOTHING) ** 2)
    return np.convolve(np.pad(values, reach, mode="edge"), kernel / kernel.sum(), "valid")
