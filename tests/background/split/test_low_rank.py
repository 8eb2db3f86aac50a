"""The term of the background: radius or weight from the data, with its reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fit_kit import objects_in_light, residual_of, sampled

from bgsub.background.scene.noise import sample_residual
from bgsub.background.split.low_rank import choose_low_rank, noise_edge, spectrum
from bgsub.background.split.terms import Chosen
from bgsub.options.table import Options
from bgsub.solver import NuclearNormBall, NuclearNormPenalty

LEVELS = (1.0, 8.0)


def planted(values: list[float], count: int = 30, rows: int = 60_000) -> np.ndarray:
    """Return a matrix with these singular values, its right vectors spread over all rows."""
    rng = np.random.default_rng(2)
    left = np.linalg.qr(rng.normal(size=(count, len(values)))).Q
    right = np.linalg.qr(rng.normal(size=(rows, len(values)))).Q
    return (left * values) @ right.T


def chosen(**options: object) -> tuple[Chosen, np.ndarray, np.ndarray]:
    frames = objects_in_light()
    centre, residual = sampled(frames)
    return choose_low_rank(centre, residual, LEVELS, Options(**options)), frames, centre  # type: ignore[arg-type]


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


def test_known_light_is_not_clipped_and_what_deviates_from_it_is() -> None:
    rng = np.random.default_rng(4)
    light = np.outer(np.sin(np.arange(20)), rng.uniform(50, 100, 300))
    residual = residual_of(light + 500 * (rng.random((20, 300)) < 0.1))
    expected = light + np.clip(residual.values - light, -8, 8)
    found = spectrum(residual, 8, light.astype(np.float32))
    assert found[:3] == pytest.approx(np.linalg.svd(expected, compute_uv=False)[:3], rel=1e-3)
    assert found[0] > 5 * spectrum(residual, 8)[0]


def test_white_noise_stays_within_its_edge() -> None:
    for size in ((20, 2000), (100, 100)):
        noise = np.random.default_rng(1).normal(0, 3, size)
        edge = noise_edge(3, *size)
        assert 0.9 * edge < np.linalg.norm(noise, 2) < 1.01 * edge


def test_tau_is_the_leading_value_beyond_the_noise_edge() -> None:
    ball, frames, centre = chosen()
    tau = ball.values["tau"]
    assert ball.term == NuclearNormBall(tau)
    assert ball.radius == tau == pytest.approx(tau_by_definition(frames, centre, 1), rel=1e-3)
    assert f"τ′ = {tau:.3g}" in ball.reasons[0]
    assert "σ = 1.0" in ball.reasons[0]
    assert "up to 8.0 grey levels" in ball.reasons[0]


def test_a_rank_adds_as_many_values_and_rank_zero_is_judged_like_one() -> None:
    two, frames, centre = chosen(rank=2)
    assert two.radius == pytest.approx(tau_by_definition(frames, centre, 2), rel=1e-3)
    assert two.radius > 1.2 * chosen(rank=1)[0].radius
    assert "leading singular values (2)" in two.reasons[0]
    assert chosen(rank=0)[0].radius == chosen()[0].radius


def test_without_a_centre_the_ball_also_holds_the_background() -> None:
    centred, frames, centre = chosen()
    ball = chosen(centre="none")[0]
    background = np.linalg.norm(np.tile(centre, (len(frames), 1)), "nuc")
    assert ball.radius == pytest.approx(centred.radius + background, rel=1e-4)
    assert "for the background itself" in ball.reasons[0]


def test_the_users_radius_wins() -> None:
    ball, *_ = chosen(tau=123.0)
    assert (ball.term, ball.reasons) == (NuclearNormBall(123), ("τ′ = 123: as asked for",))


def test_a_tau_below_the_background_itself_is_called_a_trap_only_without_a_centre() -> None:
    assert "expect a dim picture" in chosen(tau=50.0, centre="none")[0].reasons[0]
    assert "dim" not in chosen(tau=50.0)[0].reasons[0]
    assert "dim" not in chosen(tau=1e9, centre="none")[0].reasons[0]


def test_a_scene_in_which_nothing_happens_has_a_ball_of_one_grey_level() -> None:
    centre, residual = sampled(np.full((5, 40), 90, np.uint8))
    ball = choose_low_rank(centre, residual, (0.3, 8.0), Options())
    assert ball.radius == 1
    assert "1 at least" in ball.reasons[0]


def test_the_weight_of_a_penalty_lies_above_noise_and_keeps_small_things_out() -> None:
    penalty, frames, _ = chosen(low_rank="nuclear-penalty")
    weight = penalty.values["weight"]
    assert penalty.term == NuclearNormPenalty(weight)
    assert penalty.radius is None
    assert weight == pytest.approx(8 * math.sqrt(3000))
    assert weight > noise_edge(LEVELS[0], *frames.shape)
    # A thing of any brightness: as foreground it costs 8 a grey level, as background the weight times its norm.
    for share, cheaper in ((0.9, "foreground"), (1.1, "background")):
        thing = np.zeros(frames.shape)
        thing[:10, : round(share * 300)] = 70
        costs = {"foreground": 8 * thing.sum(), "background": weight * np.linalg.norm(thing, "nuc")}
        assert min(costs, key=costs.__getitem__) == cheaper
    assert f"μ = {weight:.3g}: outlier level 8.0 times √3000" in penalty.reasons[0]


def test_the_users_weight_wins() -> None:
    penalty, *_ = chosen(low_rank="nuclear-penalty", weight=77.0)
    assert (penalty.term, penalty.reasons) == (NuclearNormPenalty(77), ("μ = 77: as asked for",))
