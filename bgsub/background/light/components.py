"""Which components of the solved low-rank part belong to the background: those that are light on the whole picture.

A large slow object, or a curtain, has as much energy as a change of light, and a component that follows it makes it
vanish from the masks. Light shows at most pixels at once, in proportion to what is seen there; objects do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bgsub.background.light.gain import LIGHT, is_light, light_share
from bgsub.background.scene.noise import Residual

EXPLAINED = 0.2
"""A pixel follows a component that carries this share of its variation."""
COVERAGE = 0.35
"""A component is global when this share of the pixels follows it."""
PLAIN = 1.0
"""Outlier levels of contrast in the scene, below which its texture tells nothing."""
TEXTURE = 0.4
"""Correlation with the scene from which on its texture is still there. In light it reads 0.86 to 0.99; where a truck
stands before the camera, 0.1."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is seen at the sampled pixels.

    Attributes
    ----------
    centre
        ``(rows,)`` float32 of the whole picture, grey levels.
    rows
        ``(m,)`` indices of the sampled rows, whole pixels.
    shape
        ``(height, width, channels)``.
    always
        Leading components that are kept in any case (the background itself, when the ball is not centred).
    """

    centre: NDArray[np.float32]
    rows: NDArray[np.int64]
    shape: tuple[int, int, int]
    always: int = 0

    @property
    def places(self) -> NDArray[np.float64]:
        """``(pixels, 2)``: x and y of the sampled pixels, from −½ to ½ over the picture."""
        height, width, channels = self.shape
        y, x = np.divmod(self.rows[::channels] // channels, width)
        return np.stack([x / width, y / height], axis=1) - 0.5

    def values(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return ``(pixels, channels)`` of a ``(rows,)`` picture."""
        return picture[self.rows].reshape(-1, self.shape[2])


def followed(
    components: NDArray[np.float32], residual: Residual, outlier: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the frames' coefficients, ``(n, k)`` float32, and which sampled pixels follow each component.

    Those of whose variation it carries at least EXPLAINED: ``(k, pixels)`` bool.

    Parameters
    ----------
    components
        ``(rows, k)`` float32, right singular vectors of X′.
    residual
        Sampled rows of frames − centre.
    outlier
        Grey levels: larger deviations count as this much, as they do in the fit.
    """
    # In single precision: the sample is as large as all that a fit keeps of small pictures.
    clipped = np.clip(residual.values, np.float32(-outlier), np.float32(outlier))
    parts = np.ascontiguousarray(components[residual.rows].T)
    norms = np.einsum("ij,ij->i", parts, parts)
    coefficients = clipped @ parts.T / np.maximum(norms, np.float32(1e-30))
    energy = np.einsum("ij,ij->j", coefficients, coefficients)
    explained = _per_pixel(parts**2, residual) * energy[:, None]
    variation = _per_pixel(np.einsum("ij,ij->j", clipped, clipped)[None], residual)
    felt = (explained >= EXPLAINED * np.maximum(variation, 1e-12)) & (norms > 0)[:, None]
    return coefficients, felt


def texture_kept(
    coefficients: NDArray[np.float32],
    felt: NDArray[np.bool_],
    residual: Residual,
    scene: Scene,
    outlier: float,
) -> float:
    """Return the correlation of what is seen with the scene, where and when a component is felt most.

    Light leaves a place its texture; a thing before it has another, and no camera sees it without noise. 1 where the
    scene has too little texture to tell, or the picture is clipped and has no contrast at all.

    Parameters
    ----------
    coefficients
        ``(n,)``: of the frames, along the component.
    felt
        ``(pixels,)`` bool: the sampled pixels that follow it.
    residual, scene, outlier
        As for :func:`select`.
    """
    rows = np.repeat(felt, residual.channels)
    usual = scene.centre[scene.rows][rows].astype(np.float64)
    if not len(usual) or usual.std() < PLAIN * outlier:
        return 1.0
    seen = residual.values[np.argmax(np.abs(coefficients)), rows] + usual
    return float(np.corrcoef(seen, usual)[0, 1]) if seen.std() > 0 else 1.0


def select(
    components: NDArray[np.float32],
    residual: Residual,
    outlier: float,
    rank: int | None,
    scene: Scene,
) -> tuple[NDArray[np.int64], str]:
    """Return the indices of the components to keep and the reason in words.

    Parameters
    ----------
    components
        ``(rows, k)`` float32, strongest first.
    residual, outlier
        As for :func:`followed`.
    rank
        Number asked for, or None to keep the global ones.
    scene
        What light would be in proportion to, and how many leading components are the scene itself.
    """
    available, always = components.shape[1], scene.always
    if rank is not None:
        kept = np.arange(min(rank + always, available))
        return kept, f"rank {len(kept)}: {_as_asked(rank, always, available)}"
    found: list[int] = []
    described: list[str] = []
    coefficients, follows = followed(components, residual, outlier)
    for k, felt in enumerate(follows.mean(axis=1)):
        share = light_share(scene.values(components[:, k]), scene.values(scene.centre), scene.places)
        light, thing = felt >= COVERAGE and is_light(share), ""
        if light and texture_kept(coefficients[:, k], follows[k], residual, scene, outlier) < TEXTURE:
            light, thing = False, ", but without the texture of the scene"
        if k < always or light:
            found.append(k)
        if always <= k < always + 4:
            described.append(f"{felt:.1%} and {share:.0%}{thing}")
    reason = (
        f"components beyond the centre must show in {COVERAGE:.0%} of the picture and be light, a gain of what is seen "
        f"there ({LIGHT:.0%}); found: {', '.join(described) or 'none'}"
    )
    return np.array(found, np.int64), f"rank {len(found)}: {reason}"


def _as_asked(rank: int, always: int, available: int) -> str:
    for_background = ", and one for the background itself (not centred)" if always else ""
    if rank + always <= available:
        return f"as asked for{for_background}"
    return f"{rank} asked for{for_background}, but the frames have no more to explain within τ"


def _per_pixel(values: NDArray[np.float32], residual: Residual) -> NDArray[np.float32]:
    """Return ``(k, pixels)`` of ``(k, rows)`` *values*, summed over the channels."""
    channels = values.reshape(len(values), values.shape[1] // residual.channels, residual.channels)
    return np.asarray(
        channels[:, :, 0] + sum(channels[:, :, c] for c in range(1, residual.channels)), np.float32
    )
