"""Fits and models of a camera that shakes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from fit_kit import sample_of
from numpy.typing import NDArray

from bgsub.background.model import BackgroundModel
from bgsub.background.stabilise.steady import make_steady
from bgsub.errors import BgsubWarning
from bgsub.frames.grid import Grid
from bgsub.frames.sample import Sample
from bgsub.options.table import Options
from bgsub.run.pipeline import separate

HEIGHT, WIDTH, COUNT = 96, 128, 40
MARGIN = 12


def texture(channels: int) -> NDArray[np.uint8]:
    """A picture with edges at every scale, with a margin that a shaking camera may show."""
    rng = np.random.default_rng(7)
    out = np.zeros((HEIGHT + 2 * MARGIN, WIDTH + 2 * MARGIN, 3), np.float32)
    for side in (4, 8, 16, 40):
        noise = rng.uniform(0, 1, (out.shape[0] // side + 1, out.shape[1] // side + 1, 3)).astype(np.float32)
        out += cv2.resize(noise, out.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    picture = (40 + 45 * out).clip(0, 255).astype(np.uint8)
    return picture if channels == 3 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


@cache
def shaken(
    channels: int = 3, sigma: float = 2.5
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.float64]]:
    """Frames seen by a shaking camera, where a bright block walks in each, and the shifts (x, y)."""
    rng = np.random.default_rng(3)
    scene, shifts = texture(channels), rng.normal(0, sigma, (COUNT, 2)).clip(-8, 8)
    frames, where = [], np.zeros((COUNT, HEIGHT, WIDTH), bool)
    for index, (x, y) in enumerate(shifts):
        motion = np.array([[1, 0, -MARGIN - x], [0, 1, -MARGIN - y]])
        frame = cv2.warpAffine(scene, motion, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC)
        left = 10 + 2 * index
        frame[40:60, left : left + 12] = 250
        where[index, 40:60, left : left + 12] = True
        frames.append(np.clip(frame + rng.normal(0, 2, frame.shape), 0, 255).round().astype(np.uint8))
    return np.stack(frames), where, shifts


@cache
def fitted(stabilise: str) -> BackgroundModel:
    return BackgroundModel.fit(*sample_of(shaken()[0]), Options(threads=1, stabilise=stabilise))


def apart(sample: Sample, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean difference of each pair."""
    frames, followers = sample.matrix.frames, sample.followers.frames
    return np.abs(frames[pairs[:, 0]].astype(float) - followers[pairs[:, 1]]).mean(axis=1)


def test_the_columns_of_a_shaking_camera_come_to_rest_and_so_do_their_followers() -> None:
    frames, *_ = shaken(3)
    sample, grid = sample_of(frames)
    pairs = np.stack(
        [np.arange(len(sample.followers)) * sample.every, np.arange(len(sample.followers))], axis=1
    )
    before = np.median(apart(sample, pairs))
    steady = make_steady(sample, grid, "auto", 1)
    assert steady.kind in ("translation", "affine")
    assert steady.reason.startswith(f"stabilisation {steady.kind}: ")
    assert np.median(apart(sample, steady.pairs)) < 0.5 * before
    spread = np.quantile(sample.matrix.frames.astype(np.float32), [0.25, 0.75], axis=0)
    assert np.median(spread[1] - spread[0]) < 5


def test_a_still_camera_is_left_alone() -> None:
    frames = np.repeat(texture(3)[None, MARGIN:-MARGIN, MARGIN:-MARGIN], COUNT, axis=0)
    frames = np.clip(frames + np.random.default_rng(1).normal(0, 2, frames.shape), 0, 255).astype(np.uint8)
    sample, grid = sample_of(frames)
    steady = make_steady(sample, grid, "auto", 1)
    assert (steady.kind, steady.reference) == ("off", None)
    assert np.array_equal(sample.matrix.frames, frames.reshape(COUNT, -1))
    assert np.array_equal(steady.pairs[:, 0], steady.pairs[:, 1] * sample.every)
    assert steady.pairs[:, 0].max() < COUNT


@pytest.mark.parametrize("stabilise", ["translation", "affine", pytest.param("auto", marks=pytest.mark.slow)])
def test_masks_and_backgrounds_are_in_the_places_of_the_frame(stabilise: str, tmp_path: Path) -> None:
    frames, where, shifts = shaken()
    model = fitted(stabilise)
    model.save(tmp_path / "model.npz")
    again = BackgroundModel.load(tmp_path / "model.npz")
    hits = found = true = 0
    for index in range(0, COUNT, 4):
        parts, same = model.apply(frames[index]), again.apply(frames[index])
        assert np.array_equal(parts.mask, same.mask)
        assert np.array_equal(parts.background, same.background)
        inner = np.zeros((HEIGHT, WIDTH), bool)
        inner[10:-10, 10:-10] = True
        mask, truth = (parts.mask == 255) & inner, where[index] & inner
        hits, found, true = hits + (mask & truth).sum(), found + mask.sum(), true + truth.sum()
        x, y = shifts[index]
        ideal = cv2.warpAffine(
            texture(3), np.array([[1, 0, -MARGIN - x], [0, 1, -MARGIN - y]]), (WIDTH, HEIGHT)
        )
        assert np.abs(parts.background.astype(int) - ideal)[inner].mean() < 5
    assert 2 * hits / (found + true) > 0.9


