"""Looking at parts of the picture only: what is outside does not count, and what is inside does not change."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from clip_kit import f_measure, scene

import bgsub
from bgsub import BackgroundModel, Options
from bgsub.frames.grid import Grid
from bgsub.frames.read.open import open_source
from bgsub.masks.clean import MEDIAN
from bgsub.run.reading import grid_for

SCENE = scene()
ROI = ("4,4 58,2 50,46 8,40", "0,40,20,8")
EXCLUDE = ("28,10 36,10 36,20 28,20", (40, 22, 6, 6))
SHAPED = Options(outputs="background,mask,overlay,plate", roi=ROI, exclude=EXCLUDE)


def inside_of(options: Options) -> np.ndarray:
    """Return the pixels of the scene that *options* look at."""
    outline = Grid(64, 48, True, options.scale, options.roi, options.exclude).outline
    assert outline is not None
    return outline > 0


@pytest.fixture(scope="module")
def shaped():
    return bgsub.separate(SCENE.frames, options=SHAPED)


def test_outside_everything_is_0_and_inside_the_square_is_found(shaped):
    inside = inside_of(SHAPED)
    assert 0.5 < inside.mean() < 0.8
    for name in ("background", "mask"):
        assert not shaped.layers[name][:, ~inside].any()
    assert not shaped.layers["plate"][~inside].any()
    assert f_measure(shaped.layers["mask"][:, inside], SCENE.mask[:, inside]) > 0.9


@pytest.mark.filterwarnings("ignore:from frame 0 on")
@pytest.mark.parametrize("scale", [1, pytest.param(0.75, marks=pytest.mark.slow)])
def test_a_region_changes_nothing_inside_but_what_moves_beside_it(scale):
    rng = np.random.default_rng(3)
    options = Options(outputs="background,mask,plate", rank=0, threshold=30, min_area=0, scale=scale)
    part = replace(options, roi=ROI, exclude=EXCLUDE)
    inside = inside_of(part)
    frames = SCENE.frames.copy()
    # Only far outside, so that scaling carries none of it in.
    outside = cv2.erode(np.uint8(~inside_of(replace(part, scale=1))), np.ones((5, 5))) > 0
    frames[:, outside] = rng.integers(0, 256, frames[:, outside].shape)
    whole, region = (bgsub.separate(frames, options=o).layers for o in (options, part))
    # Movement outside chooses other frames of the place beside it.
    for name, places in (("background", np.s_[:, inside]), ("plate", np.s_[inside])):
        apart = np.abs(whole[name][places].astype(int) - region[name][places])
        assert np.mean(apart > 2) < 0.01
    # The median filter looks at neighbours, which outside are not foreground.
    deep = cv2.erode(np.uint8(inside), np.ones((MEDIAN, MEDIAN)), borderValue=1) > 0
    assert whole["mask"][:, deep].any()
    assert np.mean(whole["mask"][:, deep] != region["mask"][:, deep]) < 0.001


def test_what_is_excluded_does_not_count_in_noise_flicker_rank_and_radius():
    options = Options(roi="3,3 60,3 60,44 3,44", exclude="20,10 50,10 50,40 21,40")
    inside = inside_of(options)
    frames = SCENE.frames.copy()
    frames[:, ~inside] = np.random.default_rng(3).integers(0, 256, frames[:, ~inside].shape)
    still = SCENE.frames.copy()
    still[:, ~inside] = 0
    disturbed, calm, everything = (
        bgsub.fit(frames, options),
        bgsub.fit(still, options),
        bgsub.fit(frames, Options()),
    )
    assert disturbed.report == replace(calm.report, seconds=disturbed.report.seconds)
    assert disturbed.reasons == calm.reasons
    assert np.array_equal(disturbed.ordinary, calm.ordinary)
    assert disturbed.report.noise == pytest.approx(1.35, rel=0.15)
    assert everything.report.noise > 1.25 * disturbed.report.noise
    assert np.array_equal(disturbed.components, calm.components)


@pytest.mark.parametrize(
    "changes", [{"method": "alt-pgcg"}, {"centre": "none", "gray": True}, {"sparse": "group"}]
)
def test_every_fit_leaves_the_outside_at_0(changes):
    options = replace(SHAPED, **changes)
    layers = bgsub.separate(SCENE.frames, options=options).layers
    inside = inside_of(options)
    assert not layers["background"][:, ~inside].any()
    assert not layers["plate"][~inside].any()
    assert f_measure(layers["mask"][:, inside], SCENE.mask[:, inside]) > 0.85


def test_the_share_of_foreground_is_that_of_the_pixels_inside(shaped):
    share = np.mean(shaped.layers["mask"][:, inside_of(SHAPED)] > 0)
    assert shaped.report["foreground_share"] == pytest.approx(share)


def test_light_is_followed_from_inside_alone():
    bright = scene(60, light=0.3)
    options = replace(SHAPED, roi="2,2 20,2 20,20 3,20", exclude=None)
    result = bgsub.separate(bright.frames, options=options)
    inside = inside_of(options)
    assert result.model.rank == 1
    error = result.layers["background"][:, inside].astype(int) - bright.wall[:, inside]
    assert np.sqrt(np.mean(error**2)) < 3


def test_a_mask_and_the_polygon_it_was_drawn_with_are_the_same(shaped, tmp_path):
    inside = inside_of(SHAPED)
    cv2.imwrite(str(tmp_path / "where to look.png"), np.uint8(inside) * 255)
    info = open_source(SCENE.frames).info
    for given in ({"roi": inside}, {"roi": tmp_path / "where to look.png"}, {"exclude": ~inside}):
        assert np.array_equal(grid_for(info, Options(**given)).outline > 0, inside)
    masks = bgsub.separate(SCENE.frames, options=Options(outputs="mask", **given)).layers["mask"]
    assert np.array_equal(masks, shaped.layers["mask"])


def test_the_overlay_shows_the_outline(shaped):
    overlay = shaped.layers["overlay"]
    inside = np.uint8(inside_of(SHAPED))
    edge = (inside - cv2.erode(inside, np.ones((3, 3)), borderValue=0)) > 0
    assert (overlay[:, edge] == 255).all()
    assert np.array_equal(overlay[:, 47, 40:], SCENE.frames[:, 47, 40:])


def test_a_model_keeps_its_region_without_the_picture(shaped, tmp_path):
    cv2.imwrite(str(tmp_path / "m.png"), np.uint8(inside_of(SHAPED)) * 255)
    model = bgsub.fit(SCENE.frames, Options(roi=tmp_path / "m.png", exclude=(0, 0, 9, 9)))
    model.save(tmp_path / "model.npz")
    (tmp_path / "m.png").unlink()
    loaded = BackgroundModel.load(tmp_path / "model.npz")
    assert loaded.grid == model.grid
    assert np.array_equal(loaded.apply(SCENE.frames[9]).mask, model.apply(SCENE.frames[9]).mask)


def test_the_smallest_object_is_measured_against_what_is_looked_at():
    frames = np.full((6, 500, 600), 100, np.uint8)
    frames[5, 20:26, 20:26] = 200
    kept = [
        bgsub.fit(frames, Options(roi=roi, exclude=exclude)).apply(frames[5]).mask.any()
        for roi, exclude in ((None, None), (("0,0,60,60", "590,490,10,10"), None), (None, "200,0,300,500"))
    ]
    # The median leaves 24 pixels; what is kept has 30, then none, then 15.
    assert kept == [False, True, True]


def test_the_grid_is_that_of_the_options():
    source = open_source(SCENE.frames)
    assert grid_for(source.info, SHAPED) == Grid(64, 48, True, 1, SHAPED.roi, SHAPED.exclude)


def test_the_share_of_entries_beyond_the_noise_is_that_of_the_region():
    frames = np.full((40, 48, 64, 3), 100, np.uint8)
    frames += np.random.default_rng(1).integers(0, 3, frames.shape, dtype=np.uint8)
    frames[::4, 10:30, 10:20] = 200
    region = [(0, 0, 30, 48), (62, 46, 2, 2)]
    reasons = bgsub.fit(frames, Options(roi=region, threads=1)).reasons
    inside = 30 * 48 + 2 * 2
    expected = 20 * 10 * 10 / (40 * inside)
    assert any(f"({expected:.1%} of the entries)" in reason for reason in reasons), reasons
