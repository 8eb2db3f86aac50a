"""From sampled columns to a background, with its certificate."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from fit_kit import footage, sample_of

from bgsub.background.fit import _memory
from bgsub.background.model import BackgroundModel
from bgsub.background.split.split import split
from bgsub.frames.grid import Grid
from bgsub.frames.read.array import ArraySource
from bgsub.frames.sample import sample_segments
from bgsub.options.table import Options
from bgsub.run.budget import Need, make_plan
from bgsub.solver import L1Ball, NuclearNormBall, SplitProblem, Stopping, alt_pgpg, solve

LIGHT = 1 + 0.12 * np.sin(np.arange(40) / 4)


@cache
def fitted(**options: object) -> BackgroundModel:
    return BackgroundModel.fit(*sample_of(footage(gains=LIGHT)[0], first=5), Options(threads=1, **options))  # type: ignore[arg-type]


def test_the_users_number_of_threads_wins() -> None:
    assert Options(threads=3).thread_count == 3
    assert Options().thread_count >= 1


def test_the_gap_bounds_the_distance_from_the_objective_of_a_run_to_the_end() -> None:
    frames = footage(gains=LIGHT)[0]
    model = fitted()
    report = model.report
    matrix = frames.reshape(len(frames), -1)
    problem = SplitProblem(matrix, NuclearNormBall(report.tau), L1Ball(report.sparsity), offset=model.offset)
    stop = Stopping(max_iterations=3000, gap_tolerance=1e-7, change_tolerance=0)
    best = solve(problem, alt_pgpg(), stop=stop, threads=1).objective
    assert best <= report.objective * (1 + 1e-6)
    assert report.objective - best <= report.gap


def test_the_certificate_is_reported_in_numbers_and_words() -> None:
    model = fitted()
    report = model.report
    words = report.certificate()
    assert f"{report.status} after {report.iterations} iterations" in words
    assert f"certified within {report.gap:.2g} of the optimum" in words
    assert " after 1 iteration; certified" in replace(report, iterations=1).certificate()
    frames = footage(gains=LIGHT)[0].reshape(40, -1)
    start = 0.5 * float(((frames - model.offset) ** 2).sum())
    assert report.initial_objective == pytest.approx(start, rel=1e-4)


def test_the_report_says_what_was_fitted_and_why() -> None:
    model = fitted()
    report = model.report
    assert (report.first, report.frames, report.columns, report.rank) == (5, 40, 40, model.rank)
    assert [reason.split()[0] for reason in model.reasons] == [
        "method",
        "stabilisation",
        "ground:",
        "confidence",
        "light",
        "τ′",
        "s",
        "rank",
        "threshold",
    ]
    assert report.outlier == max(3 * report.noise, 8)


def test_a_fit_that_keeps_whole_arrays_says_how_much_they_take() -> None:
    report = fitted(method="alt-pgpg").report
    labels = [reason.split()[0] for reason in report.reasons]
    assert labels == [
        "method",
        "stabilisation",
        "ground:",
        "confidence",
        "light",
        "τ′",
        "s",
        "rank",
        "memory:",
    ]
    taken = 40 * ((72 + 1) * 36 * 48 * 3 + 80_000)
    assert f"{-(-taken // 10**6)} MB for 40 columns" in report.reasons[-1]
    assert "than may be used" not in report.reasons[-1]


def test_columns_left_out_for_want_of_memory_are_told() -> None:
    sample, grid = sample_of(footage(gains=LIGHT)[0])
    few = replace(sample, frames=1000)
    [told] = _memory(few, grid, Options(method="alt-pgpg"))
    assert told.endswith("MB for 40 columns, since 50 would need more than may be used")
    [asked] = _memory(few, grid, Options(method="alt-pgpg", columns=40))
    assert asked.endswith("MB for 40 columns")


def test_a_run_tells_the_memory_of_its_plan_though_it_keeps_fewer_columns_than_there_is_room_for() -> None:
    clip, grid = footage(gains=LIGHT)[0], Grid(48, 36, True)
    options = Options(threads=1, memory=Need.of(grid, Options(threads=1), 30, False).peak)
    plan = make_plan(grid, options, len(clip))
    assert plan.columns == 30
    [sample] = sample_segments(ArraySource(clip), grid, plan.capacity, len(clip), options.segment)
    assert len(sample.matrix) < 30
    assert _memory(sample, grid, options) == (f"memory: {plan.reason}",)


def test_a_fit_does_not_depend_on_the_number_of_threads() -> None:
    # By default, and with whole arrays.
    for choice in ({}, {"method": "alt-pgpg"}):
        one = fitted(**choice)
        two = BackgroundModel.fit(*sample_of(footage(gains=LIGHT)[0]), Options(threads=2, **choice))
        assert np.array_equal(one.offset, two.offset)
        assert np.array_equal(one.components, two.components)
        assert one.report.gap == two.report.gap


def test_every_iteration_is_told() -> None:
    calls: list[int] = []
    sample, grid = sample_of(footage()[0])
    model = BackgroundModel.fit(sample, grid, Options(threads=1), lambda: calls.append(1))
    assert len(calls) == model.report.iterations + 1


def test_where_light_changes_those_of_the_first_split_are_told_too() -> None:
    calls: list[int] = []
    sample, grid = sample_of(footage(gains=LIGHT)[0])
    found = split(sample.matrix.frames, grid.channels, Options(threads=1), lambda: calls.append(1))
    assert len(calls) > found.solution.iterations + 2


def test_the_components_are_orthonormal_and_follow_the_light() -> None:
    model = fitted()
    assert model.components.dtype == np.float32
    assert model.components.T @ model.components == pytest.approx(np.eye(1), abs=1e-3)
    frames = footage(gains=LIGHT)[0]
    light = [float(model.apply(frame).coefficients[0]) for frame in frames]
    assert abs(np.corrcoef(light, LIGHT)[0, 1]) > 0.999


def test_the_rank_asked_for_is_kept_and_one_more_without_a_centre() -> None:
    assert fitted(rank=2).rank == 2
    assert fitted(method="alt-pgcg", rank=1, centre="none").rank == 2


def test_the_projection_on_the_low_rank_ball_has_room_for_the_rank_asked_for() -> None:
    # Hardly any foreground and a large τ: everything that moves is the background's.
    assert fitted(method="alt-cgpg", centre="none", rank=3, sparsity=1.0, tau=1e6).rank == 3 + 1


def test_where_the_scene_waves_more_is_needed() -> None:
    frames = footage()[0]
    waves = np.random.default_rng(3).normal(0, 30, frames[:, :, 30:].shape)
    frames[:, :, 30:] = np.clip(frames[:, :, 30:] + waves, 0, 255)
    model = BackgroundModel.fit(*sample_of(frames), Options(threads=1))
    assert model.ordinary.shape == (36, 48)
    assert model.ordinary[:, 36:].min() > 2 * model.ordinary[:, :24].max()


def test_the_foreground_of_a_frame_is_there_whether_it_was_written_down_or_not() -> None:
    sample, grid = sample_of(footage(gains=LIGHT)[0])
    frames = sample.matrix.frames
    for method in ("auto", "alt-pgcg"):
        found = split(frames, grid.channels, Options(threads=1, method=method)).solution
        y = np.stack([found.foreground(frames, i) for i in range(len(frames))])
        assert (found.sparse is None) == (method == "auto")
        residual = found.low_rank.dense() + y - frames
        assert np.vdot(residual, residual) / 2 == pytest.approx(found.objective, rel=1e-3)


def test_the_default_is_proven_nearer_to_the_optimum_than_the_paper_s_method_on_all_rows() -> None:
    # So little light that the problem is solved once: two first splits would leave two problems.
    sample, grid = sample_of(footage(gains=1 + (LIGHT - 1) / 6)[0])
    frames = sample.matrix.frames
    found = [
        split(frames, grid.channels, Options(threads=1, method=method)) for method in ("auto", "alt-pgcg")
    ]
    assert not any(each.basis.reason for each in found)
    sampled, whole = (each.solution for each in found)
    assert sampled.initial_objective == pytest.approx(whole.initial_objective, rel=1e-5)
    assert sampled.gap <= 5e-3 * sampled.initial_objective
    assert sampled.objective <= whole.objective + sampled.gap
    assert whole.objective - whole.gap <= sampled.objective
