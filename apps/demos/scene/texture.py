"""Noise that looks like surfaces: the same seed gives the same surface."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
"""``(height, width)`` or ``(height, width, 3)`` RGB, grey levels, not yet rounded."""


def rgb(red: float, green: float, blue: float) -> Picture:
    """Return three numbers that multiply, or are added to, the colours of a picture."""
    return np.array((red, green, blue), np.float32)


def fractal(
    rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float], octaves: int = 4
) -> Picture:
    """Return noise of mean 0 and standard deviation 1, summed over octaves of falling size.

    Parameters
    ----------
    rng
        Source of randomness.
    shape
        ``(height, width)`` in pixels.
    cell
        Size of the largest grains, ``(rows, columns)`` in pixels; unequal numbers give a grain direction.
    octaves
        Each halves the grains and takes 0.65 of the amplitude.
    """
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        rows = max(int(shape[0] / cell[0] * 2**octave), 2)
        columns = max(int(shape[1] / cell[1] * 2**octave), 2)
        grid = rng.standard_normal((min(rows, shape[0]), min(columns, shape[1])), dtype=np.float32)
        grown = cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
        total += 0.65**octave * grown
    return np.asarray((total - total.mean()) / total.std(), np.float32)


def surface(
    rng: np.random.Generator,
    shape: tuple[int, int],
    colour: tuple[float, float, float],
    grain: tuple[float, float, float],
) -> Picture:
    """Return a coloured surface with coarse, middle and fine roughness (*grain*: standard deviations)."""
    unit = shape[0] / 240
    coarse, middle, fine = grain
    rough = coarse * fractal(rng, shape, (30 * unit, 55 * unit), 3)
    rough = rough + middle * fractal(rng, shape, (7 * unit, 10 * unit), 3)
    rough = rough + fine * fractal(rng, shape, (2 * unit, 2 * unit), 2)
    return np.asarray(np.float32(colour) + rough[..., None], np.float32)
