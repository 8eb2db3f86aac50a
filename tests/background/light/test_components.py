"""Which components belong to the background."""

from __future__ import annotations

import numpy as np
import pytest
from fit_kit import residual_of

from bgsub.background.light.components import Scene, followed, select, texture_kept
from bgsub.background.scene.noise import Residual


def unit(vector: np.ndarray) -> np.ndarray:
    return np.float32(vector / np.linalg.norm(vector))


def leading(values: np.ndarray, count: int) -> np.ndarray:
    """Right singular vectors of clipped values, as columns."""
    return np.float32(np.linalg.svd(np.clip(values, -8, 8), full_matrices=False)[2][:count].T)


def noise(count: int, rows: int) -> np.ndarray:
    return np.random.default_rng(4).normal(0, 1, (count, rows))


def scene(always: int, rows: int) -> Scene:
    """A gray scene of so many pixels in lines of 10, some dark and some bright."""
    centre = np.float32(100 + 50 * np.sin(np.arange(rows)))
    return Scene(centre, np.arange(rows), (rows // 10, 10, 1), always)


def covered(component: np.ndarray, residual: Residual, outlier: float) -> float:
    """Return the coverage of one component, which does not depend on another one beside it."""
    alone = followed(component[:, None], residual, outlier)[1].mean(axis=1)
    other = np.float32(np.random.default_rng(1).normal(size=component.shape))
    both = followed(np.stack([other, component], axis=1), residual, outlier)[1].mean(axis=1)
    assert both[1] == alone[0]
    return float(alone[0])


def test_coverage_is_the_share_of_pixels_that_follow() -> None:
    for share in (0.1, 0.34, 0.36, 0.5, 1.0):
        rows = 1000
        part = np.arange(rows) < share * rows
        values = noise(60, rows)
        values[:, part] += 5 * np.sin(np.arange(60))[:, None]
        assert covered(unit(part), residual_of(values), 8) == pytest.approx(share, abs=0.005)


def test_a_pixel_that_follows_in_one_channel_follows() -> None:
    part = np.arange(900) % 3 == 1
    values = 0.1 * noise(40, 900)
    values[:, part] += 5 * np.sin(np.arange(40))[:, None]
    assert covered(unit(part), residual_of(values, channels=3), 8) == 1


def test_a_pixel_follows_from_a_fifth_of_its_variation_on() -> None:
    common = np.sin(np.arange(4000))[:, None] * np.sqrt(2)
    share = np.repeat([0.1, 0.17, 0.23], 100)
    values = np.sqrt(share) * common + np.sqrt(1 - share) * noise(4000, 300)
    component = unit(np.sqrt(share))
    assert covered(component, residual_of(values), 1e9) == pytest.approx(1 / 3)


def test_nothing_follows_a_component_of_zeros_or_in_a_scene_without_change() -> None:
    assert covered(np.zeros(50, np.float32), residual_of(noise(9, 50)), 8) == 0
    assert covered(unit(np.ones(50)), residual_of(np.zeros((9, 50))), 8) == 0


def test_a_change_of_light_is_kept_and_a_slow_object_is_not() -> None:
    values = noise(60, 2000)
    values += 4 * np.sin(np.arange(60) / 5)[:, None] * np.linspace(0.6, 1.4, 2000)
    values[20:50, :300] = 90
    components = leading(values, 2)
    kept, reason = select(components, residual_of(values), 8, None, scene(0, 2000))
    assert kept.tolist() == [0]
    assert reason.startswith("rank 1: ")
    assert "35%" in reason


def test_a_curtain_over_half_of_the_picture_whose_folds_swing_by_themselves_is_not_kept() -> None:
    values = noise(80, 2000)
    for fold in range(5):
        values[:, 200 * fold : 200 * fold + 200] += 7 * np.sin(np.arange(80)[:, None] * (0.3 + 0.17 * fold))
    kept, reason = select(leading(values, 5), residual_of(values), 8, None, scene(0, 2000))
    assert len(kept) == 0
    assert reason.startswith("rank 0: ")


def test_without_components_nothing_is_kept_and_the_reason_says_so() -> None:
    kept, reason = select(np.zeros((20, 0), np.float32), residual_of(noise(5, 20)), 8, None, scene(1, 20))
    assert len(kept) == 0
    assert "found: none" in reason


def test_the_background_itself_is_kept_in_any_case() -> None:
    values = noise(30, 500)
    kept, _ = select(leading(values, 3), residual_of(values), 8, None, scene(1, 500))
    assert kept.tolist() == [0]


def test_a_rank_asked_for_is_kept_whatever_it_covers() -> None:
    values = noise(30, 500)
    kept, reason = select(leading(values, 4), residual_of(values), 8, 2, scene(0, 500))
    assert kept.tolist() == [0, 1]
    assert reason == "rank 2: as asked for"
    kept, reason = select(leading(values, 4), residual_of(values), 8, 2, scene(1, 500))
    assert kept.tolist() == [0, 1, 2]
    assert "one for the background itself" in reason


def test_more_rank_than_there_is_gives_what_there_is_and_says_so() -> None:
    values = noise(30, 500)
    kept, reason = select(leading(values, 2), residual_of(values), 8, 9, scene(0, 500))
    assert kept.tolist() == [0, 1]
    assert reason == "rank 2: 9 asked for, but the frames have no more to explain within τ"


def test_what_the_whole_picture_feels_is_kept_only_if_it_is_light() -> None:
    seen = scene(0, 2000)
    where = seen.places[:, 0]
    even, uneven = 0.05 * seen.centre + 2, (0.06 + 0.05 * where) * seen.centre
    folds = 8 * np.sign(np.random.default_rng(2).normal(size=2000))
    for pattern, kept in ((even, [0]), (uneven, [0]), (folds, [])):
        values = noise(60, 2000) + np.sin(np.arange(60) / 5)[:, None] * pattern
        found, reason = select(leading(values, 1), residual_of(values), 20, None, seen)
        assert found.tolist() == kept
        assert "be light" in reason


def test_places_are_those_of_the_sampled_pixels_and_values_their_channels() -> None:
    rows = np.array([0, 1, 2, 57, 58, 59])
    seen = Scene(np.arange(60, dtype=np.float32), rows, (2, 10, 3))
    assert seen.places.tolist() == [[-0.5, -0.5], [0.4, 0.0]]
    assert seen.values(seen.centre).tolist() == [[0, 1, 2], [57, 58, 59]]


def footage_of(light: np.ndarray, truck: slice | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Frames of 40 × 50 gray pixels in that light, and the ground; a flat thing is before 60 % of it for a while."""
    ground = np.float32(110 + 40 * np.sin(np.arange(2000) * 1.7))
    frames = light[:, None] * ground + noise(len(light), 2000)
    if truck is not None:
        frames[truck, 200:1400] = 225
    return np.clip(np.rint(frames), 0, 255), ground


def kept(light: np.ndarray, truck: slice | None = None) -> tuple[int, str]:
    frames, ground = footage_of(light, truck)
    residual = residual_of(frames, ground)
    component = np.float32(np.linalg.svd(residual.values, full_matrices=False)[2][:1].T)
    found, reason = select(component, residual, 12.0, None, Scene(ground, np.arange(2000), (40, 50, 1)))
    return len(found), reason


def test_a_thing_before_most_of_the_picture_is_no_light_though_it_undoes_what_is_seen() -> None:
    count, reason = kept(np.ones(40), slice(10, 20))
    assert count == 0
    assert "%, but without the texture of the scene" in reason


def test_light_leaves_the_scene_its_texture() -> None:
    for dimmest in (0.1, 0.5, 1.4):
        count, reason = kept(np.linspace(1, dimmest, 40))
        assert count == 1
        assert "texture" not in reason


def test_a_plain_wall_has_no_texture_to_lose() -> None:
    frames = 100.0 + noise(40, 2000)
    residual = residual_of(frames, np.full(2000, 100, np.float32))
    plain = Scene(np.full(2000, 100, np.float32), np.arange(2000), (40, 50, 1))
    everywhere = np.ones(2000, bool)
    assert texture_kept(np.arange(40, dtype=np.float32), everywhere, residual, plain, 8.0) == 1
    assert texture_kept(np.arange(40, dtype=np.float32), ~everywhere, residual, plain, 8.0) == 1


def test_pictures_without_any_contrast_are_clipped_and_tell_nothing() -> None:
    frames, ground = footage_of(np.ones(40))
    frames[10:20] = 0
    everywhere, seen = np.ones(2000, bool), Scene(ground, np.arange(2000), (40, 50, 1))
    dark = np.where(frames[:, 0] == 0, 1, 0).astype(np.float32)
    assert texture_kept(dark, everywhere, residual_of(frames, ground), seen, 12.0) == 1
