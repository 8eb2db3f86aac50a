"""Footage with a known background, as samples to fit on, and models made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.fit_report import FitReport
from bgsub.background.model import BackgroundModel
from bgsub.background.scene.noise import Residual, sample_residual
from bgsub.frames.grid import Grid
from bgsub.frames.matrix import FrameMatrix
from bgsub.frames.sample import Sample

Clip = NDArray[np.uint8]

REPORT = FitReport(
    first=0,
    frames=40,
    columns=40,
    method="alt-pgcg",
    rank=0,
    noise=1.5,
    outlier=8.0,
    objective=10.0,
    initial_objective=100.0,
    gap=0.05,
    status="converged",
    iterations=3,
    seconds=0.1,
    reasons=("because",),
    tau=1.0,
    sparsity=2.0,
)


def wall(height: int = 36, width: int = 48, channels: int = 3) -> NDArray[np.float64]:
    """Return a textured picture, 60–190 grey levels."""
    y, x = np.mgrid[:height, :width]
    plain = 125 + 35 * np.sin(x / 5) + 25 * np.cos(y / 4)
    return np.stack([plain + 4 * k for k in range(channels)], axis=2) if channels == 3 else plain


def rounded(values: NDArray[np.float64]) -> Clip:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def walkers(clip: NDArray[np.float64], side: int = 8) -> NDArray[np.bool_]:
    """Let a bright square walk through the clip in place, one side to the other; return where it is."""
    count, height, width = clip.shape[:3]
    where = np.zeros((count, height, width), bool)
    for index in range(count):
        left = round(index * (width - side) / max(count - 1, 1))
        where[index, height // 3 : height // 3 + side, left : left + side] = True
    clip[where] = 245
    return where


def footage(
    count: int = 40, gains: NDArray[np.float64] | None = None, noise: float = 1.0, channels: int = 3
) -> tuple[Clip, NDArray[np.float64], NDArray[np.bool_]]:
    """Return frames, the background of each and where the walker is; *gains* multiply the light."""
    gains = np.ones(count) if gains is None else gains
    picture = wall(channels=channels)
    truth = picture * gains.reshape(-1, *[1] * picture.ndim)
    clip = truth + np.random.default_rng(5).normal(0, noise, truth.shape)
    where = walkers(clip)
    return rounded(clip), truth, where


def objects_in_light(count: int = 30, rows: int = 3000) -> Clip:
    """Return ``(count, rows)`` frames under two changes of light, with noise and objects."""
    rng = np.random.default_rng(3)
    base = rng.uniform(60, 180, rows)
    frames = base * (1 + 0.02 * np.sin(np.arange(count))[:, None])
    frames += 2 * np.cos(np.arange(count) * 0.7)[:, None] * rng.choice([-1, 1], rows)
    frames += rng.normal(0, 1, frames.shape)
    frames[rng.random(frames.shape) < 0.05] = 240
    return rounded(frames)


def sample_of(frames: Clip, first: int = 0) -> tuple[Sample, Grid]:
    """Return all *frames*, ``(n, height, width[, 3])``, as a sample, and their grid."""
    count, height, width = frames.shape[:3]
    grid = Grid(width, height, frames.ndim == 4)
    matrix, followers = FrameMatrix(count, grid.rows), FrameMatrix(count, grid.rows)
    for frame in frames:
        matrix.append(frame.reshape(-1))
    for frame in frames[1:]:
        followers.append(frame.reshape(-1))
    return Sample(matrix, followers, 1, count, first), grid


def residual_of(frames: NDArray[Any], centre: NDArray[Any] | float = 0.0, channels: int = 1) -> Residual:
    """Return every row of frames − centre."""
    rows = frames.shape[1]
    values = np.asarray(frames, np.float32) - np.float32(centre)
    return Residual(np.arange(rows), values, rows, channels)


def sampled(frames: Clip, channels: int = 1) -> tuple[NDArray[np.float32], Residual]:
    """Return NumPy's median of ``(n, rows)`` frames, and the sampled residual from it."""
    centre = np.median(frames, axis=0).astype(np.float32)
    return centre, sample_residual(frames, centre, channels, 0)


def model_of(
    grid: Grid,
    offset: NDArray[Any],
    components: NDArray[Any] | None = None,
    typical: NDArray[Any] | None = None,
    *,
    threshold: float | None = None,
    min_area: int | None = 0,
) -> BackgroundModel:
    """Return a model with this offset, quiet everywhere."""
    rank = 0 if components is None else components.shape[1]
    return BackgroundModel(
        grid=grid,
        offset=np.asarray(offset, np.float32).reshape(-1),
        components=np.zeros((grid.rows, 0), np.float32) if components is None else np.float32(components),
        typical=np.zeros(rank, np.float32) if typical is None else np.float32(typical),
        outlier=8.0,
        ordinary=np.ones(grid.shape, np.float32),
        shade=np.zeros(0, np.float32),
        level=7.0,
        stabilise="off",
        reference=None,
        threshold=threshold,
        sensitivity=1.0,
        shadows="keep",
        min_area=min_area,
        seed=0,
        report=REPORT,
    )
