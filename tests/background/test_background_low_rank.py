"""The radii of the two balls, and their reasons."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fit_kit import residual_of, rounded, sampled

from bgsub.background.noise import sample_residual
from bgsub.background.radii import Radii, choose_radii, noise_edge, spectrum
from bgsub.options import Options

LEVELS = (1.0, 8.0)


def planted(values: list[float], count: int = 30, rows: int = 60_000) -> np.ndarray:
    """Return a matrix with these singular values, its right vectors spread over all rows."""
    rng = np.random.default_rng(2)
    left = np.linalg.qr(rng.normal(size=(count, len(values)))).Q
    right = np.linalg.qr(rng.normal(size=(rows, len(values)))).Q
    return (left * values) @ right.T


def scene(count: int = 30, rows: int = 3000) -> np.ndarray:
    """Return frames under two changes of light, with noise and objects."""
    rng = np.random.default_rng(3)
    base = rng.uniform(60, 180, rows)
    frames = base * (1 + 0.02 * np.sin(np.arange(count))[:, None])
    frames += 2 * np.cos(np.arange(count) * 0.7)[:, None] * rng.choice([-1, 1], rows)
    frames += rng.normal(0, 1, frames.shape)
    frames[rng.random(frames.shape) < 0.05] = 240
    return rounded(frames)


def chosen(**options: object) -> tuple[Radii, np.ndarray, np.ndarray]:
    frames = scene()
    centre, residual = sampled(frames)
    return choose_radii(frames, centre, residual, LEVELS, Options(**options)), frames, centre  # type: ignore[arg-type]


def tau_by_definition(frames: np.ndarray, centre: np.ndarray, rank: int) -> float:
    clipped = np.clip(frames - centre.astype(float), -8, 8)
    edge = math.sqrt(frames.shape[1]) + math.sqrt(len(frames))
    return float(np.maximum(np.linalg.svd(clipped, compute_uv=False)[:rank] - edge, 0).sum())


def test_the_singular_values_are_recovered_from_a_third_of_the_rows() -> None:
    values = [2000.0, 900.0, 400.0]
    matrix = planted(values).astype(np.float32)
    residual = sample_residual(matrix, np.zeros(60_000, np.float32), 3, 0)  # type: ignore[arg-type]
    assert residual.values.shape[1] < 20_001
    found = spectrum(residual, outlier=1e9)
    assert found[:3] == pytest.approx(values, rel=0.03)
    assert found[3:].max() < 1


def test_what_exceeds_the_outlier_level_is_clipped_before_its_energy_is_taken() -> None:
    frames = np.zeros((4, 9))
    frames[:, 0] = 500
    assert spectrum(residual_of(frames), 8)[0] == pytest.approx(8 * 2)


@pytest.mark.parametrize("size", [(20, 2000), (100, 100)])
def test_white_noise_stays_within_its_edge(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).normal(0, 3, size)
    edge = noise_edge(3, *size)
    assert 0.9 * edge < np.linalg.norm(noise, 2) < 1.01 * edge


def test_sparsity_is_the_sum_of_what_exceeds_the_outlier_level() -> None:
    radii, frames, centre = chosen()
    excess = np.maximum(np.abs(frames - centre.astype(float)) - 8, 0)
    assert radii.sparsity == pytest.approx(excess.sum())
    share = f"{np.mean(excess > 0):.1%}"
    assert f"s = {radii.sparsity:.3g}" in radii.reasons[1]
    assert "more than 8.0 grey levels" in radii.reasons[1]
    assert share in radii.reasons[1]


def test_tau_is_the_leading_value_beyond_the_noise_edge() -> None:
    radii, frames, centre = chosen()
    assert radii.tau == pytest.approx(tau_by_definition(frames, centre, 1), rel=1e-3)
    assert f"τ′ = {radii.tau:.3g}" in radii.reasons[0]
    assert "σ = 1.0" in radii.reasons[0]
    assert "at most 8.0 grey levels" in radii.reasons[0]


def test_a_rank_adds_as_many_values_and_rank_zero_is_judged_like_one() -> None:
    two, frames, centre = chosen(rank=2)
    assert two.tau == pytest.approx(tau_by_definition(frames, centre, 2), rel=1e-3)
    assert two.tau > 1.2 * chosen(rank=1)[0].tau
    assert "leading 2 values" in two.reasons[0]
    assert chosen(rank=0)[0].tau == chosen()[0].tau


def test_without_a_centre_the_ball_also_holds_the_background() -> None:
    centred, frames, centre = chosen()
    radii = chosen(centre="none")[0]
    background = np.linalg.norm(np.tile(centre, (len(frames), 1)), "nuc")
    assert radii.tau == pytest.approx(centred.tau + background, rel=1e-4)
    assert "for the background itself" in radii.reasons[0]
    assert radii.sparsity == centred.sparsity


def test_the_users_radii_win() -> None:
    radii, *_ = chosen(tau=123.0, sparsity=456.0)
    assert (radii.tau, radii.sparsity) == (123, 456)
    assert radii.reasons == ("τ′ = 123: as asked for", "s = 456: as asked for")


def test_a_tau_below_the_background_itself_is_called_a_trap_only_without_a_centre() -> None:
    assert "expect a dim picture" in chosen(tau=50.0, centre="none")[0].reasons[0]
    assert "dim" not in chosen(tau=50.0)[0].reasons[0]
    assert "dim" not in chosen(tau=1e9, centre="none")[0].reasons[0]


def test_a_scene_in_which_nothing_happens_has_balls_of_one_grey_level() -> None:
    frames = np.full((5, 40), 90, np.uint8)
    centre, residual = sampled(frames)
    radii = choose_radii(frames, centre, residual, (0.3, 8.0), Options())
    assert (radii.tau, radii.sparsity) == (1, 1)
    assert "0.0% of the entries" in radii.reasons[1]