def test_off_is_off() -> None:
    sample, grid = sample_of(shaken()[0])
    steady = make_steady(sample, grid, "off", 1)
    assert (steady.kind, steady.reference) == ("off", None)
    assert steady.reason == "stabilisation off: as asked for"
    assert np.array_equal(sample.matrix.frames, shaken()[0].reshape(COUNT, -1))


def test_outside_of_a_region_the_columns_are_zero_and_inside_they_are_not() -> None:
    grid = Grid(WIDTH, HEIGHT, True, roi=("5,4 120,10 100,90 12,80",))
    assert grid.inside is not None
    top, bottom, left, right = grid.region
    for wanted in ("off", "translation"):
        sample, _ = sample_of(np.stack([frame[top:bottom, left:right] for frame in shaken()[0][:12]]))
        steady = make_steady(sample, grid, wanted, 1)
        assert steady.kind == wanted
        columns = sample.matrix.frames.reshape(-1, *grid.shape, 3)
        assert not columns[:, ~grid.inside].any()
        assert columns[:, grid.inside].all(axis=2).mean() > 0.99


PARTS = [(8, 10, 24, 70), (40, 10, 24, 70), (72, 10, 24, 70)]


@pytest.mark.slow
def test_a_region_in_parts_is_followed_as_the_whole_picture_is() -> None:
    frames, *_ = shaken()
    reports = {}
    for name, roi in (("whole", None), ("parts", PARTS)):
        options = Options(threads=1, roi=roi, outputs=("mask", "background"))
        result = separate(frames, options=options)
        inside = np.ones((HEIGHT, WIDTH), bool) if roi is None else result.model.grid.outline > 0
        reports[name] = result.model.stabilise, result.layers["mask"], result.layers["background"], inside
        assert left(result.model.reasons) < 30
    assert reports["parts"][0] == reports["whole"][0] != "off"
    inside = reports["parts"][3]
    deep = cv2.erode(inside.astype(np.uint8), np.ones((17, 17), np.uint8)) > 0
    assert (reports["parts"][1][:, deep] != reports["whole"][1][:, deep]).mean() < 0.01
    # No dark strip comes into the background at the edges of the parts.
    difference = np.abs(reports["parts"][2].astype(int) - reports["whole"][2])[:, inside]
    assert np.quantile(difference, 0.99) < 40


def left(reasons: tuple[str, ...]) -> int:
    """How many per cent of the difference alignment leaves."""
    return int(re.findall(r"leaves (\d+)%", " ".join(reasons))[0])


def test_frames_that_cannot_be_followed_are_counted_and_told() -> None:
    lost = shaken()[0][:24].copy()
    lost[[7, 20]] = np.random.default_rng(1).integers(0, 256, lost[:2].shape)
    with pytest.warns(BgsubWarning, match="2 of 24 frames could not be registered"):
        report = separate(lost, options=Options(threads=1, stabilise="translation", outputs=("mask",))).report
    assert report["frames"]["unregistered"] == 2
    assert any("could not be registered" in line for line in report["warnings"])
    assert [fitted("translation").apply(frame).registered for frame in lost[6:8]] == [True, False]


@pytest.mark.slow
def test_what_moves_at_the_border_is_in_no_background_because_of_a_region() -> None:
    frames = shaken()[0].copy()
    frames[::5, 30:50, -10:] = (255, 0, 0)
    backgrounds = {}
    for exclude in (None, (0, 0, 1, 1)):
        options = Options(threads=1, exclude=exclude, stabilise="translation", outputs=("background",))
        backgrounds[exclude] = separate(frames, options=options).layers["background"].astype(int)
    strip = np.s_[:, 30:50, -10:]
    red = {key: (each[strip][..., 0] - each[strip][..., 1] > 200).sum() for key, each in backgrounds.items()}
    assert red[0, 0, 1, 1] <= red[None] + 5
    assert np.abs(backgrounds[None] - backgrounds[0, 0, 1, 1])[:, 8:, 8:].mean() < 2


def test_no_rank_is_said_to_be_asked_for_where_none_was() -> None:
    followed = fitted("translation").reasons
    assert "rank 0: the light of each frame is found with its motion" in followed
    asked = BackgroundModel.fit(
        *sample_of(shaken()[0][:16]), Options(threads=1, stabilise="translation", rank=0)
    ).reasons
    assert any(reason.startswith("rank 0: as asked for") for reason in asked)
