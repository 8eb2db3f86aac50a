"""Change points: a switched light and another view are found; objects, flashes, clouds and jitter are not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bgsub.frames.changes.change import Change, compare
from bgsub.frames.changes.thumbnail import thumbnail
from bgsub.frames.changes.watch import EPISODE, HELD, MOST_CUTS, Watched
from bgsub.frames.read.open import open_source

Clip = NDArray[np.uint8]
Gain = Callable[[int], float | NDArray[np.float64]]
HEIGHT, WIDTH = 96, 128
Y, X = np.mgrid[:HEIGHT, :WIDTH]


def wall(seed: int = 1, low: float = 50, high: float = 180) -> NDArray[np.float64]:
    """Return a picture with texture at all scales."""
    rng = np.random.default_rng(seed)
    parts = [
        weight * cv2.resize(rng.normal(size=(HEIGHT // scale, WIDTH // scale)), (WIDTH, HEIGHT))
        for scale, weight in ((32, 1.0), (10, 0.8), (3, 0.7))
    ]
    total = np.sum(parts, axis=0)
    scaled = low + (high - low) * (total - total.min()) / np.ptp(total)
    return np.asarray(scaled, np.float64)


def film(
    count: int, light: Gain = lambda t: 1.0, picture: Callable[[int], NDArray[np.float64]] | None = None
) -> Clip:
    """Return a clip with noise, and somebody who walks across it."""
    rng, scene = np.random.default_rng(2), wall()
    clip = np.empty((count, HEIGHT, WIDTH), np.uint8)
    for t in range(count):
        image = scene.copy() if picture is None else picture(t).copy()
        left = (2 * t) % (WIDTH + 12) - 12
        image[40:80, max(left, 0) : left + 12] = 25
        clip[t] = np.clip(image * light(t) + rng.normal(0, 2, image.shape), 0, 255)
    return clip


def changes(clip: Clip) -> tuple[list[int], list[Change]]:
    """Return where segments begin, and what is told; the frames come through whole and in order."""
    told: list[Change] = []
    found = [(frame, mark) for frame, mark in Watched(open_source(clip), told.append).watched()]
    assert [frame.index for frame, _ in found] == list(range(len(clip)))
    assert all(np.array_equal(frame.image, image) for (frame, _), image in zip(found, clip, strict=True))
    cuts = [frame.index for frame, mark in found if mark]
    assert cuts == [change.frame for change in told if change.cut]
    return cuts, told


def object_at(left: int, width: int, level: float | None = None) -> NDArray[np.float64]:
    image = wall()
    body = wall(7)[:, :width] if level is None else np.full((HEIGHT, width), level)
    low, high = max(left, 0), min(left + width, WIDTH)
    if low < high:
        image[8:, low:high] = body[8:, low - left : high - left]
    return image


LAMP = 0.35 + 0.65 * np.exp(-np.hypot(X - 30, Y - 20) / 50)


@pytest.mark.parametrize(
    ("light", "at"),
    [(0.3, 112), (0.5, 8), (0.75, 60), (1.35, 8), (1.35, 112), (LAMP, 60)],
    ids=["dark", "half", "less", "more", "more at the end", "lamp"],
)
def test_a_switched_light_is_found_at_its_first_frame(light, at):
    cuts, [change] = changes(film(120, lambda t: light if t >= at else 1.0))
    assert cuts == [at]
    assert (change.kind, change.frame, change.gradual) == ("light", at, False)
    assert change.time * 25 == at
    assert change.gain == pytest.approx(np.median(light), rel=0.2)
    assert change.share > 0.6


def test_off_and_on_again_are_two_changes():
    cuts, told = changes(film(150, lambda t: 0.5 if 50 <= t < 90 else 1.0))
    assert cuts == [50, 90]
    assert told[0].gain * told[1].gain == pytest.approx(1, rel=0.1)


def test_a_lamp_that_takes_a_few_frames_changes_the_segment_half_way():
    cuts, _ = changes(film(120, lambda t: 1 - 0.5 * np.clip((t - 60) / 5, 0, 1)))
    assert len(cuts) == 1
    assert 61 <= cuts[0] <= 64


def test_the_exposure_that_follows_a_switch_is_no_second_change_point():
    cuts, told = changes(film(150, lambda t: 1.0 if t < 60 else 0.4 * (1.4 - 0.4 * np.exp(-(t - 60) / 8))))
    assert cuts == [60]
    assert told[0].frame == 60


def test_another_view_is_a_change_of_scene():
    cuts, [change] = changes(film(120, picture=lambda t: wall(1 if t < 70 else 5)))
    assert cuts == [70]
    assert change.kind == "scene"


def test_a_camera_that_turns_for_a_second_begins_a_segment_where_it_rests():
    wide = np.hstack([wall(1), wall(5)])
    cuts, [change] = changes(
        film(150, picture=lambda t: wide[:, int(np.clip(5 * (t - 60), 0, WIDTH)) :][:, :WIDTH])
    )
    assert change.kind == "scene"
    assert 60 < cuts[0] <= 60 + 26 + HELD


QUIET: dict[str, Callable[[], Clip]] = {
    "nothing": lambda: film(100),
    "one damaged frame": lambda: film(100, picture=lambda t: np.full((HEIGHT, WIDTH), 128.0) if t == 50 else wall()),
    "a flash": lambda: film(100, lambda t: 1.6 if t == 50 else 1.0),
    "a flash of nine frames": lambda: film(100, lambda t: 1.6 if 50 <= t < 59 else 1.0),
    "a bus passes": lambda: film(100, picture=lambda t: object_at(3 * t - 100, 80)),
    "a bus passes fast": lambda: film(100, picture=lambda t: object_at(20 * (t - 50), 80)),
    "a bus stops": lambda: film(100, picture=lambda t: object_at(min(10 * t - 450, 20), 74)),
    "a white bus stops": lambda: film(100, picture=lambda t: object_at(min(10 * t - 450, 20), 74, 240)),
    "noise only": lambda: np.random.default_rng(1).integers(0, 256, (80, HEIGHT, WIDTH)).astype(np.uint8),
    "a lamp that flickers": lambda: film(100, lambda t: 1.0 if t // 6 % 2 else 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", QUIET)
def test_what_passes_is_no_change(name):
    assert changes(QUIET[name]()) == ([], [])


def test_clouds_begin_no_segment_and_are_told():
    cuts, told = changes(film(200, lambda t: 1 + 0.25 * np.sin(2 * np.pi * t / 100)))
    assert cuts == []
    assert told
    assert all((change.kind, change.gradual) == ("light", True) for change in told)


def test_the_exposure_that_follows_an_object_begins_no_segment():
    cuts, _ = changes(
        film(
            150,
            lambda t: 1 - 0.15 * (np.clip((t - 60) / 10, 0, 1) - np.clip((t - 110) / 10, 0, 1)),
            lambda t: object_at(3 * t - 200, 40, 230),
        )
    )
    assert cuts == []


def test_a_gradual_change_is_told_where_half_of_it_is_over():
    cuts, [change] = changes(film(150, lambda t: 1 + 0.5 * np.clip((t - 60) / 25, 0, 1)))
    assert cuts == []
    assert change.gradual
    assert 68 <= change.frame <= 77


def test_a_gradual_change_is_told_when_the_footage_ends_in_it():
    _, [change] = changes(film(59, lambda t: 1 + 0.5 * np.clip((t - 30) / 25, 0, 1)))
    assert change.gradual


def test_a_shaking_camera_is_no_change_but_its_light_is():
    rng = np.random.default_rng(3)
    offsets = rng.integers(-4, 5, (120, 2))

    def shaken(t):
        return np.roll(wall(), offsets[t], (0, 1))

    assert changes(film(120, picture=shaken))[0] == []
    assert changes(film(120, lambda t: 0.5 if t >= 60 else 1.0, shaken))[0] == [60]


def test_a_blinking_lamp_makes_few_segments_until_it_rests():
    period, blinks = 30, 10
    rest = period * blinks + EPISODE + 20
    clip = film(
        rest + 60,
        lambda t: 0.5 if t >= rest or (t < period * blinks and t // period % 2) else 1.0,
    )
    cuts, told = changes(clip)
    assert cuts == [period * (k + 1) for k in range(MOST_CUTS)] + [rest]
    assert len([change for change in told if not change.gradual]) == blinks + 1 - (blinks % 2)


def test_few_frames_are_held_and_none_while_nothing_happens():
    clip = film(120, lambda t: 0.5 if t >= 60 else 1.0)
    read = 0

    def counting():
        nonlocal read
        for frame in open_source(clip):
            read += 1
            yield frame

    waiting = {
        frame.index: read - frame.index - 1 for frame, _ in Watched(counting(), lambda _: None).watched()
    }
    assert max(waiting.values()) < HELD
    assert {waiting[index] for index in range(50)} == {0}
    assert {waiting[index] for index in range(90, 120)} == {0}


def test_texture_survives_a_lamp_and_not_an_object():
    before = np.stack([thumbnail(image) for image in film(8)])
    lit = compare(before, np.stack([thumbnail(image) for image in film(8, lambda t: LAMP)]))
    covered = compare(before, np.stack([thumbnail(i) for i in film(8, picture=lambda t: object_at(10, 90))]))
    assert lit is not None
    assert covered is not None
    assert lit.texture > 0.7
    assert covered.texture < 0.25
    assert compare(before, before) is None


def test_a_change_is_one_line_for_people():
    _, [change] = changes(film(90, lambda t: 0.5 if t >= 60 else 1.0))
    assert str(change).startswith("frame 60 (2.40 s): the light changes suddenly, ")
    assert "factor of 0.50; a new segment begins" in str(change)


@pytest.mark.shared_data
def test_a_street_that_brightens_is_told_without_a_cut(shared_data):
    told: list[Change] = []
    path = shared_data / "videos" / "surveillance" / "brightness_change.avi"
    marks = [mark for _, mark in Watched(open_source(str(path)), told.append).watched()]
    assert len(marks) == 59
    assert not any(marks)
    [change] = told
    assert (change.kind, change.gradual) == ("light", True)
    assert 30 <= change.frame <= 50


@pytest.mark.shared_data
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["baseline/highway", "cameraJitter/traffic", "dynamicBackground/fall", "i2r/curtain"]
)
def test_real_scenes_without_a_switch_are_one_segment(shared_data, name):
    source = open_source(str(shared_data / "sequences" / name / "input"))
    assert not any(mark for _, mark in Watched(source, lambda _: None).watched())
