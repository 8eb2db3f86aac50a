"""Where things are: a camera on a pole above a street, its horizon at the top edge of the picture.

All positions are in *reference pixels*: the picture is 240 of them high, whatever its real size. A thing that
stands on the ground at row y appears (y − HORIZON) / CAMERA_HEIGHT reference pixels per metre tall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""``(n, 2)`` corners of a polygon, x to the right."""

REFERENCE_HEIGHT = 240.0
HORIZON = 2.0
CAMERA_HEIGHT = 6.8
"""Metres above the ground."""

FACADE_FOOT = 76.0
FAR_CURB = 99.0
NEAR_CURB = 168.0
GRASS = 205.0
"""Rows at which the far pavement, the road, the near pavement and the grass begin."""

SUN = (0.60, 0.22)
"""Shift of a shadow, to the right and down the picture, per unit of height."""


def pixels_per_metre(row: float) -> float:
    """Return the scale of what stands on the ground at *row* (reference pixels per metre)."""
    return (row - HORIZON) / CAMERA_HEIGHT


def capsule(start: tuple[float, float], end: tuple[float, float], radius: float, tip: float = 1.0) -> Points:
    """Return the outline of a limb: a stadium that narrows from *radius* to *tip* × *radius*."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    angle = float(np.arctan2(b[1] - a[1], b[0] - a[0]))
    turn = np.linspace(np.pi / 2, 3 * np.pi / 2, 9) + angle
    half = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.concatenate([a + radius * half, b - tip * radius * half])


def ellipse(centre: tuple[float, float], rx: float, ry: float) -> Points:
    """Return the outline of an upright ellipse, 28 corners."""
    turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    return np.asarray(centre, float) + np.stack([rx * np.cos(turn), ry * np.sin(turn)], axis=1)


def rounded(corners: list[tuple[float, float]], times: int = 3) -> Points:
    """Round a polygon by cutting its corners (Chaikin); keeps the middle half of every edge."""
    points = np.asarray(corners, float)
    for _ in range(times):
        following = np.roll(points, -1, axis=0)
        cut = [0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following]
        points = np.stack(cut, axis=1).reshape(-1, 2)
    return points
