"""The light where the centre is not the median: a component knows what stood there, not how the ground is lit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgsub.background.light.gain import is_light, light_basis, light_share

PIXELS = 20_000
"""Looked at elsewhere, evenly spread: a dozen numbers are to be found from them."""


def lit_where_replaced(
    components: NDArray[np.float32],
    coefficients: NDArray[np.float32],
    centre: NDArray[np.float32],
    replaced: NDArray[np.bool_],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return components that light the ground, where it was put in, as they light everything else; and coefficients.

    Parameters
    ----------
    components
        ``(rows, k)`` float32, orthonormal.
    coefficients
        ``(n, k)`` float32: of the frames, along them.
    centre
        ``(rows,)`` float32, grey levels.
    replaced
        ``(height, width)`` bool: where the centre is the ground instead of the median.

    Notes
    -----
    What stands somewhere and comes or goes is most of the variation there, and a component takes it for light: the
    ground would get darker as everything gets brighter. So a component that is light (:func:`.is_light`) is put
    to v = (g₀ + g₁x + g₂y)·b + o₀ + o₁x + o₂y there, found by least squares elsewhere. The components are made
    orthonormal again, and coefficients follow, so that their product stays what it is elsewhere.
    """
    height, width = replaced.shape
    pixels = replaced.reshape(-1)
    elsewhere = np.flatnonzero(~pixels)
    if not (components.shape[1] and pixels.any() and elsewhere.size):
        return components, coefficients
    some = elsewhere[:: max(1, elsewhere.size // PIXELS)]
    scene = centre.reshape(height * width, -1)
    lit = components.reshape(height * width, -1, components.shape[1]).copy()
    for component in np.moveaxis(lit, 2, 0):
        if is_light(light_share(component[some], scene[some], _places(some, replaced.shape))):
            _light(component, scene, some, np.flatnonzero(pixels), replaced.shape)
    orthonormal, factors = np.linalg.qr(lit.reshape(components.shape))
    return np.ascontiguousarray(orthonormal, np.float32), (coefficients @ factors.T).astype(np.float32)


def _light(
    component: NDArray[np.float32],
    scene: NDArray[np.float32],
    some: NDArray[np.intp],
    pixels: NDArray[np.intp],
    shape: tuple[int, int],
) -> None:
    """Put the light found at *some* pixels to others of a component, ``(pixels, channels)``, in place."""
    for channel in range(scene.shape[1]):
        known = light_basis(scene[some, channel], _places(some, shape))
        found = np.linalg.lstsq(known, component[some, channel].astype(np.float64), rcond=None)[0]
        component[pixels, channel] = light_basis(scene[pixels, channel], _places(pixels, shape)) @ found


def _places(pixels: NDArray[np.intp], shape: tuple[int, int]) -> NDArray[np.float64]:
    y, x = np.divmod(pixels, shape[1])
    return np.stack([x / shape[1], y / shape[0]], axis=1) - 0.5
