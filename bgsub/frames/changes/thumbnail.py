"""Thumbnails of about a thousand cells, which are compared from frame to frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.base.jit import compiled
from bgsub.frames.source import Image

COLUMNS, ROWS = 40, 30
"""Most cells of a thumbnail: a person at medium distance covers one or two."""
LINES = 8
"""Lines per cell that are read from a large image."""

Thumbnail = NDArray[np.float32]


def thumbnail(image: Image) -> Thumbnail:
    """Return the ``(ROWS, COLUMNS)`` float32 luma of *image*, averaged over each cell; smaller for smaller images.

    Grey levels, whole numbers. The cells are as equal in size as whole pixels allow. Cost: one addition per
    value of at most ``2·LINES·ROWS`` lines. OpenCV's area resizing takes six times as long if a side is not a
    multiple of the cells.
    """
    height, width = image.shape[:2]
    lines = np.ascontiguousarray(image).reshape(height, -1)
    means = np.empty((min(ROWS, height), min(COLUMNS, width), image.size // (height * width)), np.float32)
    _average(lines, max(1, height // (LINES * ROWS)), means, np.empty(lines.shape[1], np.uint16))
    gray = cv2.cvtColor(means, cv2.COLOR_RGB2GRAY) if image.ndim == 3 else means[:, :, 0]
    return np.rint(gray)


@compiled
def _average(
    lines: NDArray[np.uint8], step: int, means: NDArray[np.float32], strip: NDArray[np.uint16]
) -> None:
    """Write the mean of every *step*-th line of each cell; *strip* accumulates the lines of one row of cells."""
    rows, columns, channels = means.shape
    height, width = -(-lines.shape[0] // step), lines.shape[1] // channels
    for row in range(rows):
        top, bottom = row * height // rows, (row + 1) * height // rows
        for i in range(len(strip)):
            strip[i] = 0
        for y in range(top, bottom):
            line = lines[y * step]
            for i in range(len(strip)):
                strip[i] += line[i]
        for column in range(columns):
            first, end = column * width // columns, (column + 1) * width // columns
            for channel in range(channels):
                total = 0
                for x in range(first, end):
                    total += strip[x * channels + channel]
                means[row, column, channel] = total / ((bottom - top) * (end - first))
