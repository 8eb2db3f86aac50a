"""The scenes of ``apps/demos``: that their truth is true, and how well the defaults do on each of them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import av
import cv2
import numpy as np
import pytest

from bgsub.evaluation.cdnet import evaluate
from bgsub.evaluation.counts import Counts, count
from bgsub.options.table import Options
from bgsub.run.pipeline import separate

pytestmark = pytest.mark.slow

DEMOS = Path(__file__).resolve().parents[2] / "apps" / "demos"

FLOOR = {
    "busy_counter": (0.930, 38.0),
    "camera_jitter": (0.950, 34.0),
    "crowd": (0.890, 28.0),
    "gradual_light": (0.975, 42.0),
    "light_switch": (0.920, 46.0),
    "night_noise": (0.965, 43.0),
    "removed_object": (0.975, 52.5),
    "shadow": (0.815, 52.0),
    "standing_person": (0.960, 51.0),
    "tiny_objects": (0.960, 53.0),
    "water": (0.910, 31.5),
    "waving_trees": (0.955, 25.5),
}
"""The least F of the masks, and the least PSNR (dB) of the backgrounds where nothing is, with default options."""

GOAL = {
    "busy_counter": (0.960, 40.0),
    "camera_jitter": (0.960, 33.0),
    "crowd": (0.900, 32.8),
    "light_switch": (0.940, 46.5),
    "shadow": (0.900, 53.5),
    "standing_person": (0.975, 44.0),
    "tiny_objects": (0.980, 57.0),
    "water": (0.935, 31.4),
}
"""What is asked for where less is reached: masks are a pixel too wide at strong edges, or a place is seen too rarely.
"""

SOLVED = 0.93
THRESHOLD = {
    "busy_counter": 14,
    "camera_jitter": 18,
    "crowd": 14,
    "gradual_light": 14,
    "light_switch": 14,
    "night_noise": 14,
    "removed_object": 22,
    "shadow": 32,
    "standing_person": 22,
    "tiny_objects": 10,
    "water": 22,
    "waving_trees": 28,
}
"""The threshold that solves each scene when the true background is known (after a 5 × 5 median)."""

NOISE = {"night_noise": (5.5, 9.0)}
"""Grey levels of noise where they are not 1.8 to 3.2."""

MOVING = {"camera_jitter": 0.3, "water": 0.3, "waving_trees": 0.2}
"""The least share of the picture whose background changes by more than 3 grey levels (standard deviation)."""

COVERED = {"busy_counter": 0.02, "crowd": 0.15}
"""The least share of the picture that things cover for more than half of the time."""

GLOW = {"night_noise": 8}
"""Grey levels of moving light on background that is still scored."""


class Made(NamedTuple):
    name: str
    clip: Any


def load(name: str) -> ModuleType:
    if str(DEMOS) not in sys.path:
        sys.path.insert(0, str(DEMOS))
    return importlib.import_module(name)


def small(name: str, seed: int = 1) -> Any:
    return load("scenes.table").SCENES[name](load("scenes.clip").Take(seed, 24, 96))


@pytest.fixture(scope="module", params=sorted(FLOOR))
def made(request: pytest.FixtureRequest) -> Made:
    """Each scene at its usual size; made once, and one at a time in memory."""
    name = request.param
    return Made(name, load("scenes.table").SCENES[name](load("scenes.clip").Take()))


def pooled(masks: np.ndarray, labels: np.ndarray) -> Counts:
    return sum((count(mask, truth) for mask, truth in zip(masks, labels, strict=True)), Counts())


def psnr(a: np.ndarray, b: np.ndarray, where: np.ndarray) -> float:
    error = sum(
        float(np.square(x[w].astype(np.int32) - y[w]).sum()) for x, y, w in zip(a, b, where, strict=True)
    )
    return float(10 * np.log10(255**2 / max(error / (3 * where.sum()), 1e-9)))


# --- what the defaults reach -------------------------------------------------------------------------------


# In a crowd some places are hardly ever seen.
@pytest.mark.filterwarnings("ignore:from frame ")
@pytest.mark.slow
def test_the_defaults_reach_the_stated_f_and_background(made: Made) -> None:
    options = Options(outputs=("mask", "background"), threads=1)
    layers = separate(made.clip.frames, options=options).layers
    f = pooled(layers["mask"], made.clip.labels).f_measure
    decibels = psnr(layers["background"], made.clip.backgrounds, made.clip.labels == 0)
    assert f >= FLOOR[made.name][0]
    assert decibels >= FLOOR[made.name][1]
    asked = GOAL.get(made.name, FLOOR[made.name])
    if f < asked[0] or decibels < asked[1]:
        pytest.xfail(f"F {f:.3f} and {decibels:.1f} dB, of {asked[0]} and {asked[1]} dB asked for")


# --- the truth ---------------------------------------------------------------------------------------------


def test_every_scene_has_a_floor_and_a_threshold() -> None:
    scenes = load("scenes.table").SCENES
    assert sorted(scenes) == list(scenes) == sorted(FLOOR) == sorted(THRESHOLD)


def one_threshold_on_the_true_background_solves(made: Made) -> None:
    found = Counts()
    for frame, background, truth in list(
        zip(made.clip.frames, made.clip.backgrounds, made.clip.labels, strict=True)
    )[::3]:
        difference = cv2.absdiff(frame, background).max(axis=2)
        mask = cv2.medianBlur(np.where(difference > THRESHOLD[made.name], 255, 0).astype(np.uint8), 5)
        found += count(mask, truth)
    assert found.f_measure >= SOLVED


def the_truth_is_true(made: Made) -> None:
    clip = made.clip
    # Labels are CDnet's, and something moves in every third of the clip.
    assert clip.frames.shape == clip.backgrounds.shape == (*clip.labels.shape, 3)
    assert clip.frames.dtype == clip.labels.dtype == clip.backgrounds.dtype == np.uint8
    assert set(np.unique(clip.labels)) <= {0, 50, 170, 255}
    assert all((part == 255).any() for part in np.array_split(clip.labels, 3))
    # Where nothing is the frame is the background and noise.
    low, high = NOISE.get(made.name, (1.8, 3.2))
    for t in range(5, len(made.clip.labels), 30):
        labels = made.clip.labels[t]
        clear = cv2.dilate(labels, np.ones((9, 9), np.uint8)) == 0
        noise = made.clip.frames[t][clear].astype(np.int16) - made.clip.backgrounds[t][clear]
        spread = np.std(noise)
        assert abs(np.median(noise)) <= 0.5
        assert low <= spread <= high
        assert abs(noise).max() <= 6.5 * high + GLOW.get(made.name, 0)
    # Where something is the frame differs from it.
    differences = [cv2.absdiff(a, b).max(axis=2) for a, b in zip(clip.frames, clip.backgrounds, strict=True)]
    assert (np.stack(differences)[clip.labels == 255] > 10).mean() > 0.9


@pytest.mark.slow
def test_a_seed_gives_the_same_scene_and_another_seed_another() -> None:
    for name in FLOOR:
        first, again, other = small(name), small(name), small(name, 2)
        for part in ("frames", "labels", "backgrounds"):
            np.testing.assert_array_equal(getattr(first, part), getattr(again, part))
        assert (first.backgrounds != other.backgrounds).mean() > 0.3, name


# --- what makes each scene hard ----------------------------------------------------------------------------


def a_place_is_covered_most_of_the_time_and_not_at_both_ends(made: Made) -> None:
    covered = made.clip.labels == 255
    hidden = covered.mean(axis=0) > 0.6
    assert hidden.sum() > 100
    assert not covered[:5, hidden].any()
    assert not covered[-5:, hidden].any()


def the_place_is_background_once_it_is_free(made: Made) -> None:
    start, end = made.clip.backgrounds[0], made.clip.backgrounds[-1]
    place = cv2.absdiff(start, end).max(axis=2) > 20
    assert place.sum() > 100
    assert (made.clip.labels[0][place] == 170).all()
    assert (made.clip.labels[-1][place] == 0).all()
    there = (cv2.absdiff(background, end).max(axis=2)[place] > 20 for background in made.clip.backgrounds)
    assert 0.5 < np.mean([whole.all() for whole in there]) < 0.6


def places_are_covered_most_of_the_time_but_none_always(made: Made) -> None:
    covered = (made.clip.labels == 255).mean(axis=0)
    assert (covered > 0.5).mean() > COVERED[made.name]
    assert 0.75 < covered.max() < 0.95


def objects_are_a_few_pixels_each(made: Made) -> None:
    for labels in made.clip.labels[::10]:
        _, _, stats, _ = cv2.connectedComponentsWithStats((labels > 0).astype(np.uint8))
        assert (stats[1:, cv2.CC_STAT_AREA] < 40).all()
        assert ((labels == 255).sum()) < 6 * 16


def the_background_itself_moves(made: Made) -> None:
    spread = made.clip.backgrounds[::5].max(axis=3).astype(np.float32).std(axis=0)
    assert (spread > 3).mean() > MOVING[made.name]
    steps = [
        cv2.absdiff(a, b).mean()
        for a, b in zip(made.clip.backgrounds, made.clip.backgrounds[1:], strict=False)
    ]
    assert min(steps) > 0.2


def the_light_falls_slowly_or_at_once(made: Made) -> None:
    level = made.clip.backgrounds.mean(axis=(1, 2, 3))
    largest = np.abs(np.diff(level)).max()
    assert level.max() - level.min() > 30
    assert largest < 1 if made.name == "gradual_light" else largest > 15


def shadows_take_more_than_the_usual_threshold(made: Made) -> None:
    shaded = made.clip.labels == 50
    loss = made.clip.backgrounds[shaded].astype(np.int16) - made.clip.frames[shaded]
    assert shaded.mean() > 0.005
    assert 25 < np.median(loss) < 50


HARD = {
    "busy_counter": places_are_covered_most_of_the_time_but_none_always,
    "camera_jitter": the_background_itself_moves,
    "crowd": places_are_covered_most_of_the_time_but_none_always,
    "gradual_light": the_light_falls_slowly_or_at_once,
    "light_switch": the_light_falls_slowly_or_at_once,
    "removed_object": the_place_is_background_once_it_is_free,
    "shadow": shadows_take_more_than_the_usual_threshold,
    "standing_person": a_place_is_covered_most_of_the_time_and_not_at_both_ends,
    "tiny_objects": objects_are_a_few_pixels_each,
    "water": the_background_itself_moves,
    "waving_trees": the_background_itself_moves,
}


@pytest.mark.slow
def test_a_scene_is_true_can_be_solved_and_is_hard_as_it_is_meant_to_be(made: Made) -> None:
    the_truth_is_true(made)
    one_threshold_on_the_true_background_solves(made)
    if made.name in HARD:
        HARD[made.name](made)


# --- the script --------------------------------------------------------------------------------------------


def decode(path: Path, layout: str) -> np.ndarray:
    with av.open(str(path)) as container:
        return np.stack([frame.to_ndarray(format=layout) for frame in container.decode(video=0)])


def test_the_script_writes_what_the_scene_is_without_loss(tmp_path: Path) -> None:
    arguments = ["shadow", "--out", str(tmp_path), "--frames", "24", "--width", "96", "--backgrounds"]
    assert load("make_scenes").main(arguments) == 0
    clip = small("shadow")
    np.testing.assert_array_equal(decode(tmp_path / "shadow.mkv", "rgb24"), clip.frames)
    np.testing.assert_array_equal(decode(tmp_path / "shadow_truth.mkv", "gray"), clip.labels)
    np.testing.assert_array_equal(decode(tmp_path / "shadow_background.mkv", "rgb24"), clip.backgrounds)
    plate = cv2.imread(str(tmp_path / "shadow_background.png"))
    np.testing.assert_array_equal(plate[..., ::-1], clip.backgrounds[12])


def test_the_cdnet_folder_scores_its_own_truth_as_perfect(tmp_path: Path) -> None:
    arguments = [
        "tiny_objects",
        "water",
        "--out",
        str(tmp_path),
        "--frames",
        "24",
        "--width",
        "96",
        "--cdnet",
    ]
    assert load("make_scenes").main(arguments) == 0
    folder = tmp_path / "demos" / "water"
    assert sorted(p.name for p in folder.iterdir()) == ["groundtruth", "input", "temporalROI.txt"]
    assert (folder / "temporalROI.txt").read_text().split() == ["1", "24"]
    first = cv2.imread(str(folder / "input" / "in000001.png"))[..., ::-1]
    np.testing.assert_array_equal(first, small("water").frames[0])
    masks = tmp_path / "masks"
    masks.mkdir()
    for t, labels in enumerate(small("water").labels, 1):
        cv2.imwrite(str(masks / f"bin{t:06d}.png"), np.where(labels == 255, 255, 0))
    assert evaluate(masks, folder).counts.f_measure == 1.0


def test_an_impossible_scene_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["fog"], "no scene 'fog'"),
        (["water", "--width", "100"], "multiple of 8"),
        (["water", "--frames", "3"], "24 frames"),
        (["water", "--seed", "-1"], "seed from 0"),
    ):
        with pytest.raises(SystemExit) as exit_info:
            load("make_scenes").main([*arguments, "--out", str(tmp_path)])
        assert exit_info.value.code == 2
        assert message in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []
