"""How far a place of dynamic background strays from the background, against a quartile of whole pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.background.scene.deviation import BLUR, COLUMNS, QUARTILE, observed_deviation
from bgsub.frames.grid import Grid

WIDTH, HEIGHT = 44, 32
Background = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def windows(picture: NDArray[Any], side: int) -> NDArray[np.float64]:
    """``(side², height, width, …)``: the window around each pixel, the border repeated."""
    half, (height, width) = side // 2, picture.shape[:2]
    wide = np.pad(picture.astype(float), [(half, half)] * 2 + [(0, 0)] * (picture.ndim - 2), "edge")
    return np.stack([wide[y : y + height, x : x + width] for y in range(side) for x in range(side)])


def clip(grid: Grid, count: int, rank: int) -> tuple[NDArray[np.uint8], Background]:
    """Frames of noise and light, and a background that knows the light."""
    rng = np.random.default_rng(41)
    # Quarters are exact in float32, ties included.
    offset, components = rng.integers(240, 760, grid.rows) / 4, rng.integers(-8, 9, (rank, grid.rows)) / 4
    coefficients = rng.integers(-20, 21, (count, rank)).astype(float)
    frames = offset + coefficients @ components + rng.normal(0, 25, (count, grid.rows))
    clipped = np.clip(frames, 0, 255).astype(np.uint8)
    if grid.inside is not None:
        outside = np.repeat(~grid.inside.ravel(), grid.channels)
        clipped[:, outside], offset[outside], components[:, outside] = 0, 0, 0
    scene = offset.astype(np.float32), components.astype(np.float32), coefficients.astype(np.float32)
    return clipped, scene


def defined(
    frames: NDArray[np.uint8], grid: Grid, background: Background, dynamic: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Quartile of everything, then the mean of those inside."""
    offset, components, coefficients = (each.astype(float) for each in background)
    shape = (*grid.shape, grid.channels)
    chosen = sorted({int(index) for index in np.linspace(0, len(frames) - 1, COLUMNS)})
    differences = []
    for index in chosen:
        plate = np.floor(np.clip(offset + coefficients[index] @ components, 0, 255) + 0.5)
        mean = windows((frames[index] - plate).reshape(shape), 9).mean(axis=0)
        differences.append(np.rint(np.abs(mean).max(axis=2)))
    quartile = np.quantile(differences, QUARTILE, axis=0, method="lower")
    counted = np.ones(grid.shape, bool) if grid.inside is None else grid.inside
    weights = windows(counted, BLUR)
    mean = (weights * windows(quartile, BLUR)).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    return np.where(dynamic, mean, 0)


def leaves(kind: str) -> NDArray[np.bool_]:
    where = np.zeros((HEIGHT, WIDTH), bool)
    if kind == "all":
        where[:] = True
    elif kind == "a corner":
        where[:9, :14] = True
    else:
        where[5:28, 8:30] = np.random.default_rng(5).random((23, 22)) < 0.3
    return where


def test_it_is_the_quartile_of_mean_differences() -> None:
    for color, count in ((False, 1), (True, 3), (True, COLUMNS), (False, COLUMNS + 1), (True, 130)):
        grid = Grid(WIDTH, HEIGHT, color)
        frames, background = clip(grid, count, 2)
        dynamic = leaves("scattered")
        found = observed_deviation(frames, grid, background, dynamic)
        assert found.shape == grid.shape
        assert found.dtype == np.float32
        assert np.allclose(found, defined(frames, grid, background, dynamic), atol=1e-3)
        assert found[dynamic].all()


def test_each_frame_is_held_against_its_own_background() -> None:
    for kind, rank in (("all", 0), ("a corner", 1), ("scattered", 3)):
        grid, dynamic = Grid(WIDTH, HEIGHT, color=True), leaves(kind)
        frames, background = clip(grid, 30, rank)
        found = observed_deviation(frames, grid, background, dynamic)
        assert np.allclose(found, defined(frames, grid, background, dynamic), atol=1e-3)
        assert not found[~dynamic].any()


def test_what_is_not_looked_at_is_not_averaged() -> None:
    for color in (False, True):
        grid = Grid(WIDTH, HEIGHT, color, roi=("4,3 40,6 30,29 8,25",))
        assert grid.inside is not None
        dynamic = grid.inside & np.ones(grid.shape, bool)
        frames, background = clip(grid, 30, 1)
        found = observed_deviation(frames, grid, background, dynamic)
        assert np.allclose(found, defined(frames, grid, background, dynamic), atol=1e-3)


def test_where_nothing_is_dynamic_it_is_zero() -> None:
    grid = Grid(WIDTH, HEIGHT, color=True)
    frames, background = clip(grid, 5, 1)
    found = observed_deviation(frames, grid, background, np.zeros(grid.shape, bool))
    assert found.shape == grid.shape
    assert found.dtype == np.float32
    assert not found.any()


def test_ripples_cancel_sway_does_not_and_who_passes_is_not_in_it() -> None:
    grid = Grid(60, 30, color=False)
    rng, y, x = np.random.default_rng(6), *np.mgrid[:30, :60]
    frames = np.full((60, 30, 60), 120.0)
    for index, frame in enumerate(frames):
        frame[:, :30] += 40 * (-1.0) ** (y + x + index)[:, :30]
        frame[:, 30:] += rng.choice([-20, 20])
        if index % 6 == 0:
            frame[5:20] = 250
    offset, nothing = np.full(grid.rows, 120, np.float32), np.zeros((0, grid.rows), np.float32)
    background = offset, nothing, np.zeros((60, 0), np.float32)
    found = observed_deviation(
        frames.astype(np.uint8).reshape(60, -1), grid, background, np.ones(grid.shape, bool)
    )
    assert (found[7:-7, 7:20] <= 2).all()
    assert found[:, 40:] == pytest.approx(20, abs=1)
