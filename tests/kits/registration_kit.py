"""Made-up scenes for the tests of registration: a textured picture, moved by what is known."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

HEIGHT, WIDTH = 120, 160


def texture(height: int = HEIGHT, width: int = WIDTH, seed: int = 0) -> NDArray[np.uint8]:
    """Return a gray picture with contrast at every scale."""
    return _texture(height, width, seed).copy()


@cache
def _texture(height: int, width: int, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    picture = np.full((height, width), 128.0)
    for size, weight in ((1.5, 18), (4, 28), (12, 30)):
        layer = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), size)
        picture += weight * layer / layer.std()
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def motion_of(
    x: float, y: float, turn: float = 0.0, grow: float = 0.0, size: tuple[int, int] = (HEIGHT, WIDTH)
) -> NDArray[np.float64]:
    """Return a shift with a turn (radians) and a change of scale about the middle of the picture."""
    c, s = (1 + grow) * np.cos(turn), (1 + grow) * np.sin(turn)
    linear = np.array([[c, -s], [s, c]])
    middle = np.array([(size[1] - 1) / 2, (size[0] - 1) / 2])
    return np.column_stack([linear, middle + np.array([x, y]) - linear @ middle])


def seen_from(
    picture: NDArray[np.uint8], motion: NDArray[np.float64], noise: float = 0.0
) -> NDArray[np.uint8]:
    """Return the frame that shows *picture* under *motion*, mirrored at the border, with sensor noise."""
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, motion, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    noisy = moved + np.random.default_rng(9).normal(0, noise, picture.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def corner_error(first: NDArray[np.float64], second: NDArray[np.float64], size: tuple[int, ...]) -> float:
    """Return the largest distance in pixels between where two motions put a corner."""
    corners = [(x, y, 1) for x in (0, size[1] - 1) for y in (0, size[0] - 1)]
    return max(float(np.linalg.norm(first @ corner - second @ corner)) for corner in corners)


def shaken(
    count: int, amplitude: float, size: tuple[int, int] = (HEIGHT, WIDTH), seed: int = 1
) -> tuple[NDArray[np.uint8], list[NDArray[np.float64]]]:
    """Return ``(count, height, width)`` noisy frames of a textured scene, shifted at random, and their motions."""
    rng = np.random.default_rng(seed)
    scene = texture(*size)
    motions = [motion_of(*rng.normal(0, amplitude, 2), size=size) for _ in range(count)]
    frames = [np.clip(seen_from(scene, motion) + rng.normal(0, 2, size), 0, 255) for motion in motions]
    return np.stack(frames).astype(np.uint8), motions
