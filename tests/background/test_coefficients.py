"""The robust fit of a frame's coefficients."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from bgsub.background.coefficients import ROWS, Coefficients


def components(rows: int, rank: int) -> np.ndarray:
    return np.float32(np.linalg.qr(np.random.default_rng(6).normal(size=(rows, rank)) + 0.5).Q)


def test_a_frame_of_the_model_gives_its_coefficients() -> None:
    # One component that is the same everywhere, one that has either sign: their sums are whole grey levels.
    sign = np.where(np.arange(3000) % 2, 1, -1)
    basis = np.float32(np.stack([np.ones(3000), sign], axis=1) / np.sqrt(3000))
    offset = np.float32(np.random.default_rng(0).integers(90, 150, 3000))
    wanted = np.array([12, -5]) * np.sqrt(3000)
    frame = np.rint(offset + basis @ wanted).astype(np.uint8)
    found = Coefficients.of(offset, basis, 8.0, 0)(frame)
    assert found.dtype == np.float32
    assert found == pytest.approx(wanted, rel=1e-4)


def test_only_rows_inside_are_looked_at() -> None:
    inside = np.random.default_rng(2).random(4 * ROWS) < 0.5
    basis = components(4 * ROWS, 2)
    found = Coefficients.of(np.zeros(4 * ROWS, np.float32), basis, 8.0, 0, inside)
    assert len(np.unique(found.rows)) == ROWS
    assert inside[found.rows].all()
    few = Coefficients.of(np.zeros(40, np.float32), components(40, 1), 8.0, 0, inside[:40])
    assert np.array_equal(few.rows, np.flatnonzero(inside[:40]))


def huber(coefficients: np.ndarray, difference: np.ndarray, basis: np.ndarray) -> float:
    size = np.abs(difference - basis.astype(float) @ coefficients)
    return float(np.where(size <= 8, size**2 / 2, 8 * size - 32).sum())


def test_the_coefficients_minimise_the_huber_loss() -> None:
    for seed, rank in product(range(3), (1, 2, 3)):
        rng = np.random.default_rng(seed)
        basis, offset = components(400, rank), np.full(400, 128, np.float32)
        frame = offset + basis @ rng.normal(0, 60, rank) + rng.normal(0, 3, 400)
        frame[rng.random(400) < 0.25] = rng.uniform(0, 255)
        frame = np.clip(np.rint(frame), 0, 255).astype(np.uint8)
        given = frame - offset, basis
        found = Coefficients.of(offset, basis, 8.0, 0)(frame)
        best, fresh = (
            minimize(huber, start, given, method="BFGS", options={"gtol": 1e-6})
            for start in (found.astype(float), np.zeros(rank))
        )
        assert huber(found, *given) <= min(best.fun, fresh.fun) * (1 + 1e-4)
        # In grey levels: what the difference does to the picture.
        assert np.abs(basis @ (found - best.x)).max() < 0.1


def test_an_object_over_a_third_of_the_picture_shifts_the_background_by_less_than_the_huber_bound() -> None:
    basis = np.full((6000, 1), 1 / np.sqrt(6000), np.float32)
    offset = np.float32(np.random.default_rng(1).integers(40, 90, 6000))
    frame = np.rint(offset + 20).astype(np.uint8)
    frame[:1800] = 250
    shift = Coefficients.of(offset, basis, 8.0, 0)(frame)[0] / np.sqrt(6000) - 20
    # Each row of the object pulls by at most 8 levels, and all the others have to hold against it.
    assert shift == pytest.approx(8 * 0.3 / 0.7, abs=0.1)
    least_squares = np.mean(frame - offset) - 20
    assert least_squares > 40


def test_where_an_object_cancels_a_change_of_the_scene_in_the_mean_both_are_found() -> None:
    # Four of five rows are 4 brighter, one is 16 darker: least squares sees no change at all.
    change = np.where(np.arange(1000) % 5, 4, -16)
    basis = np.full((1000, 1), 1 / np.sqrt(1000), np.float32)
    found = Coefficients.of(np.full(1000, 128, np.float32), basis, 2.0, 0)((128 + change).astype(np.uint8))
    # Σ ψ = 800·(4 − c) − 200·2 = 0
    assert found / np.sqrt(1000) == pytest.approx([3.5], abs=0.02)


def test_without_components_there_are_no_coefficients() -> None:
    finder = Coefficients.of(np.zeros(50, np.float32), np.zeros((50, 0), np.float32), 8.0, 0)
    found = finder(np.full(50, 200, np.uint8))
    assert found.shape == (0,)
    assert found.dtype == np.float32


def test_at_most_eight_thousand_rows_are_looked_at_and_the_seed_decides_which() -> None:
    offset, basis = np.zeros(30_000, np.float32), components(30_000, 1)
    first, again, other = (Coefficients.of(offset, basis, 8.0, seed).rows for seed in (0, 0, 1))
    assert len(np.unique(first)) == ROWS
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert len(Coefficients.of(offset[:30], basis[:30], 8.0, 0).rows) == 30


def test_a_component_that_the_rows_do_not_see_is_left_at_zero() -> None:
    basis = np.zeros((400, 2), np.float32)
    basis[:, 0] = 1 / 20
    finder = Coefficients.of(np.full(400, 100, np.float32), basis, 8.0, 0)
    assert finder(np.full(400, 104, np.uint8)) == pytest.approx([80, 0], abs=1e-3)
