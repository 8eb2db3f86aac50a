"""From a frame and its background to a mask: made-up scenes, and the definition with windows summed one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from bgsub.masks.clean import clean
from bgsub.masks.detector import SEEDS, Detector
from bgsub.masks.dynamic_background import SceneActivity
from bgsub.masks.thresholds import Thresholds

Picture = NDArray[np.uint8]
SHAPE = 80, 120
LEAST = 8
PARTS = {
    "none": (0, 0, 0, 0),
    "all": (0, 80, 0, 120),
    "right half": (0, 80, 60, 120),
    "middle": (22, 60, 30, 91),
    "scattered": (5, 70, 9, 100),
    "corner": (0, 20, 0, 30),
}
OBJECT = np.s_[25:57, 76:104]


def scene(channels: int) -> NDArray[np.float64]:
    """A wall with some texture, 80–160 grey levels."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    plain = 120 + 25 * np.sin(x / 9) + 15 * np.cos(y / 7)
    return np.stack([plain + 3 * k for k in range(3)], axis=2) if channels == 3 else plain


def rounded(values: NDArray[np.float64]) -> Picture:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def rippling(count: int, channels: int, amplitude: float = 40) -> list[Picture]:
    """Frames of the wall whose right half ripples: waves of 6 pixels with a phase of their own in each frame."""
    rng, x = np.random.default_rng(8), np.arange(SHAPE[1])
    y = np.arange(SHAPE[0])[:, None]
    frames = []
    for _ in range(count):
        waves = amplitude * np.sin(2 * np.pi * (x / 6 + y / 17) + rng.uniform(0, 2 * np.pi)) * (x >= 60)
        frames.append(rounded(scene(channels) + (waves[..., None] if channels == 3 else waves)))
    return frames


def smoothed(picture: NDArray[Any]) -> NDArray[np.float64]:
    """Means over 9 × 9 pixels, the border repeated, as whole levels."""
    wide = np.pad(picture.astype(float), [(4, 4), (4, 4)] + [(0, 0)] * (picture.ndim - 2), "edge")
    height, width = picture.shape[:2]
    windows = [wide[y : y + height, x : x + width] for y in range(9) for x in range(9)]
    return np.asarray(np.rint(sum(windows) / 81))


def mean_apart(image: Picture, background: Picture) -> NDArray[np.float64]:
    """Channel maximum of the absolute mean difference over 9 × 9 pixels, the border repeated, as whole levels."""
    difference = image.astype(float) - background.astype(float)
    wide = np.pad(difference, [(4, 4), (4, 4)] + [(0, 0)] * (difference.ndim - 2), "edge")
    height, width = difference.shape[:2]
    mean = np.abs(sum(wide[y : y + height, x : x + width] for y in range(9) for x in range(9)) / 81)
    return np.asarray(np.rint(mean.max(axis=2) if mean.ndim == 3 else mean))


def white(where: NDArray[np.bool_]) -> Picture:
    return np.where(where, 255, 0).astype(np.uint8)


