"""What stands somewhere is told from a change of the light."""

from __future__ import annotations

import numpy as np
from ground_kit import COUNT, Array, during, footage, ground, looked_at, off, person, put
from numpy.typing import NDArray

from bgsub.background.light.one_light import in_one_light
from bgsub.background.light.relight import WIDTH


def shone(clip: Array, gains: Array, offset: float = 0) -> Array:
    return gains[:, None, None, None] * clip + offset


def frames_of(clip: Array) -> NDArray[np.uint8]:
    return np.clip(np.rint(clip), 0, 255).astype(np.uint8)


def test_frames_come_into_the_light_of_the_picture() -> None:
    for channels, every in ((1, 2), (3, 1)):
        scene = ground(channels)
        clip = footage(scene)
        frames = frames_of(shone(clip, np.linspace(0.6, 1.2, COUNT), 6))
        found = in_one_light(frames, scene.astype(np.float32), every)
        assert found is frames
        errors = np.abs(found - scene).mean(axis=(1, 2, 3))
        assert errors.max() < WIDTH
        assert np.abs(np.median(found, axis=0) - scene).mean() < 1


def test_channels_have_lights_of_their_own() -> None:
    scene = ground(3)
    frames = frames_of(footage(scene) * np.array([0.7, 1.0, 1.3]) + np.array([0, 20, -10]))
    found = in_one_light(frames, scene.astype(np.float32))
    assert np.abs(found - scene).mean() < 4


def test_frames_in_the_same_light_are_left_to_the_last_bit() -> None:
    scene = ground(3)
    frames = frames_of(shone(footage(scene), np.linspace(0.99, 1.01, COUNT)))
    before = frames.copy()
    assert np.array_equal(in_one_light(frames, scene.astype(np.float32)), before)


def test_a_frame_that_shows_another_thing_stays_as_it_is() -> None:
    scene = ground(3)
    frames = frames_of(shone(footage(scene), np.full(COUNT, 0.7)))
    frames[5] = np.random.default_rng(1).integers(0, 255, frames[5].shape)
    odd = frames[5].copy()
    found = in_one_light(frames, scene.astype(np.float32))
    assert np.array_equal(found[5], odd)
    assert np.abs(found[6] - scene).mean() < 5


def test_the_ground_under_who_stands_while_the_light_changes_is_found() -> None:
    for kind, share in (("comes", 0.75), ("goes", 0.6)):
        scene, where = ground(3), person()
        clip = footage(scene)
        put(clip, during(share, kind), where, np.array([30.0, 40, 160]))
        found, centre, median = looked_at(shone(clip, np.linspace(0.6, 1.1, COUNT)))
        light = np.median(median[~where] / scene[~where])
        assert off(median, scene * light)[where].mean() > 40
        assert off(centre, scene * light)[where].mean() < 12
        assert found.standing == 1
        assert not found.crowded.any()


def test_light_that_changes_all_the_time_is_no_crowd() -> None:
    clip = footage(ground(3))
    for index, frame in enumerate(clip):
        frame[30:50, 3 * index % 100 : 3 * index % 100 + 12] = (200, 40, 40)
    found, *_ = looked_at(shone(clip, np.linspace(0.5, 1, COUNT)))
    assert not found.crowded.any()
    assert found.changed == 0
