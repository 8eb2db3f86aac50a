"""A background in the light of one frame."""

from __future__ import annotations

from itertools import product

import numpy as np
from fit_kit import model_of
from numpy.typing import NDArray

from bgsub.background.light.relight import FrameLight
from bgsub.frames.grid import Grid

HEIGHT, WIDTH = 60, 80


def scene(seed: int = 1, channels: int = 3) -> NDArray[np.uint8]:
    """A textured picture."""
    rng = np.random.default_rng(seed)
    coarse = rng.uniform(50, 180, (HEIGHT // 4, WIDTH // 4, channels))
    fine = np.repeat(np.repeat(coarse, 4, axis=0), 4, axis=1)
    return (
        np.squeeze(fine.round().astype(np.uint8), axis=2) if channels == 1 else fine.round().astype(np.uint8)
    )


def lit(picture: NDArray[np.uint8], gain: float, offset: float) -> NDArray[np.uint8]:
    noise = np.random.default_rng(2).normal(0, 2, picture.shape)
    return np.clip(gain * picture.astype(float) + offset + noise, 0, 255).round().astype(np.uint8)


def relit(frame: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """The picture in the light of a frame; None for none."""
    found = FrameLight(picture, np.full(picture.shape[:2], 8, np.float32), None).lit(frame, picture)
    return None if found is picture else found


def test_the_light_of_a_frame_is_found_beside_an_object() -> None:
    for channels, (gain, offset) in product((1, 3), ((0.5, 0.0), (1.4, -10.0), (0.8, 30.0), (1.0, 40.0))):
        picture = scene(channels=channels)
        frame = lit(picture, gain, offset)
        frame[10:40, 20:50] = 5
        found = relit(frame, picture)
        assert found is not None
        expected = np.clip(gain * picture.astype(float) + offset, 0, 255)
        # Where the sensor clips it tells nothing about the light, but is not more than white.
        assert np.abs(found - expected).mean() < 2.5


def test_a_light_is_found_that_shows_in_the_bright_places_only() -> None:
    picture = scene(channels=1)
    frame = lit(picture, 0.94, 0)
    assert 0.1 < (np.abs(frame.astype(int) - picture) > 8).mean() < 0.35
    found = relit(frame, picture)
    assert found is not None
    assert np.abs(found - 0.94 * picture.astype(float)).mean() < 1


def test_a_bus_over_most_of_the_picture_is_no_light() -> None:
    frame = lit(scene(), 1, 0)
    frame[:, 20:] = 90
    found = relit(frame, scene())
    assert found is None or np.abs(found[:, :20].astype(int) - scene()[:, :20]).mean() < 5


def test_another_scene_is_no_light() -> None:
    assert relit(scene(5), scene(1)) is None


def test_black_and_white_frames_tell_nothing() -> None:
    for level in (0, 255):
        assert relit(np.full_like(scene(), level), scene()) is None


def test_a_frame_in_another_light_does_not_flood_the_mask() -> None:
    for gain in (0.55, 1.5):
        picture = scene()
        model = model_of(Grid(WIDTH, HEIGHT, True), picture.reshape(-1))
        frame = lit(picture, gain, 0)
        frame[20:40, 30:50] = (250, 20, 250)
        parts = model.apply(frame)
        assert (parts.mask[22:38, 32:48] == 255).all()
        assert np.count_nonzero(parts.mask) < 700
        assert np.abs(parts.background.astype(int) - np.clip(gain * picture.astype(float), 0, 255)).mean() < 3


def test_a_large_object_stays_in_the_mask() -> None:
    picture = scene()
    model = model_of(Grid(WIDTH, HEIGHT, True), picture.reshape(-1))
    frame = lit(picture, 1, 0)
    frame[:, 15:] = (20, 200, 30)
    assert (model.apply(frame).mask[5:55, 20:75] == 255).mean() > 0.95


def test_pictures_that_have_nothing_in_common_have_no_light_between_them() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        frame, picture = rng.integers(20, 240, (2, 4, 4, 3), dtype=np.uint8)
        relit(frame, picture)
    assert relit(np.full((4, 4), 50, np.uint8), np.tile(np.uint8([[60, 200], [200, 60]]), (2, 2))) is None


def is_blind(frame: NDArray[np.uint8], picture: NDArray[np.uint8]) -> bool:
    return FrameLight(picture, np.full((HEIGHT, WIDTH), 8, np.float32), None).lit(frame, picture) is None


def test_a_frame_without_a_signal_is_blind_and_a_dim_or_a_covered_one_is_not():
    picture, rng = scene(), np.random.default_rng(4)
    for level in (0, 3, 128, 255):
        signal = np.clip(level + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        assert is_blind(signal, picture)
    assert not is_blind(lit(picture, 0.15, 5), picture)
    assert not is_blind(scene(5), picture)
    assert not is_blind(np.full_like(picture, 90), np.full_like(picture, 100))


def test_blind_frames_have_empty_masks():
    picture = scene()
    model = model_of(Grid(WIDTH, HEIGHT, True), picture.reshape(-1))
    parts = model.apply(np.full_like(picture, 3))
    assert parts.blind
    assert not parts.mask.any()
    assert not model.apply(picture).blind