def apart(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Channel maximum of the absolute difference."""
    difference = np.abs(first.astype(float) - second.astype(float))
    return np.asarray(difference.max(axis=2) if difference.ndim == 3 else difference)


def activity_of(frames: list[Picture], background: Picture) -> SceneActivity:
    """What such frames tell, by medians and quartiles over all of them."""
    smooth = [smoothed(frame) for frame in frames]
    flicker = np.median([apart(a, b) for a, b in pairwise(frames)], axis=0)
    smooth_flicker = np.median([apart(a, b) for a, b in pairwise(smooth)], axis=0)
    deviation = np.quantile([apart(each, smoothed(background)) for each in smooth], 0.75, axis=0)
    return SceneActivity(
        *(each.astype(np.float32) for each in (flicker, smooth_flicker, deviation, np.zeros_like(flicker)))
    )


@cache
def seen(channels: int) -> tuple[SceneActivity, Picture, list[Picture]]:
    """What 20 frames of the rippling scene tell, the background, and four more frames."""
    background, frames = rounded(scene(channels)), rippling(24, channels)
    return activity_of(frames[:20], background), background, frames[20:]


def rippling_judge(channels: int, sensitivity: float = 1.0) -> tuple[Detector, Picture, list[Picture]]:
    """A judge of the rippling scene, the background, and four frames it has not seen."""
    activity, background, frames = seen(channels)
    return (
        Detector(Thresholds.of(activity, sensitivity), LEAST),
        background.copy(),
        [frame.copy() for frame in frames],
    )


def defined(image: Picture, background: Picture, levels: Thresholds) -> Picture:
    """The mask by its definition: where dynamic, smoothed pictures as a whole."""
    plain = apart(image, background)
    judged = np.where(levels.dynamic, mean_apart(image, background), plain)
    low = (judged > levels.low) & (~levels.dynamic | (plain > levels.unsmoothed))
    certain = judged > levels.high
    return clean(white(low), LEAST, white(certain), SEEDS * LEAST)


def random_levels(rng: np.random.Generator, dynamic: NDArray[np.bool_]) -> Thresholds:
    low = rng.integers(10, 60, SHAPE, dtype=np.uint8)
    own = np.where(dynamic, np.uint8(15), np.uint8(0))
    certain = low + rng.integers(0, 30, SHAPE, dtype=np.uint8)
    sure = np.full(SHAPE, 255, np.uint8)
    return Thresholds(low=low, high=certain, small=sure, unsmoothed=own, dynamic=dynamic, reason="")


def blobs(rng: np.random.Generator, channels: int, strength: float) -> NDArray[np.float64]:
    """Smooth bumps either way, some pixels wide."""
    size = (*SHAPE, 3) if channels == 3 else SHAPE
    values = ndimage.gaussian_filter(rng.normal(0, 1, size), (4, 4, 0)[: len(size)])
    return np.asarray(strength * values / values.std())


def test_ripples_give_an_empty_mask() -> None:
    for channels in (1, 3):
        judge, background, frames = rippling_judge(channels)
        assert judge.thresholds.dynamic[:, 66:].all()
        for frame in frames:
            difference, mask = judge(frame, background)
            # Each pixel by itself says otherwise.
            assert (difference > 25)[:, 66:].mean() > 0.4
            assert clean(white(difference > 25), LEAST).any()
            assert not mask.any()


def test_a_solid_object_in_ripples_is_found_and_not_widened() -> None:
    for contrast, channels in ((-45, 1), (40, 3)):
        judge, background, frames = rippling_judge(channels)
        where = np.zeros(SHAPE, bool)
        where[OBJECT] = True
        for frame in frames:
            shown = frame.copy()
            shown[OBJECT] = rounded(frame[OBJECT].astype(float) + contrast)
            mask = judge(shown, background)[1] > 0
            assert mask[where].mean() > 0.75
            assert not mask[~ndimage.binary_dilation(where, np.ones((5, 5)))].any()


def test_a_solid_object_that_hides_the_ripples_is_not_widened_however_different_it_is() -> None:
    judge, background, frames = rippling_judge(1)
    where = np.zeros(SHAPE, bool)
    where[OBJECT] = True
    shown = frames[0].copy()
    shown[OBJECT] = 255
    # Beside the object only ripples differ: they pass the pixel's own level, where smoothing has carried the object to.
    quiet = np.where(where, shown, background)
    for image, margin in ((quiet, 2), (shown, 5)):
        mask = judge(image, background)[1] > 0
        assert mask[where].mean() > 0.95
        assert not mask[~ndimage.binary_dilation(where, np.ones((3, 3)), margin)].any()


def test_a_faint_object_in_a_quiet_place_is_dropped_and_one_with_a_core_is_kept_whole() -> None:
    for channels in (1, 3):
        judge, background, frames = rippling_judge(channels)
        faint, real = np.s_[10:30, 5:20], np.s_[45:65, 25:40]
        shown = frames[0].astype(float)
        for place in (faint, real):
            shown[place] = background[place].astype(float) + 30
        shown[52:59, 30:37] += 30
        difference, mask = judge(rounded(shown), background)
        plain = clean(white(difference > 25), LEAST)
        assert plain[faint].mean() > 0.9 * 255
        assert not mask[faint].any()
        assert np.array_equal(mask[40:70, 20:50], plain[40:70, 20:50])
        assert mask[real].mean() > 0.9 * 255


def test_a_core_has_some_least_areas() -> None:
    for core, kept in ((36, True), (16, False)):
        judge = Detector(Thresholds.of(SceneActivity.none(SHAPE)), LEAST)
        background = np.full(SHAPE, 100, np.uint8)
        shown = background.copy()
        shown[20:50, 20:50] = 130
        side = int(core**0.5) + 2
        shown[30 : 30 + side, 30 : 30 + side] = 160
        # The median rounds off the corners, three pixels each.
        seen = np.count_nonzero(ndimage.median_filter(white(shown == 160), 5))
        assert (seen >= SEEDS * LEAST) == kept
        assert judge(shown, background)[1].any() == kept


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), threshold=st.integers(0, 120), channels=st.sampled_from([1, 3]))
def test_a_threshold_asked_for_is_a_plain_comparison_and_the_clean_up(
    seed: int, threshold: int, channels: int
) -> None:
    rng = np.random.default_rng(seed)
    background = rounded(scene(channels))
    image = rounded(background + blobs(rng, channels, 60) + rng.normal(0, 15, background.shape))
    area = int(rng.integers(0, 120))
    difference, mask = Detector(Thresholds.fixed(SHAPE, threshold), area)(image, background)
    assert np.array_equal(difference, apart(image, background))
    assert np.array_equal(mask, clean(white(difference > threshold), area))


def test_the_holes_that_clean_up_fills_do_not_make_a_threshold_asked_for_uncertain() -> None:
    image = np.zeros(SHAPE, np.uint8)
    image[20:42, 20:42] = 200
    image[23:39, 23:39] = 0
    # Filled, it has fewer certain pixels than filled ones.
    assert Detector(Thresholds.fixed(SHAPE, 30), 250)(image, np.zeros(SHAPE, np.uint8))[1][23:39, 23:39].all()


def test_the_mask_is_that_of_the_definition() -> None:
    for channels, kind in product((1, 3), list(PARTS)):
        rng = np.random.default_rng(9)
        dynamic = np.zeros(SHAPE, bool)
        top, bottom, left, right = PARTS[kind]
        dynamic[top:bottom, left:right] = True
        if kind == "scattered":
            dynamic &= ndimage.uniform_filter(rng.random(SHAPE), 9) > 0.5
        levels = random_levels(rng, dynamic)
        background = rounded(scene(channels))
        found = 0
        for _ in range(2):
            image = rounded(background + blobs(rng, channels, 40) + rng.normal(0, 8, background.shape))
            difference, mask = Detector(levels, LEAST)(image, background)
            assert np.array_equal(difference, apart(image, background))
            assert np.array_equal(mask, defined(image, background, levels))
            found += int(np.count_nonzero(mask))
        assert 0 < found < 2 * mask.size


def test_higher_sensitivity_finds_the_faint_object_and_lower_misses_the_clear_one() -> None:
    faint, clear = np.s_[10:30, 5:20], np.s_[45:65, 25:40]
    found = {}
    for sensitivity in (0.4, 1.0, 1.5):
        judge, background, frames = rippling_judge(1, sensitivity)
        shown = frames[0].astype(float)
        shown[faint] = background[faint].astype(float) + 28
        shown[clear] = background[clear].astype(float) + 50
        mask = judge(rounded(shown), background)[1]
        found[sensitivity] = bool(mask[faint].any()), bool(mask[clear].any())
    assert found == {0.4: (False, False), 1.0: (False, True), 1.5: (True, True)}


def test_nothing_is_changed_and_several_threads_may_ask() -> None:
    judge, background, frames = rippling_judge(3)
    for frame in frames:
        frame[OBJECT] = 230
    copies = [frame.copy() for frame in frames], background.copy()
    one_by_one = [judge(frame, background) for frame in frames]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda frame: judge(frame, background), frames * 5))
    for index, (difference, mask) in enumerate(at_once):
        assert np.array_equal(difference, one_by_one[index % len(frames)][0])
        assert np.array_equal(mask, one_by_one[index % len(frames)][1])
    assert all(np.array_equal(*pair) for pair in zip(frames, copies[0], strict=True))
    assert np.array_equal(background, copies[1])
