"""From footage to masks: a switched light floods no mask, and the report tells of it."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from clip_kit import f_measure, scene, write_video

from bgsub import Options, separate


def lamp(height: int, width: int) -> np.ndarray:
    """Return what is left of the light where a lamp near one corner is the only one."""
    y, x = np.mgrid[:height, :width]
    return (0.35 + 0.5 * np.exp(-np.hypot(x - 10, y - 10) / 20))[..., None]


def switched(count: int, dark: range) -> np.ndarray:
    clip = scene(count, color=True).frames
    clip[dark.start : dark.stop] = clip[dark.start : dark.stop] * lamp(*clip.shape[1:3])
    return clip


def shares(mask: np.ndarray) -> np.ndarray:
    return (mask > 0).mean(axis=(1, 2))


@pytest.mark.parametrize("dark", [range(60, 72), pytest.param(range(100, 120), marks=pytest.mark.slow)])
def test_a_switched_light_floods_no_mask_and_is_told(dark):
    said: list[str] = []

    class Listener:
        def begin(self, phase, total): ...
        def step(self): ...
        def end(self): ...
        def detail(self, text): ...
        def say(self, text):
            said.append(text)

    done = separate(switched(120, dark), None, Options(threads=1, outputs="mask"), progress=Listener())
    assert np.count_nonzero(shares(done.layers["mask"]) > 0.5) == 0
    switches = [frame for frame in (dark.start, dark.stop) if frame < 120]
    assert [event["frame"] for event in done.report["changes"]] == switches
    assert {event["kind"] for event in done.report["changes"]} == {"light"}
    assert [part["first"] for part in done.report["segments"]] == [0, *switches]
    for frame in switches:
        assert sum(f"frame {frame} (" in text and "light changes suddenly" in text for text in said) == 1


def test_frames_are_neither_lost_nor_moved_at_a_change_point(tmp_path):
    video = write_video(tmp_path / "clip.mkv", switched(100, range(40, 70)))
    separate(str(video), tmp_path / "out", Options(threads=1, every=2, outputs="mask"))
    report = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert report["frames"]["count"] == 50
    assert [event["frame"] for event in report["changes"] if event["cut"]] == [40, 70]
    assert [(part["first"], part["frames"]) for part in report["segments"]] == [(0, 20), (40, 15), (70, 15)]
    for event in report["changes"]:
        assert event["time"]["value"] == pytest.approx(event["frame"] / 25)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fades", "flickers", "rises"])
def test_a_clock_in_the_picture_does_not_end_a_run_while_the_light_changes(kind):
    """White digits on black stray by more than all grey levels from what the light of the frame would make of them."""
    rng = np.random.default_rng(0)
    ground = cv2.GaussianBlur(rng.uniform(60, 190, (120, 160, 3)), (0, 0), 2)
    frames = []
    for index in range(60):
        share = index / 60
        gain = {
            "fades": 1 - 0.25 * share,
            "flickers": 1 + 0.12 * np.sin(1.3 * index),
            "rises": 0.7 + 0.5 * share,
        }[kind]
        picture = ground * gain
        picture[60:80, index * 5 % 140 :][:, :15] = 30
        picture[4:30, 4:150] = 0
        picture = np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
        digits = f"{index * 7919 % 100000:05d}"
        frames.append(
            cv2.putText(picture, digits, (6, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (255, 255, 255), 2)
        )
    found = separate(np.stack(frames), options=Options(outputs=("mask",))).layers["mask"]
    inside = np.mean([found[i, 62:78, i * 5 % 140 :][:, :13].mean() / 255 for i in range(60)])
    assert inside > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "radius", "dark"), [(0, 40, 0.3), (1, 30, 0.4), (2, 50, 0.2)])
def test_the_shade_of_a_cloud_is_no_object_not_even_around_one(seed, radius, dark):
    rng = np.random.default_rng(seed)
    ground = cv2.GaussianBlur(rng.uniform(0, 255, (120, 160, 3)), (0, 0), 3)
    ground = 120 + 25 * (ground - ground.mean()) / ground.std()
    y, x = np.mgrid[:120, :160]
    frames, truth = [], np.zeros((120, 120, 160), bool)
    for t in range(120):
        away = np.hypot(y - 60, x - (1.5 * t - 20))
        picture = ground * (1 - dark / (1 + np.exp((away - radius) / 6)))[..., None]
        if 20 <= t < 100:
            truth[t, 60:94, 1 + t : 15 + t] = True
        picture[truth[t]] = (25, 20, 70)
        frames.append(np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8))
    found = separate(np.stack(frames), None, Options(threads=1, outputs="mask")).layers["mask"] > 0
    assert (found & truth).sum() >= 0.9 * found.sum()
    assert (found & truth).sum() >= 0.9 * truth.sum()


@pytest.mark.slow
def test_gradual_light_floods_no_mask():
    done = separate(scene(80, light=0.5).frames, None, Options(threads=1, outputs="mask"))
    assert len(done.report["segments"]) == 1
    assert shares(done.layers["mask"]).max() < 0.2


@pytest.mark.slow
@pytest.mark.shared_data
def test_a_street_that_brightens_floods_no_mask_and_is_told(shared_data):
    path = shared_data / "videos" / "surveillance" / "brightness_change.avi"
    done = separate(str(path), None, Options(threads=1, outputs="mask", scale=0.4))
    assert np.count_nonzero(shares(done.layers["mask"]) > 0.5) <= 3
    [event] = done.report["changes"]
    assert event["kind"] == "light"


@pytest.mark.parametrize("color", [pytest.param(True, marks=pytest.mark.slow), False])
def test_what_passes_while_the_light_is_bright_takes_no_place_of_the_ground(color):
    rng = np.random.default_rng(3)
    ground = cv2.GaussianBlur(rng.uniform(0, 255, (90, 120, 3)), (0, 0), 2)
    ground = 110 + 30 * (ground - ground.mean()) / ground.std()
    light = 1 + 0.3 * np.sin(np.arange(120) / 20)
    frames, truth = np.empty((120, 90, 120, 3)), np.zeros((120, 90, 120), bool)
    for t in range(120):
        left = round(0.75 * t)
        truth[t, 45:60, left : left + 8] = True
        frames[t] = light[t] * np.where(truth[t][..., None], (200, 50, 50) if color else 230, ground)
    clip = np.clip(np.rint(frames + rng.normal(0, 2, frames.shape)), 0, 255).astype(np.uint8)
    found = separate(clip if color else clip[..., 0], None, Options(threads=1, outputs="mask"))
    assert f_measure(found.layers["mask"] > 0, truth) > 0.93
    assert any(reason.startswith("light changes: ") for reason in found.report["segments"][0]["reasons"])
