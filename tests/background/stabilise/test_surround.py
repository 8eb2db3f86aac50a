"""What a shaking camera saw beyond the border of its reference."""

from __future__ import annotations

import numpy as np
import pytest
from registration_kit import HEIGHT, WIDTH, motion_of, texture

import bgsub
from bgsub.background.stabilise.registration import Registered, identity
from bgsub.background.stabilise.surround import MOST, Bands, without_margin

SPACE = 12
WORLD = texture(HEIGHT + 2 * SPACE, WIDTH + 2 * SPACE, seed=3)


def view(x: int, y: int) -> np.ndarray:
    """Return the frame whose first pixel is (x, y) from that of the camera's middle position."""
    return WORLD[SPACE + y : SPACE + y + HEIGHT, SPACE + x : SPACE + x + WIDTH]


def lying_at(x: int, y: int, **light: float) -> Registered:
    return Registered(motion_of(-x, -y), 1.0, trusted=True, **light)


LOST = (1, 3)
MIDDLE = view(0, 0)


def test_the_border_is_what_the_frames_that_show_it_saw() -> None:
    places = [(x, y) for x in (-5, 0, 5) for y in (-5, 0, 5)]
    bands = Bands.of([view(*place) for place in places], [lying_at(*place) for place in places])
    assert bands.margin == 5
    whole = bands.put_around(np.zeros_like(MIDDLE))
    expected = WORLD[SPACE - 5 : SPACE + HEIGHT + 5, SPACE - 5 : SPACE + WIDTH + 5]
    inner = np.zeros(whole.shape, bool)
    inner[10:-10, 10:-10] = True
    assert np.array_equal(whole[~inner], expected[~inner])
    assert not whole[inner].any()
    assert np.array_equal(without_margin(whole, 5)[5:-5, 5:-5], np.zeros((HEIGHT - 10, WIDTH - 10)))


def test_what_nobody_saw_repeats_the_nearest_pixel() -> None:
    whole = Bands.of([view(0, 0), view(4, 0)], [lying_at(0, 0), lying_at(4, 0)]).put_around(MIDDLE)
    assert np.array_equal(whole[:4, 4:-4], np.repeat(MIDDLE[:1], 4, axis=0))
    assert np.array_equal(whole[4:-4, -4:], view(4, 0)[:, -4:])


def test_one_pixel_is_the_median_of_those_alone_that_show_it() -> None:
    bright = np.full_like(MIDDLE, 200)
    frames = [view(0, 0)] * 6 + [view(3, 0)] * 2 + [bright]
    found = [lying_at(0, 0)] * 6 + [lying_at(3, 0)] * 3
    whole = Bands.of(frames, found).put_around(MIDDLE)
    assert np.array_equal(whole[3:-3, -3:], view(3, 0)[:, -3:])


def test_frames_that_are_lost_show_nothing_and_light_is_taken_off() -> None:
    lost = Registered(identity(), 0.1, trusted=False)
    dark = np.rint(0.5 * view(3, 0) + 10).astype(np.uint8)
    bands = Bands.of([np.zeros_like(MIDDLE), dark], [lost, lying_at(3, 0, gain=0.5, offset=10.0)])
    seen = bands.put_around(MIDDLE)[3:-3, -3:].astype(int)
    assert np.abs(seen - view(3, 0)[:, -3:]).max() <= 1


def test_a_camera_that_stands_still_has_no_margin() -> None:
    bands = Bands.of([MIDDLE] * 3, [lying_at(0, 0)] * 3)
    assert bands.margin == 0
    assert np.array_equal(bands.put_around(MIDDLE), MIDDLE)
    assert Bands.of([MIDDLE], [Registered(identity(), 0.0, trusted=False)]).margin == 0


def test_the_margin_is_bounded_and_small_colour_pictures_have_one() -> None:
    assert Bands.of([MIDDLE], [lying_at(MOST + 30, 0)]).margin == MOST
    tiny = np.repeat(MIDDLE[:9, :7, None], 3, axis=2)
    found = Registered(np.array([[1.0, 0, -6], [0, 1, 2]]), 1.0, trusted=True)
    assert Bands.of([tiny], [found]).put_around(tiny).shape == (21, 19, 3)


def test_the_background_of_a_shaking_camera_is_right_up_to_the_border() -> None:
    rng = np.random.default_rng(4)
    places = rng.integers(-5, 6, (40, 2))
    frames = np.stack([np.clip(view(*place) + rng.normal(0, 1.5, MIDDLE.shape), 0, 255) for place in places])
    model = bgsub.fit(frames.astype(np.uint8), bgsub.Options(stabilise="translation"))
    edge = np.ones(MIDDLE.shape, bool)
    edge[5:-5, 5:-5] = False
    errors = [
        np.abs(model.apply(frame).background.astype(float) - view(*place))[edge].mean()
        for frame, place in zip(frames.astype(np.uint8), places, strict=True)
    ]
    # With the border repeated it was 15 grey levels at five pixels.
    assert max(errors) < 3


@pytest.mark.slow
def test_frames_of_something_else_leave_those_of_the_scene_their_masks() -> None:
    rng = np.random.default_rng(7)
    frames, truth = [], []
    for index in range(40):
        frame = view(*rng.integers(-5, 6, 2)) + rng.normal(0, 1.5, MIDDLE.shape)
        where = np.zeros(MIDDLE.shape, bool)
        where[40:70, 3 * index : 3 * index + 16] = True
        frame[where] = 250
        if index % 5 in LOST:
            frame = rng.integers(0, 256, frame.shape) if index % 5 == 1 else np.zeros(frame.shape)
        frames.append(np.clip(frame, 0, 255).astype(np.uint8))
        truth.append(where)
    model = bgsub.fit(np.stack(frames))
    assert model.report.columns == 24
    assert any("16 of 40 sampled frames cannot be followed" in reason for reason in model.reasons)
    good = [index for index in range(40) if index % 5 not in LOST]
    masks = [model.apply(frames[index]).mask > 0 for index in good]
    hit = sum(int((mask & truth[index]).sum()) for mask, index in zip(masks, good, strict=True))
    assert hit > 0.9 * sum(truth[index].sum() for index in good)
    assert hit > 0.9 * sum(int(mask.sum()) for mask in masks)
