"""Cast shadows are the ground with less light, as much less in all of a scene."""

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
from bgsub.masks.shade import Cells, Shade, cell_side, learn_shade
from bgsub.masks.shadow import cast_shadow
from bgsub.options.table import Options

HEIGHT, WIDTH = 90, 120
OBJECT, SHADE = np.s_[20:60, 30:50], np.s_[45:60, 50:90]
WARM = np.array([1.05, 1.0, 0.9])
PLACES = tuple(range(0, 30, 6))
"""How far to the right things are, in the frames of a scene."""


def ground(channels: int = 3, relief: float = 14.0, grain: float = 2.0, seed: int = 1) -> NDArray[np.float64]:
    """Paving in warm gray, with blobs and grain."""
    rng = np.random.default_rng(seed)
    blobs = rng.normal(0, 1, (30, 40)).astype(np.float32)
    gray = 130 + relief * np.asarray(cv2.resize(blobs, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), float)
    gray = gray + rng.normal(0, grain, gray.shape)
    return np.asarray(gray[..., None] * WARM if channels == 3 else gray)


def rounded(picture: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.clip(picture, 0, 255).round().astype(np.uint8)


def seen(
    scene: NDArray[np.float64], left: object, look: object, right: int = 0, noise: float = 1.5
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A frame in which a thing of this *look* leaves this share of the light beside it, and the mask of both."""
    picture, mask = scene.copy(), np.zeros((HEIGHT, WIDTH), np.uint8)
    thing, shade = ((rows, slice(c.start + right, c.stop + right)) for rows, c in (OBJECT, SHADE))
    picture[shade] *= left
    picture[thing] = look
    mask[thing] = mask[shade] = 255
    return rounded(picture + np.random.default_rng(right).normal(0, noise, picture.shape)), mask


def learned(
    scene: NDArray[np.float64], left: object, look: object, shown: tuple[bool, bool] = (True, True)
) -> Shade | None:
    """What frames of such things tell; the thing and the shade of it are *shown* to be foreground."""
    frames = []
    for right in PLACES:
        image, mask = seen(scene, left, look, right)
        for place, is_shown in zip((OBJECT, SHADE), shown, strict=True):
            if not is_shown:
                mask[place[0], place[1].start + right : place[1].stop + right] = 0
        frames.append(Cells.of(image, rounded(scene), mask, cell_side(mask.shape)))
    return learn_shade(frames)


def things(channels: int) -> object:
    """Clothes with folds, which are as dark as a shadow in places."""
    folds = cv2.resize(np.random.default_rng(7).normal(0, 1, (8, 5)).astype(np.float32), (20, 40))
    gray = 110 + 40 * folds
    return gray[..., None] * np.array([1.0, 0.6, 0.5]) if channels == 3 else gray


def test_the_share_of_the_light_that_shadows_leave_is_learned_on_smooth_and_on_rough_ground() -> None:
    for left, relief in product((0.3, 0.5, 0.7, 0.85), (0.0, 6.0, 14.0)):
        shade = learned(ground(relief=relief), left, things(3))
        assert shade is not None
        assert np.log(left) - 0.3 <= shade.darkest <= np.log(left) + 0.05
        assert shade.brightest == 0
        assert np.abs(shade.tint).max() < 0.06


def test_light_that_is_gained_is_learned_like_light_that_is_lost() -> None:
    scene = ground()
    shade = learned(scene, 1.3, things(3))
    assert shade is not None
    assert shade.darkest <= np.log(1.3) <= shade.brightest
    image, mask = seen(scene, 1.3, things(3))
    assert (cast_shadow(image, rounded(scene), mask, shade, 3)[SHADE] > 0).mean() > 0.9
    darker, _ = seen(scene, 0.6, things(3))
    assert not cast_shadow(darker, rounded(scene), mask, shade, 3)[SHADE].any()


@pytest.mark.parametrize("gain", [1.06, 1.12, 1.3])
def test_what_is_brighter_from_end_to_end_is_a_thing_and_what_is_darker_may_be_a_shadow(gain: float) -> None:
    # Its caster is out of sight, or there is none.
    assert (shade := learned(ground(), gain, things(3), (False, True))) is None or shade.brightest == 0
    assert (shade := learned(ground(), 1 / 1.6, things(3), (False, True))) is not None
    assert shade.darkest < 0


@pytest.mark.parametrize(("lift", "noise", "seed"), [(12, 1.0, 0), (20, 1.0, 1), (14, 1.5, 2)])
def test_a_faint_thing_is_seen_though_it_looks_like_more_light(lift: int, noise: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = 100 + cv2.GaussianBlur(rng.normal(0, 1, (120, 160)), (0, 0), 4) * 20
    frames, truth = np.repeat(base[None], 120, axis=0), np.zeros((120, 120, 160), bool)
    for t in range(120):
        frames[t, 50:62, t : t + 20] += lift
        truth[t, 50:62, t : t + 20] = True
    noisy = rounded(frames + rng.normal(0, noise, frames.shape))
    found = bgsub.separate(noisy, options=bgsub.Options(outputs="mask")).layers["mask"] > 0
    assert (found & truth).sum() > 0.9 * truth.sum()
    assert (found & truth).sum() > 0.9 * found.sum()


def test_the_colour_of_the_sky_is_learned_with_it() -> None:
    left = np.array([0.45, 0.5, 0.55])
    shade = learned(ground(), left, things(3))
    assert shade is not None
    light = np.log(left)
    assert np.allclose(shade.tint, light / light.mean() - 1, atol=0.03)
    assert abs(shade.tint.sum()) < 1e-5


def test_a_shadow_is_found_and_the_object_that_casts_it_is_kept() -> None:
    for channels, left in product((1, 3), (0.35, 0.5, 0.7, 0.85)):
        scene = ground(channels)
        image, mask = seen(scene, left, things(channels), 12)
        shade = learned(scene, left, things(channels))
        shadow = cast_shadow(image, rounded(scene), mask, shade, 3) > 0
        assert shadow[SHADE[0], 62 + 3 : 102 - 3].mean() > 0.9
        assert shadow[OBJECT[0], 42:62].mean() < (0.03 if channels == 3 else 0.12)
        assert not shadow[mask == 0].any()


def test_a_shadow_reaches_its_object_and_what_the_object_encloses_is_none() -> None:
    scene = ground()
    shade = learned(scene, 0.6, things(3))
    image, mask = seen(scene, 0.6, things(3), 12)
    enclosed = np.s_[30:45, 47:57]
    image[enclosed] = rounded(0.6 * scene[enclosed])
    shadow = cast_shadow(image, rounded(scene), mask, shade, 3) > 0
    # But for the median and the closing of the object, two pixels each.
    assert shadow[SHADE[0], 62 + 2 : 66].mean() > 0.9
    assert not shadow[enclosed].any()


def test_gray_footage_keeps_what_is_dark_on_smooth_ground() -> None:
    for left in (0.5, 0.7, 0.85):
        assert learned(ground(1, relief=0.0, grain=1.0), left, things(1)) is None


def test_gray_in_three_channels_is_gray() -> None:
    for relief in (0.0, 14.0):
        one = ground(1, relief)
        three = np.repeat(one[..., None], 3, axis=2)
        frames = {1: [], 3: []}  # type: dict[int, list[Cells]]
        for right in PLACES:
            image, mask = seen(one, 0.6, things(1), right)
            frames[1].append(Cells.of(image, rounded(one), mask, 1))
            frames[3].append(Cells.of(np.repeat(image[..., None], 3, axis=2), rounded(three), mask, 1))
        single, triple = (learn_shade(each) for each in frames.values())
        assert (single is None) == (triple is None) == (relief == 0)
        if single is not None and triple is not None:
            assert np.isclose(single.darkest, triple.darkest)
            assert np.allclose(triple.tint, 0, atol=1e-6)


def test_dark_things_without_the_texture_of_the_ground_are_no_shadows() -> None:
    for channels in (1, 3):
        scene = ground(channels)
        for dark in (0.6 * scene.mean(axis=(0, 1)), 0.6 * ground(channels, seed=9)[SHADE]):
            frames = []
            for right in PLACES:
                image, mask = seen(scene, 1.0, things(channels), right)
                noise = np.random.default_rng(right).normal(0, 1.5, scene[SHADE].shape)
                image[SHADE[0], 50 + right : 90 + right] = rounded(dark + noise)
                frames.append(Cells.of(image, rounded(scene), mask, 1))
            assert learn_shade(frames) is None


def test_a_dark_thing_of_another_colour_is_kept_beside_shadows() -> None:
    scene = ground(relief=6.0)
    shade = learned(scene, 0.6, things(3))
    for left in ((0.6, 0.45, 0.45), (0.45, 0.6, 0.7), (0.75, 0.6, 0.5)):
        image, mask = seen(scene, np.array(left), things(3))
        assert (cast_shadow(image, rounded(scene), mask, shade, 3)[SHADE] > 0).mean() < 0.05


def test_a_thing_of_one_colour_on_smooth_ground_is_no_light_with_and_without_a_shadow() -> None:
    slope = 1 + 0.15 * np.linspace(-1, 1, WIDTH)[:, None]
    for light, left in ((1.0, 1.0), (1.0, 0.55), (slope, 1.0)):
        for look, noise in product((35.0, 60.0, 160.0, 215.0), (0.7, 1.5, 4.0)):
            scene = np.full((HEIGHT, WIDTH, 3), 120.0) * light
            frames = []
            for right in PLACES:
                image, mask = seen(scene, left, look, right, noise)
                frames.append(Cells.of(image, rounded(scene), mask, 1))
            # Where nothing changes the slope is the ground's texture, in its own light.
            shade = learn_shade(frames)
            assert shade is None or max(-shade.darkest, shade.brightest) < 0.2


def test_a_mask_over_the_empty_scene_teaches_nothing() -> None:
    for channels in (1, 3):
        scene = rounded(ground(channels))
        everywhere = np.full((HEIGHT, WIDTH), 255, np.uint8)
        assert learn_shade([Cells.of(scene, scene, everywhere, 1) for _ in range(5)]) is None


def test_what_has_been_seen_in_two_frames_is_not_learned() -> None:
    scene = ground()
    frames = [
        Cells.of(*seen(scene, 0.6, things(3), right)[:1], rounded(scene), mask, 1)
        for right, mask in _masks(2)
    ]
    assert learn_shade(frames) is None
    assert learn_shade([]) is None


def _masks(frames: int) -> list[tuple[int, NDArray[np.uint8]]]:
    return [(right, seen(ground(), 0.6, things(3), right)[1]) for right in PLACES[:frames]]


def test_what_is_brighter_is_no_shadow_and_an_empty_mask_has_none() -> None:
    scene = ground()
    shade = learned(scene, 0.6, things(3))
    image, mask = seen(scene, 1.3, things(3))
    assert not cast_shadow(image, rounded(scene), mask, shade, 3)[SHADE].any()
    assert not cast_shadow(image, rounded(scene), np.zeros_like(mask), shade, 3).any()
    assert not cast_shadow(image, rounded(scene), mask, None, 3).any()


def test_the_penumbra_goes_with_the_shadow_and_so_does_one_whose_caster_is_out_of_sight() -> None:
    scene = ground(relief=10.0)
    shade = learned(scene, 0.55, things(3))
    for width in (3, 5, 9):
        light = np.ones((HEIGHT, WIDTH))
        light[30:60, 30:90] = 0.55
        light = np.asarray(cv2.blur(light, (width, width)), np.float64)
        mask = np.where(light < 0.85, 255, 0).astype(np.uint8)
        shadow = cast_shadow(rounded(scene * light[..., None]), rounded(scene), mask, shade, 3)
        assert (shadow[mask > 0] > 0).mean() > 0.95


def test_pictures_of_any_size_are_not_changed_and_what_surrounds_the_mask_is_never_shadow() -> None:
    shade = Shade(-1.0, 0.0, np.zeros(3, np.float32))
    for height, width in ((1, 1), (2, 7), (90, 121), (365, 247)):
        background = np.full((height, width, 3), (210, 200, 180), np.uint8)
        image, mask = background // 2, np.zeros((height, width), np.uint8)
        mask[height // 3 :, width // 2 :] = 255
        before = image.copy(), background.copy(), mask.copy()
        shadow = cast_shadow(image, background, mask, shade, 3)
        for one, other in zip(before, (image, background, mask), strict=True):
            assert np.array_equal(one, other)
        assert shadow.shape == mask.shape
        assert not shadow[mask == 0].any()
        assert height < 50 or (shadow[mask > 0] == 255).all()


def test_masks_keep_drop_or_mark_shadows_in_memory_and_in_files(tmp_path: Path) -> None:
    empty = ground()
    frames = np.stack(
        [rounded(empty + np.random.default_rng(n).normal(0, 1.5, empty.shape)) for n in range(20)]
    )
    for index in range(8, 12):
        frames[index] = seen(empty, 0.6, (200, 60, 40))[0]
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


def test_a_dark_thing_of_one_colour_on_smooth_ground_is_none() -> None:
    scene = ground(relief=3.0, grain=1.5)
    for look in (30.0, (20.0, 22.0, 25.0), (50.0, 48.0, 43.0)):
        frames = []
        for right in PLACES:
            image, mask = seen(scene, 1.0, (200, 60, 40), right)
            noise = np.random.default_rng(right).normal(0, 0.5, scene[SHADE].shape)
            image[SHADE[0], 50 + right : 90 + right] = rounded(
                np.broadcast_to(look, scene[SHADE].shape) + noise
            )
            frames.append(Cells.of(image, rounded(scene), mask, 1))
        assert learn_shade(frames) is None
