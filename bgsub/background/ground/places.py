"""Connected places of a picture, each in a box of its own."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[slice, slice]

LEAST_AREA = 4e-4
"""Share of the picture below which a place has no outline to speak of."""
MOST_AREA = 0.25
"""Share of the picture above which it is light that changes."""
MARGIN = 12
"""Pixels around a place that tell what it is surrounded by."""


def find_places(where: NDArray[np.bool_]) -> list[tuple[Box, NDArray[np.bool_]]]:
    """Return the connected places that are large enough: a box with a margin, and the place in it as bool."""
    labels, kept, stats = _labelled(where)
    height, width = where.shape
    places = []
    for index in kept:
        x, y, w, h = stats[index, :4]
        rows, columns = (
            slice(max(y - MARGIN, 0), min(y + h + MARGIN, height)),
            slice(max(x - MARGIN, 0), min(x + w + MARGIN, width)),
        )
        box = rows, columns
        places.append((box, (labels[box] == index) & where[box]))
    return places


def _labelled(where: NDArray[np.bool_]) -> tuple[NDArray[np.int32], list[int], NDArray[np.int32]]:
    closed = cv2.morphologyEx(where.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    least = max(LEAST_AREA * where.size, 12)
    areas = stats[:, cv2.CC_STAT_AREA]
    kept = [index for index in range(1, count) if least <= areas[index] <= MOST_AREA * where.size]
    return np.asarray(labels, np.int32), kept, np.asarray(stats, np.int32)
