"""Sampled frames held against their background."""

from __future__ import annotations

import numpy as np

from bgsub.background.scene.judged import Judge
from bgsub.masks.significance import QUANTISATION

SHAPE = 60, 80
COUNT = 30


def judge(noise: np.ndarray, threads: int = 1, passes: bool = True) -> Judge:
    rng = np.random.default_rng(4)
    background = np.full(SHAPE, 120, np.uint8)
    frames = np.clip(np.rint(120 + noise * rng.normal(0, 1, (COUNT, *SHAPE))), 0, 255).astype(np.uint8)
    shown = np.ones((COUNT, *SHAPE), np.uint8)
    if passes:
        for t in range(COUNT):
            frames[t, 20:40, 2 * t : 2 * t + 15] = 200
            shown[t, 20:40, 2 * t : 2 * t + 15] = 0
    return Judge(lambda j: (frames[j], background), shown.reshape(COUNT, -1), SHAPE, None, threads)


def test_the_unit_is_what_the_empty_scene_deviates_by_and_the_level_lies_below_the_object():
    found = judge(np.full(SHAPE, 3.0)).judged()
    # The median of the mean of nine, 0.67 times a third of 3 grey levels.
    assert np.allclose(np.median(found.ordinary), 0.67, atol=0.15)
    assert 3 < found.level * np.median(found.ordinary) < 70
    assert np.allclose(found.seen[20:40, 20:50], 1 - 7.5 / COUNT, atol=0.1)
    assert (found.seen[50:] == 1).all()
    assert found.confidence(None) == 1


def test_a_place_that_is_hardly_ever_seen_takes_away_confidence():
    covered = np.zeros((COUNT, *SHAPE), np.uint8)
    covered[3:, :20] = 80
    shown = (covered == 0).astype(np.uint8).reshape(COUNT, -1)
    found = Judge(lambda j: (covered[j], covered[0]), shown, SHAPE, None, 1).judged()
    assert abs(found.confidence(None) - 2 / 3) < 0.02
    bottom = np.zeros(SHAPE, bool)
    bottom[30:] = True
    assert found.confidence(bottom) == 1


def test_a_place_that_moves_has_a_unit_of_its_own():
    noise = np.full(SHAPE, 3.0)
    noise[:, 60:] = 30
    unit = judge(noise, passes=False).ordinary
    assert 3 < np.median(unit[:, 66:]) / np.median(unit[:, :50]) < 7


def test_without_noise_half_a_grey_level_is_the_unit():
    assert (judge(np.zeros(SHAPE)).ordinary[:10] == QUANTISATION / 2).all()


def test_the_number_of_threads_changes_nothing():
    one, two = (judge(np.full(SHAPE, 3.0), threads).judged() for threads in (1, 3))
    assert one.level == two.level
    assert np.array_equal(one.seen, two.seen)
    assert np.array_equal(one.ordinary, two.ordinary)
