"""Whether a camera shakes: on scenes that shake, and on scenes in which only much of the picture moves."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from registration_kit import HEIGHT, WIDTH, motion_of, seen_from, shaken, texture

from bgsub.background.stabilise.decision import Stabilisation, decide

SIZE = (HEIGHT, WIDTH)
COUNT = 18


def decided(frames: np.ndarray, wanted: str = "auto", inside: np.ndarray | None = None) -> Stabilisation:
    channels = 3 if frames.ndim == 4 else 1
    return decide(frames.reshape(len(frames), -1), frames.shape[1:3], channels, wanted, inside)


def noisy(frames: list[np.ndarray], seed: int = 3) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 2, (len(frames), *frames[0].shape))
    return np.clip(np.rint(np.stack(frames) + noise), 0, 255).astype(np.uint8)


def test_a_shaking_camera_is_seen() -> None:
    for amplitude in (0.4, 4.0):
        found = decided(shaken(COUNT, amplitude)[0])
        assert found.is_on
        assert found.kind == "translation"
        assert "%" in found.reason


@pytest.mark.parametrize("amplitude", [20.0, pytest.param(10.0, marks=pytest.mark.slow)])
def test_a_camera_that_shakes_so_far_that_the_median_has_no_edges_is_seen(amplitude: float) -> None:
    rng, wide = np.random.default_rng(6), texture(HEIGHT + 60, WIDTH + 60)
    ways = rng.uniform(-amplitude, amplitude, (COUNT, 2)).round().astype(int) + 30
    found = decided(noisy([wide[y : y + HEIGHT, x : x + WIDTH] for x, y in ways]))
    assert found.is_on
    assert "a motion explains" in found.reason


def test_frames_of_which_most_cannot_be_followed_are_left_alone() -> None:
    rng = np.random.default_rng(4)
    frames = shaken(COUNT, 2.0)[0]
    strange = rng.permutation(COUNT)[: 2 * COUNT // 3]
    frames[strange] = rng.integers(0, 256, (len(strange), *SIZE))
    assert decided(frames).kind == "off"


def test_turns_ask_for_more_than_a_shift() -> None:
    turns = np.random.default_rng(2).normal(0, 0.015, COUNT)
    frames = [seen_from(texture(), motion_of(0.3, 0.2, turn)) for turn in turns]
    assert decided(noisy(frames)).kind == "affine"


def test_a_shaking_camera_is_seen_behind_a_large_object() -> None:
    frames = shaken(COUNT, 2.0)[0]
    for index, frame in enumerate(frames):
        left = (index % 8) * 12
        frame[:, left : left + WIDTH // 3] = texture(seed=8)[:, : WIDTH // 3]
    assert decided(frames).is_on


def test_gusts_are_enough() -> None:
    frames = noisy([texture()] * COUNT)
    frames[6:12] = shaken(6, 3.0)[0]
    assert decided(frames).is_on


def test_a_still_camera_is_left_alone() -> None:
    assert decided(noisy([texture()] * COUNT)).kind == "off"


def test_a_large_object_that_passes_is_no_motion_of_the_camera() -> None:
    width, frames = int(0.5 * WIDTH), []
    for index in range(COUNT):
        frame, left = texture(), round((WIDTH - width) * index / (COUNT - 1))
        frame[:, left : left + width] = texture(seed=8)[:, :width]
        frames.append(frame)
    assert decided(noisy(frames)).kind == "off"


def test_an_object_that_outdoes_a_plain_scene_is_no_motion_of_the_camera() -> None:
    frames = []
    for index in range(COUNT):
        frame, left = np.full(SIZE, 100, np.uint8), round(WIDTH / 2 * index / (COUNT - 1))
        frame[::15], frame[:, ::20] = 160, 160
        frame[:, left : left + WIDTH // 2] = texture(seed=8)[:, : WIDTH // 2]
        frames.append(frame)
    assert decided(noisy(frames)).kind == "off"


@pytest.mark.parametrize(
    "share", [0.7, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.3, 0.5))]
)
def test_a_part_of_the_picture_that_waves_is_no_motion_of_the_camera(share: float) -> None:
    width, frames = int(share * WIDTH), []
    for index in range(COUNT):
        frame = texture()
        waving = seen_from(frame, motion_of(3 * np.sin(1.7 * index), 1.5 * np.cos(2.3 * index)))
        frame[:, :width] = waving[:, :width]
        frames.append(frame)
    assert decided(noisy(frames)).kind == "off"


def test_leaves_that_move_each_in_its_way_are_no_motion_of_the_camera() -> None:
    rng, frames = np.random.default_rng(5), []
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    for _ in range(COUNT):
        ways = [cv2.GaussianBlur(rng.normal(0, 1, SIZE).astype(np.float32), (0, 0), 8) * 40 for _ in "xy"]
        frames.append(
            cv2.remap(texture(), x + ways[0], y + ways[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        )
    assert decided(noisy(frames)).kind == "off"


def test_light_is_no_motion() -> None:
    frames = [texture() * (0.8 + 0.2 * np.sin(index / 4)) for index in range(COUNT)]
    assert decided(noisy(frames)).kind == "off"


def test_a_camera_that_pans_is_not_stabilised_and_not_called_still() -> None:
    count = 12
    wide = texture(HEIGHT, WIDTH + 20 * count)
    found = decided(noisy([wide[:, 20 * k : 20 * k + WIDTH] for k in range(count)]))
    assert found.kind == "off"
    assert "can be registered" in found.reason


def test_only_the_region_is_looked_at() -> None:
    frames = noisy([texture()] * COUNT)
    frames[:, :, WIDTH // 2 :] = shaken(COUNT, 3.0)[0][:, :, WIDTH // 2 :]
    left, right = np.zeros((2, *SIZE), bool)
    left[:, : WIDTH // 2 - 12], right[:, WIDTH // 2 + 12 :] = True, True
    assert decided(frames, inside=left).kind == "off"
    assert decided(frames, inside=right).is_on


def test_flat_pictures_and_few_frames_are_left_alone() -> None:
    assert "texture" in decided(np.full((COUNT, *SIZE), 90, np.uint8)).reason
    assert "4 frames cannot tell" in decided(shaken(4, 3.0)[0]).reason


def test_what_is_asked_for_is_done() -> None:
    for wanted in ("off", "translation", "affine"):
        found = decided(noisy([texture()] * 6), wanted)
        assert found.kind == wanted
        assert "as asked for" in found.reason


def test_frames_are_not_changed_and_the_answer_repeats() -> None:
    frames = shaken(10, 2.0)[0]
    before = frames.copy()
    assert decided(frames) == decided(frames)
    assert np.array_equal(frames, before)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "is_on"),
    [
        ("cameraJitter/traffic", True),
        ("baseline/highway", False),
        ("baseline/pedestrians", False),
        ("dynamicBackground/canoe", False),
        ("dynamicBackground/fall", False),
        ("i2r/curtain", False),
    ],
)
def test_real_cameras(shared_data: Path, name: str, is_on: bool) -> None:
    files = sorted((shared_data / "sequences" / name / "input").iterdir())
    chosen = [files[k] for k in np.linspace(0, len(files) - 1, 40).astype(int)]
    frames = np.stack([cv2.imread(str(file), cv2.IMREAD_COLOR_RGB) for file in chosen])
    assert decided(frames).is_on == is_on
