"""Centre and noise anew, in the light that a first split has found."""

from __future__ import annotations

import numpy as np
import pytest
from fit_kit import rounded

from bgsub.background.split.basis import BLOCK, Basis, Shown
from bgsub.background.split.split import split
from bgsub.options.table import Options
from bgsub.solver.spectra.atoms import LowRank

COUNT, ROWS = 60, BLOCK + 3000
LIGHT = 1 + 0.3 * np.sin(np.arange(COUNT) / 10)
PASSES = slice(0, 2000)
"""Rows that a dark thing covers while the light is at its brightest, for a quarter of the time."""


def scene(light: np.ndarray = LIGHT) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(n, rows)`` frames under *light*, and the ground in the light that is most common."""
    rng = np.random.default_rng(3)
    ground = rng.uniform(40, 180, ROWS)
    frames = light[:, None] * ground + rng.normal(0, 2, (COUNT, ROWS))
    brightest = np.argsort(light)[-COUNT // 4 :]
    frames[brightest, PASSES] = 15
    return rounded(frames), np.median(light) * ground


def light_of(light: np.ndarray, ground: np.ndarray) -> LowRank:
    """Return what *light* makes of the ground beyond what is most common."""
    usual = np.median(light)
    left, right = (light - usual) / usual, ground
    return LowRank(left[:, None].astype(np.float32), right[:, None].astype(np.float32))


def basis_of(frames: np.ndarray) -> Basis:
    return Basis.of(frames, np.median(frames, axis=0).astype(np.float32), 1)


def test_the_centre_anew_is_the_ground_where_the_median_is_that_of_a_darker_moment() -> None:
    frames, ground = scene()
    basis = basis_of(frames)
    anew = basis.anew(light_of(LIGHT, ground), frames)
    assert anew is not None
    before, after = (np.abs(each.centre - ground)[PASSES] for each in (basis, anew))
    assert np.median(before) > 5
    assert np.quantile(after, 0.99) < 2
    assert np.quantile(np.abs(anew.centre - ground), 0.99) < 2


def test_the_noise_anew_is_that_of_the_frames_in_one_light() -> None:
    frames, ground = scene()
    basis = basis_of(frames)
    anew = basis.anew(light_of(LIGHT, ground), frames)
    assert anew is not None
    assert basis.noise > 10
    assert anew.noise == pytest.approx(2, rel=0.1)
    assert anew.levels == (anew.noise, 8)
    assert f"from σ = {basis.noise:.1f} to {anew.noise:.1f}" in anew.reason


def test_the_residual_anew_is_about_the_new_centre_and_its_light_is_known() -> None:
    frames, ground = scene()
    found = light_of(LIGHT, ground)
    anew = basis_of(frames).anew(found, frames)
    assert anew is not None
    rows = anew.residual.rows
    np.testing.assert_allclose(anew.residual.values, frames[:, rows] - anew.centre[rows], atol=1e-3)
    np.testing.assert_allclose(anew.light, found.dense()[:, rows], rtol=1e-5)
    np.testing.assert_allclose(anew.unlit.values, anew.residual.values - anew.light)


def test_in_a_steady_light_nothing_is_found_anew() -> None:
    steady = 1 + 0.005 * np.sin(np.arange(COUNT) / 10)
    frames, ground = scene(steady)
    assert basis_of(frames).anew(light_of(steady, ground), frames) is None
    empty = LowRank(np.zeros((COUNT, 0), np.float32), np.zeros((ROWS, 0), np.float32))
    assert basis_of(frames).anew(empty, frames) is None


def test_what_covers_a_third_of_the_places_is_no_light() -> None:
    frames, _ = scene(np.ones(COUNT))
    part = np.zeros(ROWS)
    part[: ROWS // 3] = 60
    swing = np.sin(np.arange(COUNT) / 3)
    frames = rounded(frames + swing[:, None] * part)
    found = LowRank(swing[:, None].astype(np.float32), part[:, None].astype(np.float32))
    assert basis_of(frames).anew(found, frames) is None


def test_only_frames_that_show_the_ground_count_at_each_place() -> None:
    frames, ground = scene()
    basis, light = basis_of(frames), light_of(LIGHT, ground)
    shown = np.ones((len(frames), ROWS), np.uint8)
    covered = frames.copy()
    covered[::2, 500:1500], shown[::2, 500:1500] = 255, 0
    used = np.arange(len(frames))
    free, told = (
        basis.anew(light, frames),
        basis.anew(light, covered, Shown(used, shown, np.zeros(ROWS, bool)), threads=2),
    )
    assert free is not None
    assert told is not None
    assert np.array_equal(np.delete(told.centre, np.s_[500:1500]), np.delete(free.centre, np.s_[500:1500]))
    assert np.abs(told.centre[500:1500] - free.centre[500:1500]).mean() < 2


@pytest.mark.parametrize(
    "options",
    [
        Options(threads=1),
        Options(threads=1, sparse="elastic-net"),
        pytest.param(Options(threads=1, method="alt-pgcg", sparse="lp"), marks=pytest.mark.slow),
        Options(threads=1, sparse="group"),
    ],
    ids=lambda options: f"{options.method}-{options.sparse}",
)
def test_a_split_finds_the_light_by_itself_and_its_radii_are_those_of_what_is_left(options: Options) -> None:
    frames, ground = scene()
    first = basis_of(frames)
    found = split(frames, 1, options)
    assert found.reasons[0].startswith("light changes: ")
    assert found.basis.light is None
    assert found.levels[0] < 0.5 * first.noise
    assert np.quantile(np.abs(found.centre - ground)[PASSES.stop :], 0.95) < 3
    level = found.terms[1].values.get("lambda1", found.levels[1])
    assert level == found.levels[1]
    told = [reason for reason in found.reasons if "up to" in reason or "more than" in reason]
    assert told
    assert all(f"{level:.1f} grey levels" in reason for reason in told)
    assert "from that light" in " ".join(found.reasons)


def test_a_split_about_nothing_is_not_made_twice() -> None:
    frames, _ = scene()
    assert not split(frames, 1, Options(threads=1, centre="none", method="alt-pgcg")).basis.reason
