"""Registration against a reference: known motions come back, and nothing is made up where there are none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import cv2
import numpy as np
import pytest
from registration_kit import HEIGHT, WIDTH, corner_error, motion_of, seen_from, shaken, texture

from bgsub.background.stabilise.registration import POINTS, Registration, identity, working_picture
from bgsub.errors import OptionError

SIZE = (HEIGHT, WIDTH)


def test_a_shift_comes_back_to_a_tenth_of_a_pixel() -> None:
    for noise, shift, kind in product(
        (0.0, 4.0),
        ((0.0, 0.0), (0.3, -0.2), (-1.7, 2.4), (6.5, 3.2), (-14.0, 11.0)),
        ("translation", "affine"),
    ):
        scene, motion = texture(), motion_of(*shift)
        found = Registration.of(scene, kind).register(seen_from(scene, motion, noise))
        assert found.trusted
        assert corner_error(found.motion, motion, SIZE) < (0.1 if kind == "translation" else 0.2)


def test_a_shift_by_an_eighth_of_the_picture_is_found() -> None:
    size = (240, 320)
    scene, motion = texture(*size), motion_of(40, -32, size=size)
    found = Registration.of(scene, "affine").register(seen_from(scene, motion, 2.0))
    assert corner_error(found.motion, motion, size) < 0.2


def test_a_turn_and_a_change_of_scale_come_back() -> None:
    for turn, grow in ((0.01, 0.0), (-0.02, 0.005), (0.0, -0.02)):
        scene, motion = texture(), motion_of(2.2, -1.4, turn, grow)
        found = Registration.of(scene, "affine").register(seen_from(scene, motion, 2.0))
        assert found.trusted
        assert corner_error(found.motion, motion, SIZE) < 0.2


def test_motions_are_in_pixels_of_the_frame_whatever_its_size() -> None:
    for size in ((100, 133), (480, 721), (720, 1280)):
        scene = cv2.resize(texture(seed=4), size[::-1], interpolation=cv2.INTER_CUBIC)
        motion = motion_of(5.3, -4.1, 0.005, 0.004, size)
        found = Registration.of(scene, "affine").register(seen_from(scene, motion, 2.0))
        assert found.trusted
        assert corner_error(found.motion, motion, size) < 0.35


def test_a_textured_object_over_a_third_of_the_picture_is_ignored() -> None:
    for left in (0, 40, 100):
        scene, motion = texture(), motion_of(3.6, -2.3)
        frame = seen_from(scene, motion, 2.0)
        frame[:, left : left + WIDTH // 3] = texture(seed=8)[:, : WIDTH // 3]
        found = Registration.of(scene, "affine").register(frame)
        assert found.trusted
        assert corner_error(found.motion, motion, SIZE) < 0.4


def test_light_does_not_move_the_picture_and_is_measured() -> None:
    for gain, offset in ((0.8, 0.0), (1.2, -20.0), (1.0, 25.0)):
        scene, motion = texture() // 2 + 60, motion_of(1.5, 0.7)
        frame = np.clip(gain * seen_from(scene, motion).astype(float) + offset, 0, 255).astype(np.uint8)
        found = Registration.of(scene, "translation").register(frame)
        assert found.trusted
        assert corner_error(found.motion, motion, SIZE) < 0.1
        middle = float(scene.mean())
        assert found.gain * middle + found.offset == pytest.approx(gain * middle + offset, abs=1.5)


def test_colour_and_gray_frames_are_held_against_the_same_reference() -> None:
    scene, motion = texture(), motion_of(2.0, 1.0)
    frame = seen_from(scene, motion)
    colour = np.repeat(frame[..., None], 3, axis=2)
    registration = Registration.of(np.repeat(scene[..., None], 3, axis=2), "translation")
    assert np.array_equal(registration.register(colour).motion, registration.register(frame).motion)


def test_what_is_not_the_scene_is_not_trusted_and_not_moved() -> None:
    for frame in (texture(seed=77), np.full(SIZE, 120, np.uint8), 255 - texture(), np.zeros(SIZE, np.uint8)):
        found = Registration.of(texture(), "affine").register(frame)
        assert not found.trusted
        assert np.array_equal(found.motion, identity())
        assert (found.gain, found.offset) == (1.0, 0.0)


def test_a_picture_without_texture_or_room_registers_nothing() -> None:
    for size in ((1, 1), (1, 200), (6, 5), (60, 80)):
        registration = Registration.of(np.full(size, 90, np.uint8))
        assert not registration.is_possible
        assert np.array_equal(registration.register(np.full(size, 90, np.uint8)).motion, identity())


def test_small_and_narrow_pictures_are_registered_or_refused() -> None:
    for size in ((20, 30), (30, 20), (47, 49), (25, 400)):
        scene = texture(*size)
        found = Registration.of(scene, "translation").register(
            seen_from(scene, motion_of(1.0, 1.0, size=size))
        )
        if found.trusted:
            assert corner_error(found.motion, motion_of(1.0, 1.0, size=size), size) < 0.3


def test_points_are_taken_from_inside_only() -> None:
    scene, inside = texture(), np.zeros(SIZE, bool)
    inside[:, : WIDTH // 2] = True
    registration = Registration.of(scene, "translation", inside)
    for level in registration.levels[:2]:
        assert level.values.size > 0
        assert (level.points[0] < 0).all()
    # What lies outside may do what it likes.
    frame = seen_from(scene, motion_of(2.0, -1.0), 2.0)
    frame[:, WIDTH // 2 + 4 :] = texture(seed=5)[:, WIDTH // 2 + 4 :]
    assert corner_error(registration.register(frame).motion, motion_of(2.0, -1.0), SIZE) < 0.15


def test_the_number_of_points_does_not_grow_with_the_picture() -> None:
    large = texture(480, 720)
    for picture in (texture(240, 320), large):
        assert POINTS / 2 < Registration.of(picture).levels[0].values.size < 1.5 * POINTS
    assert working_picture(large).size <= 130_000


def test_frames_on_several_threads_give_what_one_thread_gives() -> None:
    frames, _ = shaken(24, 3.0)
    registration = Registration.of(texture())
    one = [registration.register(frame) for frame in frames]
    with ThreadPoolExecutor(4) as pool:
        several = list(pool.map(registration.register, frames))
    for first, second in zip(one, several, strict=True):
        assert np.array_equal(first.motion, second.motion)
        assert first.agreeing == second.agreeing


def test_another_kind_of_motion_is_refused() -> None:
    with pytest.raises(OptionError, match="translation, affine"):
        Registration.of(texture(), "perspective")
