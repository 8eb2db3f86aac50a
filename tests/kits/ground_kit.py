"""Made-up scenes with the ground known, and what is found of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from bgsub.background.ground.search import Ground, find_ground
from bgsub.frames.grid import Grid

Array = NDArray[np.float64]
HEIGHT, WIDTH, COUNT = 90, 120, 40
HEAD, BODY = (slice(22, 32), slice(56, 66)), (slice(32, 66), slice(50, 72))


def texture(seed: int, channels: int, around: float, strength: float, width: float = 1.5) -> Array:
    """A picture of blobs some pixels wide."""
    values = np.random.default_rng(seed).normal(0, 1, (HEIGHT, WIDTH, 1))
    values = ndimage.gaussian_filter(values, (width, width, 0))
    return np.asarray(around + strength * values / values.std() + 4.0 * np.arange(channels))


def ground(channels: int) -> Array:
    """Paving: texture, and a slope of light from one side to the other."""
    return texture(1, channels, 130, 8) + np.linspace(-20, 20, WIDTH)[:, None]


def person() -> NDArray[np.bool_]:
    where = np.zeros((HEIGHT, WIDTH), bool)
    where[HEAD] = where[BODY] = True
    return where


def footage(empty: Array, noise: float = 2) -> Array:
    """So many frames of an empty scene."""
    return empty + np.random.default_rng(3).normal(0, noise, (COUNT, *empty.shape))


def put(clip: Array, seen: NDArray[np.bool_], where: NDArray[np.bool_], look: Array) -> None:
    """Let something stand there in these frames."""
    clip[seen] = np.where(where[..., None], look, clip[seen])


def during(share: float, kind: str) -> NDArray[np.bool_]:
    """In which frames something stands: from the start, to the end, or coming and going."""
    many = round(share * COUNT)
    if kind == "comes":
        return np.arange(COUNT) >= COUNT - many
    if kind == "goes":
        return np.arange(COUNT) < many
    return np.asarray(np.diff(np.floor(np.arange(COUNT + 1) * share)) > 0)


def looked_at(clip: Array, threads: int = 1, grid: Grid | None = None) -> tuple[Ground, Array, Array]:
    """What is found, and the centre and the median as pictures."""
    channels = clip.shape[3]
    grid = Grid(clip.shape[2], clip.shape[1], channels == 3) if grid is None else grid
    images = np.clip(np.rint(clip), 0, 255).astype(np.uint8)
    frames = np.stack([grid.gather(image if channels == 3 else image[..., 0]) for image in images])
    followed = np.arange(len(frames) - 1)
    found = find_ground(frames, frames[1:], np.stack([followed, followed], axis=1), grid, threads)
    shape = (*grid.shape, channels)
    median = np.median(frames, axis=0).astype(np.float32)
    return found, found.centre.reshape(shape).astype(float), median.reshape(shape).astype(float)


def off(picture: Array, truth: Array) -> Array:
    return np.asarray(np.abs(picture - truth).max(axis=2))
