"""Whether a track goes somewhere."""

from __future__ import annotations

import numpy as np
import pytest
from event_kit import thing

from bgsub.events.track import Track, middle

RATE = 25


def track_of(boxes) -> Track:
    track = Track.of(0, thing(boxes[0]), 0.0, 1 / RATE)
    for t, box in enumerate(boxes[1:], 1):
        track.see(thing(box), t / RATE, 1 / RATE)
    return track


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("speed", [0.5, 2.0, 10.0])
def test_whoever_walks_goes_somewhere_though_the_outline_flickers(seed, speed):
    rng = np.random.default_rng(seed)
    flicker = rng.integers(-1, 2, (60, 4)) if speed > 0.5 else np.zeros((60, 4), int)
    boxes = [
        (round(20 + speed * t) + dx, 30 + dy, 14 + dw, 40 + dh)
        for t, (dx, dy, dw, dh) in enumerate(flicker.tolist())
    ]
    assert track_of(boxes).goes_somewhere


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("reach", [2, 8, 25])
def test_what_flickers_about_its_place_does_not(seed, reach):
    rng = np.random.default_rng(seed)
    boxes = [
        (100 + int(x), 50 + int(y), int(w), int(h)) for x, y, w, h in rng.integers(1, reach + 1, (200, 4))
    ]
    track = Track.of(0, thing(boxes[0]), 0.0, 1 / RATE)
    for t, box in enumerate(boxes[1:], 1):
        track.see(thing(box), t / RATE, 1 / RATE)
        assert not track.goes_somewhere, t


@pytest.mark.parametrize("leap", [3, 8, 15])
def test_the_next_digit_of_a_clock_does_not(leap):
    boxes = [(50 + leap * (t // RATE % 2), 20, 4, 9) for t in range(10 * RATE)]
    assert not track_of(boxes).goes_somewhere


def test_a_prediction_of_constant_velocity_is_exact_for_constant_velocity():
    track = track_of([(10 + 4 * t, 20 + 2 * t, 10, 20) for t in range(40)])
    ahead = middle(track.expected((40 + 9) / RATE))
    assert ahead == pytest.approx([10 + 4 * 49 + 5, 20 + 2 * 49 + 10], abs=0.01)


def test_a_size_follows_slowly_and_a_place_at_once():
    track = track_of([(50, 50, 20, 20)] * 30 + [(50, 50, 60, 20)])
    assert 20 < track.size[0] < 25
    assert abs(middle(track.box)[0] - 80) < abs(middle(track.box)[0] - 60)


@pytest.mark.parametrize(("rate", "turns"), [(5, 0.5), (10, 1.0), (25, 1.0), (25, 2.0), (50, 1.0), (50, 2.0)])
def test_whoever_zigzags_goes_somewhere_at_any_frame_rate_that_shows_it(rate, turns):
    track = None
    for t in range(4 * rate):
        angle = 2 * np.pi * turns * t / rate
        box = round(20 + 60 * t / rate), round(100 + 20 * np.sin(angle)), 12, 12
        if track is None:
            track = Track.of(0, thing(box), 0.0, 1 / rate)
        else:
            track.see(thing(box), t / rate, 1 / rate)
    assert track.goes_somewhere


@pytest.mark.parametrize("seed", range(20))
def test_a_branch_that_sways_widely_does_not(seed):
    rng = np.random.default_rng(seed)
    track = None
    for t in range(60):
        sway, flicker = 15 * np.sin(2 * np.pi * t / 40 + seed), rng.integers(-1, 2, 4)
        place = np.array([100 + round(sway), 50 + round(sway / 2), 5, 5])
        x, y, width, height = (place + flicker).tolist()
        box = x, y, width, height
        if track is None:
            track = Track.of(0, thing(box), 0.0, 0.1)
        else:
            track.see(thing(box), t / 10, 0.1)
        assert not track.goes_somewhere, t
