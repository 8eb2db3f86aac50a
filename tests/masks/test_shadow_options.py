"""What is cast shadow and what only looks like it: dark things, gray footage, smooth ground."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.masks.shadow import cast_shadow

HEIGHT, WIDTH = 90, 120
PLACE = np.s_[30:60, 30:90]
WARM = np.array([1.05, 1.0, 0.9])


def ground(relief: float, level: float = 130.0, seed: int = 1) -> NDArray[np.float64]:
    """Gray of a ground with blobs of this contrast."""
    blobs = np.random.default_rng(seed).normal(0, 1, (15, 20)).astype(np.float32)
    return level + relief * np.asarray(
        cv2.resize(blobs, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), float
    )


def picture(plane: NDArray[np.float64], *, gray: bool = False, noise: float = 0.0) -> NDArray[np.uint8]:
    seen = plane if gray or plane.ndim == 3 else plane[..., None] * WARM
    seen = seen + np.random.default_rng(5).normal(0, noise, seen.shape) if noise else seen
    return np.clip(seen, 0, 255).round().astype(np.uint8)


def placed() -> NDArray[np.uint8]:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[PLACE] = 255
    return mask


def share(image: NDArray[np.uint8], background: NDArray[np.uint8]) -> float:
    """The share of the place that is taken for shadow."""
    return float((cast_shadow(image, background, placed(), 3)[PLACE] > 0).mean())


def test_a_shadow_goes_on_smooth_and_on_rough_ground() -> None:
    for shade, relief in product((0.5, 0.6, 0.7, 0.85), (0.0, 6.0, 14.0)):
        plane = ground(relief)
        dark = plane.copy()
        dark[PLACE] *= shade
        assert share(picture(dark, noise=2), picture(plane)) > 0.95


def test_gray_footage_keeps_what_is_dark_on_smooth_ground() -> None:
    for shade in (0.5, 0.6, 0.7, 0.85):
        plane = ground(0.0)
        dark = plane.copy()
        dark[PLACE] *= shade
        assert share(picture(dark, gray=True, noise=2), picture(plane, gray=True)) == 0


def test_in_gray_footage_a_shadow_goes_where_the_ground_has_texture() -> None:
    for shade, noise in product((0.5, 0.6, 0.7, 0.85), (0.0, 2.0)):
        plane = ground(14.0)
        dark = plane.copy()
        dark[PLACE] *= shade
        assert share(picture(dark, gray=True, noise=noise), picture(plane, gray=True)) > 0.95


def test_gray_in_three_channels_is_gray() -> None:
    for shade in (0.5, 0.7):
        for relief in (0.0, 14.0):
            plane = ground(relief)
            dark = plane.copy()
            dark[PLACE] *= shade
            one = picture(dark, gray=True, noise=2), picture(plane, gray=True)
            image, background = (np.repeat(each[..., None], 3, axis=2) for each in one)
            assert np.array_equal(
                cast_shadow(one[0], one[1], placed(), 3), cast_shadow(image, background, placed(), 3)
            )


def test_a_dark_thing_of_the_grounds_colour_but_not_of_its_texture_stays() -> None:
    for gray in (False, True):
        plane = ground(14.0)
        for thing in (0.6 * 130 + 0 * plane, 0.6 * ground(14.0, seed=9)):
            other = plane.copy()
            other[PLACE] = thing[PLACE]
            assert share(picture(other, gray=gray, noise=2), picture(plane, gray=gray)) < 0.05


def test_a_dark_thing_with_the_grounds_texture_but_not_of_its_colour_stays() -> None:
    for shift in ((0, 0, 14), (0, 0, 30), (25, 0, 0), (-25, 0, 25)):
        plane = ground(6.0)
        other = plane[..., None] * WARM
        other[PLACE] = 0.6 * other[PLACE] + np.array(shift)
        assert share(picture(other, noise=2), picture(plane)) < 0.05


def test_single_windows_that_look_like_shadow_are_not_cut_out_of_a_thing() -> None:
    plane = ground(0.0)
    other = plane.copy()
    other[PLACE] *= 0.6
    # Clothes with folds: of some windows the colour and the contrast would do.
    folds = np.random.default_rng(3).normal(0, 1, (12, 16)).astype(np.float32)
    other += np.where(placed() > 0, 14 * cv2.resize(folds, (WIDTH, HEIGHT)), 0)
    assert share(picture(other, noise=2), picture(plane)) < 0.05


def test_the_penumbra_goes_with_the_shadow() -> None:
    for width in (3, 5, 9):
        plane = ground(10.0)
        shade = np.ones((HEIGHT, WIDTH))
        shade[30:60, 30:90] = 0.55
        shade = np.asarray(cv2.blur(shade, (width, width)), np.float64)
        mask = np.where(shade < 0.85, 255, 0).astype(np.uint8)
        shadow = cast_shadow(picture(plane * shade, noise=2), picture(plane), mask, 3)
        assert (shadow[mask > 0] > 0).mean() > 0.95


def test_pictures_are_not_changed_and_what_surrounds_the_mask_is_never_shadow() -> None:
    plane = ground(10.0)
    image, background, mask = picture(0.6 * plane, noise=2), picture(plane), placed()
    before = image.copy(), background.copy(), mask.copy()
    shadow = cast_shadow(image, background, mask, 3)
    assert all(
        np.array_equal(one, other) for one, other in zip(before, (image, background, mask), strict=True)
    )
    assert set(np.unique(shadow)) <= {0, 255}
    assert not shadow[mask == 0].any()


def test_a_mask_that_touches_the_border_or_is_a_single_pixel_is_no_difficulty() -> None:
    plane = ground(10.0)
    image, background = picture(0.6 * plane, noise=2), picture(plane)
    everything = np.full((HEIGHT, WIDTH), 255, np.uint8)
    assert (cast_shadow(image, background, everything, 3) > 0).mean() > 0.98
    corner = np.zeros_like(everything)
    corner[-1, -1] = 255
    assert cast_shadow(image, background, corner, 3).shape == (HEIGHT, WIDTH)
