"""What is light, against projections by orthonormal bases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.background.light.gain import LIGHT, is_light, light_share

Array = NDArray[np.float64]
PIXELS = 3000


def scene(channels: int) -> tuple[NDArray[np.float32], Array]:
    """Values of pixels with some texture and colour, and where they are."""
    rng = np.random.default_rng(31)
    places = rng.uniform(-0.5, 0.5, (PIXELS, 2))
    plain = 120 + 60 * np.sin(17 * places[:, :1]) * np.cos(13 * places[:, 1:])
    return (plain + rng.normal(0, 20, (PIXELS, channels))).astype(np.float32), places


def share_of(component: Array, seen: NDArray[np.float32], places: Array) -> float:
    return light_share(component.astype(np.float32), seen, places)


def projected(component: Array, seen: Array, places: Array) -> float:
    """Length² of the projection on what light can do, in parts of that of all, channel by channel."""
    explained, (x, y) = 0.0, places.T
    for v, b in zip(component.T, seen.T, strict=True):
        basis = np.linalg.qr(np.stack([b, x * b, y * b, b**0, x, y], axis=1))[0]
        explained += np.sum((basis.T @ v) ** 2)
    return float(explained / np.sum(component**2))


def test_the_share_is_that_of_a_projection() -> None:
    for channels, seed in product((1, 3), range(6)):
        seen, places = scene(channels)
        rng = np.random.default_rng(seed)
        gains, offsets = rng.normal(0, 0.1, (2, channels, 3))
        basis = np.column_stack([np.ones(PIXELS), places])
        component = (basis @ gains.T) * seen + 50 * basis @ offsets.T
        component += rng.normal(0, rng.uniform(0.1, 20), seen.shape)
        found = share_of(component, seen, places)
        assert found == pytest.approx(projected(component, seen.astype(float), places), abs=1e-6)
        assert 0 <= found <= 1


def test_a_gain_and_an_offset_are_light() -> None:
    for channels in (1, 3):
        seen, places = scene(channels)
        gain, haze = np.array([0.01, 0.02, -0.01])[:channels], np.array([0.3, -0.5, 1])[:channels]
        assert share_of(gain * seen + haze, seen, places) == pytest.approx(1, abs=1e-6)


def test_a_lamp_at_one_side_is_light() -> None:
    seen, places = scene(3)
    assert share_of(places[:, :1] * seen, seen, places) == pytest.approx(1, abs=1e-6)


def test_folds_of_a_curtain_are_no_light() -> None:
    for channels in (1, 3):
        seen, places = scene(channels)
        folds = np.sign(np.sin(60 * places[:, :1])) * np.ones((1, channels))
        assert share_of(folds, seen, places) < 0.1


def test_an_object_in_a_corner_is_no_light() -> None:
    seen, places = scene(1)
    patch = 1.0 * (np.abs(places - 0.25).max(axis=1) < 0.15)[:, None]
    assert not is_light(share_of(patch, seen, places))


def test_of_light_and_something_else_the_share_is_that_of_their_energies() -> None:
    for noise in (0, 0.5, 1, 2):
        seen, places = scene(3)
        light = 0.05 * seen.astype(float)
        other = np.random.default_rng(1).normal(0, noise * np.sqrt(np.mean(light**2)), light.shape)
        found = share_of(light + other, seen, places)
        assert found == pytest.approx(1 / (1 + noise**2), abs=0.02)


def test_a_factor_changes_nothing_and_zeros_are_no_light() -> None:
    seen, places = scene(3)
    component = np.random.default_rng(2).normal(0, 1, seen.shape) + 0.01 * seen
    for factor in (-1, 1e-3, 100):
        assert share_of(factor * component, seen, places) == pytest.approx(
            share_of(component, seen, places), abs=1e-5
        )
    assert share_of(np.zeros(seen.shape), seen, places) == 0


def test_a_scene_of_one_colour_has_only_offsets() -> None:
    _, places = scene(1)
    flat = np.full((PIXELS, 1), 90, np.float32)
    assert share_of(np.ones((PIXELS, 1)), flat, places) == pytest.approx(1, abs=1e-6)


def test_enough_of_it_is_light() -> None:
    for share, light in ((LIGHT, True), (LIGHT - 0.01, False), (0.0, False), (1.0, True)):
        assert is_light(share) == light
