"""Which frames show the ground, by what changes around a place."""

from __future__ import annotations

import numpy as np

from bgsub.background.ground.stillness import at_rest
from bgsub.masks.decisions import DECIDED

COUNT, SHAPE = 40, (64, 80)
RNG = np.random.default_rng(2)


def test_while_something_moves_nearby_a_place_is_not_at_rest():
    changes = RNG.integers(0, 3, (COUNT, *SHAPE)).astype(np.uint8)
    changes[:20, 30:34, 30:34] = 90
    shown = at_rest(changes)
    assert not shown[:20, 30:34, 30:34].any()
    assert shown[20:, 30:34, 30:34].mean() > 0.9
    assert shown[:, 30, 60].mean() > 0.9


def test_where_something_always_moves_the_calmest_frames_count_at_least():
    changes = np.zeros((COUNT, *SHAPE), np.uint8)
    for t in range(COUNT):
        changes[t, :, t % 8 :: 8] = 90
    changes[5:10] = 0
    shown = at_rest(changes)
    assert (shown.sum(axis=0) >= DECIDED.calmest - 1).all()
    assert (shown.sum(axis=0) % 2 == 1).all()


def test_what_calms_the_water_is_not_what_the_water_shows():
    changes = np.abs(RNG.normal(0, 20, (COUNT, *SHAPE))).clip(0, 255).astype(np.uint8)
    changes[10:24, 20:50, 20:60] = 1
    shown = at_rest(changes)[:, 30:40, 30:50]
    assert shown[10:24].sum() < 0.5 * shown.sum()
