"""The scenes of which every visit and every place is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmark import events


def table(rows: list[tuple[int, int, float, float]]) -> np.ndarray:
    return np.array(rows, [("frame", "i8"), ("track", "i8"), ("cx", "f8"), ("cy", "f8")])


def test_a_judge_of_tracks_counts_errors_and_switches():
    truth = np.array([[[10.0 + t, 20.0], [50.0 - t, 60.0]] for t in range(10)])
    right = [(t + 1, k + 1, *truth[t, k]) for t in range(10) for k in range(2)]
    found = events.judge(table(right), truth, 10)
    assert (found.followed, found.error, found.switches, found.tracks) == (1, 0, 0, 2)
    off = [(frame, track, x + 3, y) for frame, track, x, y in right if frame < 10]
    found = events.judge(table(off), truth, 10)
    assert (found.followed, found.error, found.switches) == (0.9, 3, 0)
    swapped = [(frame, track if frame < 6 else 3 - track, x, y) for frame, track, x, y in right]
    assert events.judge(table(swapped), truth, 10).switches == 2


@pytest.mark.slow
def test_forty_visits_are_found_and_nothing_else(tmp_path: Path):
    found = events.visits(4, 600, tmp_path)
    assert found.visits == 40
    assert found.exact >= 38
    assert found.false <= 2


@pytest.mark.slow
def test_two_animals_are_followed_through_rest_and_crossings(tmp_path: Path):
    found = events.animals(4, 60, tmp_path)
    assert found.followed > 0.99
    assert found.error < 1
    assert found.switches <= 1
