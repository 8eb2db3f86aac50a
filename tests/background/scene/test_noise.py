"""The noise of the residual."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from fit_kit import rounded, sampled

from bgsub.background.scene.noise import ROWS, SMALLEST_NOISE, noise_level, outlier_level, sample_residual


def noisy(sigma: float, count: int, outliers: float, *, whole: bool = False) -> np.ndarray:
    """Frames of a scene with Gaussian noise; a share of the entries is 40–60 grey levels off, either way."""
    rng = np.random.default_rng(7)
    scene = rng.uniform(80, 170, 4000)
    frames = (np.rint(scene) if whole else scene) + rng.normal(0, sigma, (count, 4000))
    off = rng.random(frames.shape) < outliers
    frames[off] += rng.choice([-1, 1], off.sum()) * rng.uniform(40, 60, off.sum())
    return rounded(frames)


def test_the_noise_before_rounding_is_recovered() -> None:
    for sigma, outliers, (count, whole) in product((0.5, 1, 2, 5, 10), (0, 0.2), ((60, True), (61, False))):
        _, residual = sampled(noisy(sigma, count, outliers, whole=whole))
        assert noise_level(residual) == pytest.approx(sigma, rel=0.1)


def test_constant_footage_has_the_smallest_noise() -> None:
    for level in (0, 100, 255):
        _, residual = sampled(np.full((12, 300), level, np.uint8))
        assert noise_level(residual) == SMALLEST_NOISE


def test_what_strays_by_more_than_all_grey_levels_counts_as_the_largest() -> None:
    """In the light of a fit a pixel may: a white digit on black, where the fit expects the darkest of all frames."""
    _, residual = sampled(noisy(2, 60, 0.1))
    level = noise_level(residual)
    far = np.where(np.abs(residual.values) > 30, 40 * residual.values, residual.values)
    assert np.abs(far).max() > 1000
    assert noise_level(replace(residual, values=far)) == level


def test_the_noise_of_a_single_entry_is_a_number() -> None:
    _, residual = sampled(np.array([[17]], np.uint8))
    assert noise_level(residual) == SMALLEST_NOISE


def test_a_deviation_is_no_noise_beyond_three_sigma_and_never_below_eight_levels() -> None:
    assert outlier_level(0.3) == 8
    assert outlier_level(5) == 15


def test_about_twenty_thousand_rows_of_whole_pixels_are_sampled() -> None:
    for channels in (1, 3):
        frames = np.random.default_rng(0).integers(0, 256, (2, 30_000 * channels), dtype=np.uint8)
        centre = np.linspace(0, 255, frames.shape[1], dtype=np.float32)
        residual = sample_residual(frames, centre, channels, seed=1)
        rows = residual.rows
        assert len(rows) == ROWS // channels * channels
        assert len(np.unique(rows)) == len(rows)
        pixels = rows.reshape(-1, channels)
        assert (pixels % channels == np.arange(channels)).all()
        assert (pixels // channels == pixels[:, :1] // channels).all()
        assert residual.total == frames.shape[1]
        assert np.allclose(residual.values, frames[:, rows] - centre[rows])


def test_a_small_picture_is_sampled_whole_and_the_seed_decides_in_a_large_one() -> None:
    small = np.zeros((2, 12), np.uint8)
    assert sample_residual(small, np.zeros(12, np.float32), 3, 0).rows.tolist() == list(range(12))
    large = np.zeros((2, 50_000), np.uint8)
    centre = np.zeros(50_000, np.float32)
    first, again, other = (sample_residual(large, centre, 1, seed).rows for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_only_pixels_inside_are_sampled_and_counted() -> None:
    for channels, pixels in product((1, 3), (400, 40_000)):
        frames = np.random.default_rng(0).integers(0, 256, (2, pixels * channels), dtype=np.uint8)
        inside = np.random.default_rng(1).random(pixels) < 0.6
        residual = sample_residual(frames, np.zeros(pixels * channels, np.float32), channels, 0, inside)
        chosen = residual.rows.reshape(-1, channels)
        assert inside[chosen[:, 0] // channels].all()
        assert (chosen == chosen[:, :1] + np.arange(channels)).all()
        assert len(np.unique(chosen)) == chosen.size == channels * min(inside.sum(), ROWS // channels)
        assert residual.total == channels * inside.sum()
        assert np.array_equal(residual.values, frames[:, residual.rows])
