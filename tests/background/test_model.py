"""Frames held against a background."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from fit_kit import footage, model_of, rounded, sample_of, wall

from bgsub.background.model import BackgroundModel
from bgsub.errors import InputError
from bgsub.frames.grid import Grid
from bgsub.options.table import Options
from bgsub.run.pipeline import fit


def changing_light(strength: float, count: int = 40) -> np.ndarray:
    return 1 + strength * np.sin(np.arange(count) / 4)


@cache
def fitted(strength: float, channels: int) -> BackgroundModel:
    frames = footage(gains=changing_light(strength), channels=channels)[0]
    return BackgroundModel.fit(*sample_of(frames), Options(threads=1, min_area=0))


@pytest.mark.parametrize(("channels", "strength", "error"), [(1, 0, 0.5), (3, 0.05, 1.6), (3, 0.12, 3.5)])
def test_the_fitted_frames_show_their_background_and_their_foreground(
    channels: int, strength: float, error: float
) -> None:
    # The light alone moves the picture by up to 7 and 20 grey levels.
    frames, truth, where = footage(gains=changing_light(strength), channels=channels)
    model = fitted(strength, channels)
    assert model.rank == (strength > 0)
    for frame, background, walker in zip(frames, truth, where, strict=True):
        parts = model.apply(frame)
        assert parts.background.shape == frame.shape
        assert np.abs(parts.background - background).mean() < error
        # The median rounds the corners of an 8 × 8 square off: 12 of its 64 pixels.
        assert (parts.mask[walker] == 255).mean() > 0.75
        assert (parts.mask[~walker] == 255).mean() < 0.02


def test_without_a_centre_the_background_is_found_as_a_component() -> None:
    frames, truth, where = footage(gains=changing_light(0.05))
    options = Options(threads=1, min_area=0, centre="none", rank=0)
    model = BackgroundModel.fit(*sample_of(frames), options)
    assert not model.offset.any()
    assert model.rank == 1
    for frame, background, walker in zip(frames[::5], truth[::5], where[::5], strict=True):
        parts = model.apply(frame)
        assert np.abs(parts.background - background).mean() < 6
        # The median rounds the corners of an 8 × 8 square off: 12 of its 64 pixels.
        assert (parts.mask[walker] == 255).mean() > 0.75


def test_the_parts_are_what_the_model_says() -> None:
    for channels in (1, 3):
        frames, _, where = footage(channels=channels)
        picture = wall(channels=channels)
        frame, walker = frames[10], where[10]
        parts = model_of(Grid(48, 36, channels == 3), picture, threshold=25).apply(frame)
        difference = np.abs(frame.astype(int) - rounded(picture)).reshape(36, 48, -1).max(axis=2)
        assert np.array_equal(parts.image, frame)
        assert np.array_equal(parts.background, np.floor(picture + 0.5).astype(np.uint8))
        assert np.abs(parts.score.astype(int) - difference).max() <= 1
        assert np.array_equal(parts.mask > 0, walker & (parts.mask > 0))
        assert set(np.unique(parts.mask)) == {0, 255}


def test_a_score_equal_to_the_threshold_is_background_and_one_more_is_not() -> None:
    model = model_of(Grid(20, 20, False), np.full((20, 20), 100), threshold=30)
    assert not model.apply(np.full((20, 20), 130, np.uint8)).mask.any()
    assert model.apply(np.full((20, 20), 131, np.uint8)).mask.all()


def test_outside_of_the_region_everything_is_zero_and_inside_nothing_is_different() -> None:
    picture, (frames, *_) = wall(), footage()
    grid = Grid(48, 36, True, roi=(8, 6, 30, 20))
    whole = model_of(Grid(48, 36, True), picture).apply(frames[20])
    part = model_of(grid, picture[6:26, 8:38]).apply(frames[20])
    assert np.array_equal(part.image, frames[20])
    for name in ("background", "score"):
        inside = np.zeros((36, 48), bool)
        inside[6:26, 8:38] = True
        assert not getattr(part, name)[~inside].any()
        assert np.array_equal(getattr(part, name)[inside], getattr(whole, name)[inside])
    assert part.mask.shape == (36, 48)
    assert part.mask[6:26, 8:38].any()
    assert not part.mask[:, :8].any()


def test_the_parts_do_not_share_memory_with_the_model_and_the_frame_stays() -> None:
    model = model_of(Grid(48, 36, True), wall())
    frame = footage()[0][3]
    before, first = frame.copy(), model.apply(frame)
    kept = first.background.copy()
    first.background[:] = first.score[:] = first.mask[:] = 7
    assert np.array_equal(frame, before)
    assert np.array_equal(model.apply(frame).background, kept)


def test_a_scaled_model_gives_scaled_parts() -> None:
    grid = Grid(48, 36, True, scale=0.5)
    parts = model_of(grid, np.full(grid.rows, 100)).apply(footage()[0][5])
    assert parts.image.shape == parts.background.shape == (18, 24, 3)
    assert parts.mask.shape == (18, 24)


def test_the_plate_is_the_offset_and_the_typical_share_of_each_component() -> None:
    grid = Grid(48, 36, True, roi=(0, 0, 48, 18))
    component = np.full((grid.rows, 1), 1 / np.sqrt(grid.rows))
    model = model_of(grid, wall()[:18], component, np.array([10 * np.sqrt(grid.rows)]))
    plate = model.plate()
    assert plate.shape == (36, 48, 3)
    assert np.abs(plate[:18] - (wall()[:18] + 10)).max() <= 0.51
    assert not plate[18:].any()


def test_the_plate_of_a_fit_is_the_scene_in_typical_light() -> None:
    typical = wall() * np.median(changing_light(0.12))
    assert np.abs(fitted(0.12, 3).plate() - typical).mean() < 1.5


def test_an_option_that_no_fit_takes_is_refused_by_its_name() -> None:
    model = model_of(Grid(6, 5, False), np.zeros(30))
    wrong = {"threshold": (-1.0, 300.0, np.nan), "sensitivity": (0.0, -1.0, np.nan), "shadows": ("foo",)}
    wrong |= {"min_area": (-3,), "seed": (-1,)}
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(InputError, match=f"^{name} of a background model: "):
                replace(model, **{name: value})


def test_an_array_of_another_shape_or_type_is_refused() -> None:
    for name in ("offset", "components", "typical"):
        model = model_of(Grid(6, 5, False), np.zeros(30))
        given = {field: getattr(model, field) for field in model.__dataclass_fields__ if field[0] != "_"}
        for wrong in (np.zeros((3, 4, 2), np.float32), given[name].astype(np.float64)):
            with pytest.raises(InputError, match=f"{name} of a background model must be float32 of shape"):
                BackgroundModel(**{**given, name: wrong})


def test_a_map_of_another_shape_is_refused() -> None:
    model = model_of(Grid(6, 5, False), np.zeros(30))
    with pytest.raises(InputError, match=r"ordinary of a background model must be float32 of shape \(5, 6\)"):
        replace(model, ordinary=np.zeros((5, 5), np.float32))


def test_the_reasons_end_with_the_threshold() -> None:
    reasons = model_of(Grid(6, 5, False), np.zeros(30), threshold=40).reasons
    assert reasons == ("because", "threshold 40 grey levels: as asked for")


def test_two_models_can_be_compared_and_kept_in_a_set() -> None:
    first, second = (model_of(Grid(6, 5, False), np.zeros(30)) for _ in range(2))
    assert first != second
    assert len({first, first, second}) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repr(first).startswith("<BackgroundModel of 6 × 5 pixels in gray, rank 0")


def test_a_still_background_is_the_callers_to_change() -> None:
    rng = np.random.default_rng(0)
    frames = rng.integers(100, 106, (30, 24, 32, 3)).astype(np.uint8)
    model = fit(frames, Options(rank=0, threads=1))
    first = model.apply(frames[0]).background
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(model.apply(frames[0]).background, kept)
    assert np.array_equal(model.plate(), kept)


def test_frames_may_share_a_background_that_stays_but_not_write_to_it() -> None:
    rng = np.random.default_rng(0)
    frames = rng.integers(100, 106, (30, 24, 32, 3)).astype(np.uint8)
    model = fit(frames, Options(rank=0, threads=1))
    first, second = (model.apply(frame, shared=True).background for frame in frames[:2])
    assert first is second
    assert not first.flags.writeable
    own = model.apply(frames[0]).background
    assert np.array_equal(own, first)
    assert own.flags.writeable
