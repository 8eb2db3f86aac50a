"""Footage that is hardly footage: every kind fits and applies, quietly, with finite numbers."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from fit_kit import rounded, sample_of, wall

from bgsub.background.model import BackgroundModel
from bgsub.options.table import Options


def equal_frames() -> np.ndarray:
    return np.repeat(rounded(wall())[None], 10, axis=0)


def black() -> np.ndarray:
    return np.zeros((8, 12, 16, 3), np.uint8)


def white() -> np.ndarray:
    return np.full((8, 12, 16), 255, np.uint8)


def black_and_white_in_turn() -> np.ndarray:
    frames = np.zeros((9, 12, 16), np.uint8)
    frames[::2] = 255
    return frames


def three_frames() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (3, 9, 7, 3), dtype=np.uint8)


def one_pixel() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (20, 1, 1), dtype=np.uint8)


def one_colour_pixel() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (20, 1, 1, 3), dtype=np.uint8)


def one_column() -> np.ndarray:
    return np.random.default_rng(0).integers(90, 110, (20, 30, 1, 3), dtype=np.uint8)


def one_line() -> np.ndarray:
    return np.random.default_rng(0).integers(90, 110, (20, 1, 4), dtype=np.uint8)


def huge_noise() -> np.ndarray:
    return rounded(128 + np.random.default_rng(0).normal(0, 80, (30, 24, 32, 3)))


def saturated() -> np.ndarray:
    gains = 1 + np.sin(np.arange(30) / 3)[:, None, None, None]
    return rounded(3 * wall()[None] * gains)


EXTREMES = [
    *(equal_frames, black, white, black_and_white_in_turn, three_frames, one_pixel, one_colour_pixel),
    *(one_column, one_line, huge_noise, saturated),
]
OPTIONS = [
    Options(threads=2),
    Options(threads=1, rank=3),
    Options(threads=1, centre="none"),
    Options(threads=1, method="alt-cgpg", rank=5),
    Options(threads=1, threshold=255, min_area=100),
    Options(threads=1, method="alt-pgpg", sparse="lp", delta=1e-3),
    Options(threads=1, method="cgcg-p", sparse="group"),
    Options(threads=1, low_rank="nuclear-penalty", sparse="elastic-net"),
]


def check_fit(frames: np.ndarray, options: Options, path: Path) -> None:
    model = BackgroundModel.fit(*sample_of(frames), options)
    report = model.report
    numbers = (report.tau, report.weight, report.sparsity, report.noise, report.objective, report.gap)
    assert all(math.isfinite(number) for number in numbers if number is not None)
    assert np.isfinite(model.components).all()
    assert "nan" not in report.certificate()
    for frame in frames[:3]:
        parts = model.apply(frame)
        assert parts.background.shape == parts.image.shape == frame.shape
        assert parts.score.shape == parts.mask.shape == frame.shape[:2]
        assert np.isin(parts.mask, (0, 255)).all()
        assert np.isfinite(parts.coefficients).all()
    model.save(path)
    assert np.array_equal(BackgroundModel.load(path).plate(), model.plate())


@pytest.mark.parametrize("make", EXTREMES)
def test_extreme_footage_is_fitted_applied_and_kept(make, tmp_path) -> None:
    check_fit(make(), OPTIONS[0], tmp_path / "model.npz")


def test_extreme_footage_is_fitted_with_other_options(tmp_path) -> None:
    for options, make in product(OPTIONS[1:], (black, three_frames, one_colour_pixel)):
        check_fit(make(), options, tmp_path / "model.npz")


@pytest.mark.slow
@pytest.mark.parametrize("make", EXTREMES)
def test_all_extreme_footage_is_fitted_with_other_options(make, tmp_path) -> None:
    for options in OPTIONS[1:]:
        check_fit(make(), options, tmp_path / "model.npz")


def test_a_scene_without_change_is_its_own_background_and_has_no_foreground() -> None:
    for make, centre in product((equal_frames, black, white), ("median", "none")):
        frames = make()
        model = BackgroundModel.fit(*sample_of(frames), Options(threads=1, centre=centre))
        parts = model.apply(frames[0])
        assert np.abs(parts.background.astype(int) - frames[0]).max() <= 1
        assert not parts.mask.any()
        assert np.abs(model.plate().astype(int) - frames[0]).max() <= 1


def test_more_rank_than_there_is_says_how_much_there_was() -> None:
    model = BackgroundModel.fit(*sample_of(equal_frames()), Options(threads=1, rank=4))
    assert model.rank == 0
    assert any("rank 0: 4 asked for" in reason for reason in model.reasons)
    few = BackgroundModel.fit(*sample_of(three_frames()), Options(threads=1, rank=64))
    assert few.rank <= 3


def test_noise_alone_is_no_foreground_to_speak_of() -> None:
    frames = rounded(128 + np.random.default_rng(1).normal(0, 25, (24, 36, 48)))
    model = BackgroundModel.fit(*sample_of(frames), Options(threads=1))
    share = np.mean([model.apply(frame).mask.mean() / 255 for frame in frames])
    assert share < 0.02
