"""How much of a component is light: a gain and an offset of the scene that change little over the picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LIGHT = 0.7
"""Share of a component that gains and offsets must explain, for it to be light. At .6 a person who fills half of a gray
picture is light."""
FEWEST = 8
"""Pixels of a row that tell its light."""


def light_share(
    component: NDArray[np.float32], scene: NDArray[np.float32], places: NDArray[np.float64]
) -> float:
    """Return how much of a component is light.

    A change of light moves a pixel from b to g·b + o (exposure, gain, haze; see Horprasert, Harwood and Davis 1999).
    What a curtain or a crowd does has no such relation to what is seen there. Least squares, a channel at a time:
    the larger R² of v ≈ (g₀ + g₁x + g₂y)·b + o₀ + o₁x + o₂y, a lamp at one side, a cloud that comes, and v ≈ g(y)·b: a
    lamp that flickers while the rows of a sensor are read out makes bands.

    Parameters
    ----------
    component, scene
        ``(pixels, channels)``: v and b at sampled pixels.
    places
        ``(pixels, 2)``: x and y of these, from −½ to ½ over the picture.

    Returns
    -------
    The share of ‖v‖², 0 to 1; 0 for a component of zeros.
    """
    return max(_explained(component, scene, places), _explained_by_rows(component, scene, places[:, 1]))


def is_light(share: float) -> bool:
    """Tell whether so much light is nothing but light."""
    return share >= LIGHT


def light_basis(scene: NDArray[np.floating], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what light is made of, ``(pixels, 2 + 2d)``: b, b times each of d *places*, 1, and each of the places."""
    linear = np.hstack([np.ones((len(places), 1)), places])
    return np.hstack([linear * scene[:, None], linear])


def _explained(
    component: NDArray[np.float32], scene: NDArray[np.float32], places: NDArray[np.float64]
) -> float:
    left_over = total = 0.0
    for v, b in zip(component.T.astype(np.float64), scene.T.astype(np.float64), strict=True):
        regressors = light_basis(b, places)
        found = np.linalg.lstsq(regressors, v, rcond=None)[0]
        left_over += float(np.sum((v - regressors @ found) ** 2))
        total += float(v @ v)
    return 1 - left_over / total if total else 0.0


def _explained_by_rows(
    component: NDArray[np.float32], scene: NDArray[np.float32], rows: NDArray[np.float64]
) -> float:
    """Return R² of a gain for each row; 0 where rows have too few pixels to tell one."""
    _, row = np.unique(rows, return_inverse=True)
    if len(row) < FEWEST * (row.max(initial=0) + 1):
        return 0.0
    v, b = component.astype(np.float64), scene.astype(np.float64)
    common, power = (np.bincount(row, (each * b).sum(axis=1)) for each in (v, b))
    total = float(np.sum(v * v))
    return float(np.sum(common**2 / np.maximum(power, 1e-12))) / total if total else 0.0
