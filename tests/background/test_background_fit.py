"""From sampled columns to a background, with its certificate."""

from __future__ import annotations

import numpy as np
import pytest
from fit_kit import footage, sample_of

from bgsub.background.fit import STOPPING, choose_method, fit_background, thread_count
from bgsub.background.model import BackgroundModel
from bgsub.background.radii import Radii
from bgsub.options import Options

LIGHT = 1 + 0.12 * np.sin(np.arange(40) / 4)


def fitted(**options: object) -> BackgroundModel:
    return fit_background(*sample_of(footage(gains=LIGHT)[0], first=5), Options(threads=1, **options))  # type: ignore[arg-type]


def test_the_larger_ball_takes_the_projected_step() -> None:
    assert choose_method(Radii(1.0, 2.0, ()), Options())[0] == "alt-pgcg"
    assert choose_method(Radii(2.0, 1.0, ()), Options())[0] == "alt-cgpg"
    assert choose_method(Radii(1.0, 1.0, ()), Options())[0] == "alt-pgcg"


def test_the_reason_for_the_method_compares_the_radii() -> None:
    assert "s ≥ τ, so the foreground" in choose_method(Radii(1.0, 2.0, ()), Options())[1]
    assert "s < τ, so the background" in choose_method(Radii(2.0, 1.0, ()), Options())[1]


def test_the_users_method_wins() -> None:
    method, reason = choose_method(Radii(2.0, 1.0, ()), Options(method="alt-cgpg"))
    assert (method, reason) == ("alt-cgpg", "method alt-cgpg: as asked for")


def test_a_method_that_cannot_work_on_the_footage_names_the_better_one() -> None:
    method, reason = choose_method(Radii(1.0, 2.0, ()), Options(method="alt-cgpg"))
    assert method == "alt-cgpg"
    assert "as asked for; alt-pgcg is better where s > τ" in reason


def test_the_users_number_of_threads_wins() -> None:
    assert thread_count(Options(threads=3)) == 3
    assert thread_count(Options()) >= 1


@pytest.mark.parametrize("method", ["auto", "alt-pgcg", "alt-cgpg"])
@pytest.mark.parametrize("centre", ["median", "none"])
def test_converged_is_said_only_with_a_gap_within_the_tolerance(method: str, centre: str) -> None:
    report = fitted(method=method, centre=centre).report
    assert report.gap >= 0
    assert report.objective <= report.initial_objective
    assert 1 <= report.iterations <= STOPPING.max_iterations
    proven = report.gap <= STOPPING.gap_tolerance * report.initial_objective
    assert (report.status == "converged") == proven


def test_the_gap_bounds_the_distance_from_a_longer_runs_objective() -> None:
    frames = footage(gains=LIGHT)[0]
    model = fitted()
    report = model.report
    from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, Stopping, alt_pgcg, solve

    matrix = frames.reshape(len(frames), -1)
    problem = SplitProblem(
        matrix, NuclearNormBall(report.tau), L1Ball(report.sparsity), offset=np.median(matrix, axis=0)
    )
    stop = Stopping(max_iterations=300, gap_tolerance=1e-7, change_tolerance=0)
    best = solve(problem, alt_pgcg(), stop=stop, threads=1).objective
    assert best <= report.objective * (1 + 1e-6)
    assert report.objective - best <= report.gap


def test_the_certificate_is_reported_in_numbers_and_words() -> None:
    report = fitted().report
    words = report.certificate()
    assert f"{report.status} after {report.iterations} iterations" in words
    assert f"certified within {report.gap:.2g} of the optimum" in words
    start = 0.5 * float(((footage(gains=LIGHT)[0] - np.median(footage(gains=LIGHT)[0], axis=0)) ** 2).sum())
    assert report.initial_objective == pytest.approx(start, rel=1e-4)


def test_the_report_says_what_was_fitted_and_why() -> None:
    model = fitted()
    report = model.report
    assert (report.first, report.frames, report.columns, report.rank) == (5, 40, 40, model.rank)
    assert [reason.split()[0] for reason in model.reasons] == ["method", "τ′", "s", "rank", "threshold"]
    assert report.outlier == max(3 * report.noise, 8)


def test_a_fit_does_not_depend_on_the_number_of_threads() -> None:
    one = fitted()
    two = fit_background(*sample_of(footage(gains=LIGHT)[0]), Options(threads=2))
    assert np.array_equal(one.offset, two.offset)
    assert np.array_equal(one.components, two.components)
    assert one.report.gap == two.report.gap


def test_every_iteration_is_told() -> None:
    calls: list[int] = []
    sample, grid = sample_of(footage(gains=LIGHT)[0])
    model = fit_background(sample, grid, Options(threads=1), lambda: calls.append(1))
    assert len(calls) == model.report.iterations + 1


def test_the_components_are_orthonormal_and_follow_the_light() -> None:
    model = fitted(rank=1)
    assert model.components.dtype == np.float32
    assert model.components.T @ model.components == pytest.approx(np.eye(1), abs=1e-3)
    frames = footage(gains=LIGHT)[0]
    light = [float(model.apply(frame).coefficients[0]) for frame in frames]
    assert abs(np.corrcoef(light, LIGHT)[0, 1]) > 0.999


@pytest.mark.parametrize("centre", ["median", "none"])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_the_rank_asked_for_is_kept_and_one_more_without_a_centre(centre: str, rank: int) -> None:
    model = fitted(method="alt-pgcg", centre=centre, rank=rank)
    assert model.rank == rank + (centre == "none")


@pytest.mark.parametrize("centre", ["median", "none"])
def test_the_projection_on_the_low_rank_ball_has_room_for_the_rank_asked_for(centre: str) -> None:
    # Hardly any foreground and a large τ: everything that moves is the background's.
    model = fitted(method="alt-cgpg", centre=centre, rank=3, sparsity=1.0, tau=1e6)
    assert model.rank == 3 + (centre == "none")


def test_flicker_raises_the_threshold_where_the_scene_waves() -> None:
    frames = footage()[0]
    frames[::2, :, 30:] //= 2
    model = fit_background(*sample_of(frames), Options(threads=1))
    assert model.flicker.shape == (36, 48)
    assert model.flicker[:, 36:].min() > 20
    assert model.flicker[:, :24].max() < 3
