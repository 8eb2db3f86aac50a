"""Cast shadows are the ground, only darker."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import bgsub
from bgsub.evaluation.predictions import read_masks
from bgsub.masks import shadow
from bgsub.masks.shadow import cast_shadow
from bgsub.options.table import Options

HEIGHT, WIDTH = 90, 120
OBJECT, SHADE = np.s_[20:60, 40:60], np.s_[45:60, 60:95]


def ground(channels: int = 3) -> NDArray[np.uint8]:
    """Paving in warm gray, with blobs and grain."""
    rng = np.random.default_rng(1)
    blobs = cv2.resize(
        rng.normal(0, 1, (15, 20)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC
    )
    gray = 130 + 14 * blobs + rng.normal(0, 2, (HEIGHT, WIDTH))
    colour = gray[..., None] * np.array([1.05, 1.0, 0.9])
    picture = colour if channels == 3 else gray
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def seen(
    shade: float, look: object, channels: int = 3, noise: float = 1.5
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A frame with an object and its shadow, and the mask of both."""
    picture = ground(channels).astype(float)
    picture[SHADE] *= shade
    picture[OBJECT] = look
    picture += np.random.default_rng(2).normal(0, noise, picture.shape)
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[OBJECT] = mask[SHADE] = 255
    return np.clip(picture, 0, 255).round().astype(np.uint8), mask


def test_a_shadow_is_found_and_the_object_that_casts_it_is_kept() -> None:
    for channels, shade in product((1, 3), (0.5, 0.6, 0.7, 0.85)):
        look = (200, 60, 40) if channels == 3 else 230
        image, mask = seen(shade, look, channels)
        shadow = cast_shadow(image, ground(channels), mask, 3) > 0
        # Where it joins the object the windows see both.
        assert shadow[SHADE][3:-3, 6:-3].mean() > 0.9
        assert shadow[OBJECT].mean() < 0.03
        assert not shadow[mask == 0].any()


def test_a_dark_thing_of_another_colour_or_without_the_grounds_texture_stays() -> None:
    for look in ((60, 20, 20), (20, 60, 25), (30, 30, 90), (15, 15, 15)):
        image, mask = seen(0.6, look)
        shadow = cast_shadow(image, ground(), mask, 3) > 0
        assert shadow[OBJECT].mean() < 0.05


def test_noise_in_the_dark_is_no_colour() -> None:
    night = np.clip(ground() * 0.25, 0, 255).astype(np.uint8)
    picture = night.astype(float)
    picture[SHADE] *= 0.6
    picture += np.random.default_rng(3).normal(0, 3, picture.shape)
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[SHADE] = 255
    shadow = cast_shadow(np.clip(picture, 0, 255).round().astype(np.uint8), night, mask, 3) > 0
    assert shadow[SHADE].mean() > 0.8


def test_what_is_brighter_is_no_shadow_and_an_empty_mask_has_none() -> None:
    image, mask = seen(1.4, (200, 60, 40))
    assert not cast_shadow(image, ground(), mask, 3)[SHADE][2:-2, 4:-2].any()
    assert not cast_shadow(image, ground(), np.zeros_like(mask), 3).any()


def test_a_shadow_whose_caster_is_out_of_the_picture_goes_as_a_whole() -> None:
    image, mask = seen(0.6, ground()[OBJECT])
    mask[OBJECT] = 0
    left = np.where(cast_shadow(image, ground(), mask, 3) > 0, 0, mask)
    assert np.count_nonzero(left) < 0.02 * np.count_nonzero(mask)


def test_masks_keep_drop_or_mark_shadows_in_memory_and_in_files(tmp_path: Path) -> None:
    empty = np.stack(
        [
            np.clip(ground() + np.random.default_rng(n).normal(0, 1.5, ground().shape), 0, 255)
            for n in range(20)
        ]
    )
    frames = empty.round().astype(np.uint8)
    for index in range(8, 12):
        frames[index] = seen(0.6, (200, 60, 40))[0]
    options = Options(outputs=("mask", "overlay"), shadows="mark", threads=1)
    marked = bgsub.separate(frames, None, options)
    bgsub.separate(frames, tmp_path / "out", options)
    written = np.stack([picture for _, picture in read_masks(tmp_path / "out")])
    assert np.array_equal(written, marked.layers["mask"])
    masks = {"mark": written}
    for shadows in ("keep", "drop"):
        model = replace(marked.model, shadows=shadows)
        masks[shadows] = np.stack([model.apply(frame).mask for frame in frames])
    for shadows, levels, in_shade in (
        ("keep", {0, 255}, 255),
        ("drop", {0, 255}, 0),
        ("mark", {0, 127, 255}, 127),
    ):
        mask = masks[shadows]
        assert set(np.unique(mask)) == levels
        assert np.median(mask[9][SHADE][3:-3, 6:-3]) == in_shade
        assert (mask[9][OBJECT] == 255).mean() > 0.9


def test_a_mask_in_hundreds_of_pieces_costs_no_more_than_two_dozen(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[tuple[int, ...]] = []

    def nothing(image: NDArray[np.uint8], *_: object) -> NDArray[np.uint8]:
        looked_at.append(image.shape)
        return np.zeros(image.shape[:2], np.uint8)

    monkeypatch.setattr(shadow, "_found", nothing)
    picture, mask = np.full((120, 160, 3), 100, np.uint8), np.zeros((120, 160), np.uint8)
    mask[::8, ::8], mask[40:70, 40:70] = 255, 255
    assert not cast_shadow(picture, picture, mask, 4).any()
    assert len(looked_at) == shadow.MOST
    assert looked_at[0] == (30, 30)
