"""Columns of a shaking camera brought onto one sharp reference."""

from __future__ import annotations

import numpy as np
import pytest
from registration_kit import HEIGHT, WIDTH, corner_error, motion_of, seen_from, shaken, texture

from bgsub.background.stabilise.columns import (
    Aligned,
    align_columns,
    displacement,
    find_columns,
    sharp_reference,
    working_frames,
    working_inside,
)
from bgsub.background.stabilise.lit_warp import lit_as_frame, lit_as_reference
from bgsub.background.stabilise.registration import Registered, Registration

SIZE = (HEIGHT, WIDTH)
INNER = (slice(16, HEIGHT - 16), slice(16, WIDTH - 16))


def rows(frames: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(frames).reshape(len(frames), -1).copy()


def align(
    columns: np.ndarray,
    size: tuple[int, int],
    channels: int,
    kind: str = "affine",
    inside: np.ndarray | None = None,
    threads: int = 1,
) -> Aligned:
    """Bring columns onto their sharp reference, as a fit does."""
    place = (size, channels)
    gray, area = working_frames(columns, *place), working_inside(inside)
    found = find_columns(columns, *place, sharp_reference(gray, kind, area, threads))
    return align_columns(columns, *place, found, threads)


@pytest.mark.parametrize("kind", ["translation", "affine"])
def test_aligned_frames_agree_and_their_median_is_sharp(kind: str) -> None:
    frames, motions = shaken(40, 3.0)
    columns = rows(frames)
    aligned = align(columns, SIZE, 1, kind)
    assert aligned.trusted == 1.0
    # The reference lies where most frames lie: all motions differ from the true ones by the same one.
    relative = [found[:, 2] - true[:, 2] for found, true in zip(aligned.motions, motions, strict=True)]
    if kind == "translation":
        assert np.std(relative, axis=0).max() < 0.1
    spread = np.median(np.abs(columns.reshape(-1, *SIZE).astype(int) - aligned.reference)[:, *INNER])
    blurred = np.median(frames, axis=0)
    unaligned = np.median(np.abs(frames - blurred)[:, *INNER])
    assert spread <= 3 < unaligned
    sharpness = [
        np.abs(np.diff(picture.astype(float), axis=1)).mean() for picture in (texture(), aligned.reference)
    ]
    assert sharpness[1] > 0.9 * sharpness[0]


def test_motions_so_large_that_the_median_has_no_edges_are_found_too() -> None:
    frames, motions = shaken(24, 9.0, (240, 320))
    aligned = align(rows(frames), (240, 320), 1, "translation")
    assert aligned.trusted > 0.9
    relative = np.array(
        [found[:, 2] - true[:, 2] for found, true in zip(aligned.motions, motions, strict=True)]
    )
    assert np.median(np.abs(relative - np.median(relative, axis=0))) < 0.1


def test_colour_is_aligned_like_gray() -> None:
    frames, _ = shaken(10, 2.0)
    gray, colour = rows(frames), rows(np.repeat(frames[..., None], 3, axis=3))
    one, three = align(gray, SIZE, 1, "translation"), align(colour, SIZE, 3, "translation")
    assert three.reference.shape == (*SIZE, 3)
    assert np.array_equal(one.reference, three.reference[..., 1])
    assert np.array_equal(gray, colour.reshape(10, -1, 3)[..., 2])


def test_large_pictures_are_aligned_at_full_size() -> None:
    frames, motions = shaken(12, 3.0, (420, 560))
    aligned = align(rows(frames), (420, 560), 1, "translation")
    relative = [found[:, 2] - true[:, 2] for found, true in zip(aligned.motions, motions, strict=True)]
    assert np.std(relative, axis=0).max() < 0.15


def test_a_still_camera_keeps_its_frames() -> None:
    frames = np.repeat(texture()[None], 9, axis=0)
    columns = rows(frames)
    aligned = align(columns, SIZE, 1)
    assert np.median([displacement(motion, SIZE) for motion in aligned.motions]) < 0.02
    assert np.abs(columns.reshape(frames.shape).astype(int) - frames).max() <= 1


def test_the_result_does_not_depend_on_the_threads() -> None:
    frames, _ = shaken(9, 2.0)
    one, two = rows(frames), rows(frames)
    first, second = align(one, SIZE, 1, threads=1), align(two, SIZE, 1, threads=2)
    assert np.array_equal(one, two)
    assert np.array_equal(first.reference, second.reference)


def test_a_frame_that_cannot_be_registered_stays_as_it_is() -> None:
    frames, _ = shaken(20, 2.0)
    frames[7] = texture(seed=99)
    columns = rows(frames)
    aligned = align(columns, SIZE, 1)
    assert aligned.trusted == pytest.approx(19 / 20)
    assert np.array_equal(columns[7], frames[7].ravel())


def test_what_a_frame_does_not_show_is_the_reference_there() -> None:
    frames = np.stack([texture()] * 9 + [seen_from(texture(), motion_of(6, 0))])
    columns = rows(frames)
    aligned = align(columns, SIZE, 1, "translation")
    # Shifted to the right by six pixels, the frame does not show the rightmost six of the reference.
    last = columns[9].reshape(SIZE)
    assert np.array_equal(last[:, -5:], aligned.reference[:, -5:])


def test_points_are_taken_from_the_region_and_the_whole_picture_is_moved() -> None:
    frames, _ = shaken(16, 2.0)
    inside = np.zeros(SIZE, bool)
    inside[10:100, 20:130] = True
    # Something outside moves by itself, as a whole.
    frames[:, ~inside] = np.random.default_rng(2).integers(0, 256, frames[:, ~inside].shape)
    columns = rows(frames)
    aligned = align(columns, SIZE, 1, "translation", inside)
    spread = np.abs(columns.reshape(-1, *SIZE).astype(int) - aligned.reference)
    assert np.median(spread[:, inside]) <= 3
    # No strip at the region's edge is empty: what comes in from outside is what the frame shows there.
    assert (columns.reshape(-1, *SIZE)[:, ~inside] > 0).mean() > 0.9


def test_the_light_of_the_frame_is_put_on_the_background_and_taken_off_the_frame() -> None:
    scene, motion = texture() // 2 + 60, motion_of(1.5, -2.5)
    frame = np.clip(0.85 * seen_from(scene, motion) + 12.0, 0, 255).astype(np.uint8)
    found = Registration.of(scene, "translation").register(frame)
    assert np.abs(lit_as_frame(scene, found).astype(int) - frame)[INNER].mean() < 1.5
    assert np.abs(lit_as_reference(frame, found).astype(int) - scene)[INNER].mean() < 1.5


def test_light_is_clipped_not_wrapped() -> None:
    picture = np.array([[10, 250]] * 2, np.uint8)
    bright = Registered(motion_of(0, 0, size=(2, 2)), 1.0, trusted=True, gain=1.2, offset=-20.0)
    assert lit_as_frame(picture, bright)[0].tolist() == [0, 255]


def test_a_displacement_is_the_mean_way_of_the_corners() -> None:
    assert displacement(motion_of(3, 4), SIZE) == pytest.approx(5)
    turned = displacement(motion_of(0, 0, 0.01), SIZE)
    assert turned == pytest.approx(0.01 * np.hypot(HEIGHT - 1, WIDTH - 1) / 2, rel=0.01)
    assert corner_error(motion_of(3, 4), motion_of(0, 0), SIZE) == pytest.approx(5)


def test_frames_of_something_else_do_not_blur_the_reference() -> None:
    frames, _ = shaken(24, 3.0)
    frames[::2] = np.random.default_rng(5).integers(0, 256, frames[::2].shape)
    registration = sharp_reference(frames, "translation")
    found = [registration.register(frame) for frame in frames]
    assert [each.trusted for each in found] == [False, True] * 12
    assert np.mean([each.agreeing for each in found[1::2]]) > 0.95
