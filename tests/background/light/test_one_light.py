"""What stands somewhere is told from a change of the light."""

from __future__ import annotations

import numpy as np
import pytest
from ground_kit import COUNT, Array, during, footage, ground, looked_at, off, person, put
from numpy.typing import NDArray

from bgsub.background.light.one_light import light_onto
from bgsub.background.light.relight import WIDTH, in_light


def shone(clip: Array, gains: Array, offset: float = 0) -> Array:
    return gains[:, None, None, None] * clip + offset


def frames_of(clip: Array) -> NDArray[np.uint8]:
    return np.clip(np.rint(clip), 0, 255).astype(np.uint8)


def found(frames: NDArray[np.uint8], scene: Array) -> list[NDArray[np.uint8]]:
    """Frames in the light of the scene."""
    picture = np.rint(scene).astype(np.uint8)
    lights = [light_onto(each, picture) for each in frames]
    return [
        each if light is None else in_light(each, light) for each, light in zip(frames, lights, strict=True)
    ]


@pytest.mark.parametrize("channels", [1, 3])
def test_frames_come_into_the_light_of_the_picture(channels):
    scene = ground(channels)
    frames = frames_of(shone(footage(scene), np.linspace(0.6, 1.2, COUNT), 6))
    errors = [np.abs(each - scene).mean() for each in found(frames, scene)]
    assert max(errors) < WIDTH
    assert np.median(errors) < 3


def test_channels_have_lights_of_their_own():
    scene = ground(3)
    frames = frames_of(footage(scene) * np.array([0.7, 1.0, 1.3]) + np.array([0, 20, -10]))
    assert np.abs(found(frames, scene) - scene).mean() < 4


def test_frames_in_the_same_light_have_none_between_them():
    scene = ground(3)
    frames = frames_of(shone(footage(scene), np.linspace(0.99, 1.01, COUNT)))
    picture = np.rint(scene).astype(np.uint8)
    assert all(light_onto(each, picture) is None for each in frames)


def test_a_frame_that_shows_another_thing_has_no_light_between_it_and_the_picture():
    other = np.random.default_rng(1).integers(0, 255, ground(3).shape).astype(np.uint8)
    assert light_onto(other, np.rint(ground(3)).astype(np.uint8)) is None


@pytest.mark.parametrize(("kind", "share"), [("comes", 0.75), ("goes", 0.6)])
def test_the_ground_under_who_stands_while_the_light_changes_is_found(kind, share):
    scene, where = ground(3), person()
    clip = footage(scene)
    put(clip, during(share, kind), where, np.array([30.0, 40, 160]))
    _, centre, median = looked_at(shone(clip, np.linspace(0.6, 1.1, COUNT)))
    light = np.median(centre[~where] / scene[~where])
    assert off(median, scene * light)[where].mean() > 40
    assert off(centre, scene * light)[where].mean() < 12
