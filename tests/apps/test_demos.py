from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import av
import cv2
import numpy as np
import pytest

from bgsub.errors import InputError
from bgsub.evaluation.cdnet import evaluate

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DEMOS = ROOT / "apps" / "demos"
ASSETS = ROOT / "assets"
SMALL = ["--frames", "12", "--width", "96", "--height", "64"]
SOME_FRAMES = (0, 60, 113, 239)


def load(name: str) -> ModuleType:
    if str(DEMOS) not in sys.path:
        sys.path.insert(0, str(DEMOS))
    return importlib.import_module(name)


def decode(path: Path, layout: str) -> np.ndarray:
    with av.open(str(path)) as container:
        return np.stack([frame.to_ndarray(format=layout) for frame in container.decode(video=0)])


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    return float(10 * np.log10(255**2 / max(np.mean((a.astype(float) - b) ** 2), 1e-9)))


@pytest.fixture(scope="module")
def render() -> ModuleType:
    return load("scene.render")


@pytest.fixture(scope="module")
def scene(render: ModuleType) -> Any:
    """The scene of the committed clip."""
    return render.Scene()


@pytest.fixture(scope="module")
def some_frames(scene: Any) -> dict[int, Any]:
    return {t: scene.render(t) for t in SOME_FRAMES}


@pytest.fixture(scope="module")
def coverage(scene: Any) -> np.ndarray:
    """Labels of every twelfth frame."""
    return np.stack([scene.render(t).labels for t in range(0, scene.frames, 12)])


@pytest.fixture(scope="module")
def clip() -> np.ndarray:
    return decode(ASSETS / "demo.mp4", "rgb24")


@pytest.fixture(scope="module")
def backgrounds() -> np.ndarray:
    """The exact background of each frame, as the README of the demos says to compute it."""
    plate = cv2.imread(str(ASSETS / "demo_background.png"))[..., ::-1].astype(np.float32)
    light = json.loads((ASSETS / "demo_light.json").read_text())
    lit = [g * plate + o for g, o in zip(light["gain"], light["offset"], strict=True)]
    return np.stack([np.clip(np.rint(b), 0, 255).astype(np.uint8) for b in lit])


# --- the scene ---------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_frames_in_any_order(render: ModuleType) -> None:
    first, second = (render.Scene(5, 10, 96, 64) for _ in range(2))
    forwards = [first.render(t) for t in range(4)]
    backwards = [second.render(t) for t in reversed(range(4))][::-1]
    for a, b in zip(forwards, backwards, strict=True):
        np.testing.assert_array_equal(a.image, b.image)
        np.testing.assert_array_equal(a.labels, b.labels)


def test_another_seed_gives_another_street_and_other_traffic(render: ModuleType) -> None:
    a, b = render.Scene(5, 10, 96, 64), render.Scene(6, 10, 96, 64)
    assert (a.plate.image != b.plate.image).mean() > 0.5
    assert any((a.render(t).labels != b.render(t).labels).any() for t in (3, 6, 9))


@pytest.mark.slow
def test_labels_follow_from_coverage_and_shadow(some_frames: dict[int, Any]) -> None:
    for frame in some_frames.values():
        solid, partial = frame.alpha >= 0.9, (frame.alpha > 0.1) & (frame.alpha < 0.9)
        shaded = (frame.alpha <= 0.1) & (frame.shadow >= 0.45)
        np.testing.assert_array_equal(frame.labels == 255, solid)
        np.testing.assert_array_equal(frame.labels == 170, partial)
        np.testing.assert_array_equal(frame.labels == 50, shaded)
        np.testing.assert_array_equal(frame.labels == 0, ~(solid | partial | shaded))


def test_coverage_is_the_area_of_the_drawn_polygon() -> None:
    sprite = load("scene.sprite")
    corners = np.array([(-1.5, 0.0), (1.5, 0.0), (1.5, 2.0), (-1.5, 2.0)])
    place = sprite.Placement(30.3, 40.6, 5.0, -1)
    drawn = sprite.draw([sprite.Part(corners, (100.0, 50.0, 20.0))], place, (64, 64))
    assert drawn.alpha.sum() == pytest.approx(15 * 10, rel=0.03)
    assert drawn.alpha.max() == 1.0
    assert drawn.alpha[40, 30] == pytest.approx(0.6, abs=0.13)
    np.testing.assert_allclose(drawn.colour[..., 1], 50 * drawn.alpha, atol=1e-3)


@pytest.mark.slow
def test_what_is_neither_covered_nor_shaded_is_background_and_sensor_noise(
    some_frames: dict[int, Any],
) -> None:
    for frame in some_frames.values():
        empty = (frame.alpha == 0) & (frame.shadow < 1e-6)
        noise = (frame.image.astype(int) - frame.clean_background)[empty]
        assert abs(noise.mean()) < 0.05
        assert 2.0 < noise.std() < 3.2


@pytest.mark.slow
def test_noise_grows_with_the_light(scene: Any, some_frames: dict[int, Any]) -> None:
    frame = some_frames[0]
    empty = (frame.alpha == 0) & (frame.shadow < 1e-6)
    noise = frame.image.astype(int) - frame.clean_background
    dark, bright = (
        empty[..., None] & (m) for m in (frame.clean_background < 60, frame.clean_background > 140)
    )
    assert noise[dark].std() + 0.3 < noise[bright].std()


@pytest.mark.slow
def test_a_shadow_darkens_the_ground_moderately(some_frames: dict[int, Any]) -> None:
    frame = some_frames[113]
    shaded = (frame.labels == 50) & (frame.alpha == 0) & (frame.shadow > 0.9)
    ratio = frame.image[shaded].mean() / frame.clean_background[shaded].mean()
    assert shaded.sum() > 100
    assert 0.80 < ratio < 0.86


@pytest.mark.slow
def test_the_unknown_band_is_thin(coverage: np.ndarray) -> None:
    for labels in coverage:
        unknown = (labels == 170).astype(np.uint8)
        assert unknown.mean() < 0.015
        # Nothing of it survives an erosion by 5 × 5 pixels: nowhere is it wider than four.
        assert cv2.erode(unknown, np.ones((5, 5), np.uint8)).sum() == 0


@pytest.mark.slow
def test_the_light_drifts_slowly(scene: Any) -> None:
    gain = np.array([scene.light(t).gain for t in range(scene.frames)])
    offset = np.array([scene.light(t).offset for t in range(scene.frames)])
    assert np.ptp(gain) > 0.12
    assert np.ptp(offset) > 4
    assert np.abs(np.diff(gain)).max() < 0.005
    assert np.abs(np.diff(offset)).max() < 0.3
    first, last = (scene.background(t).mean() for t in (40, 160))
    assert first > last + 8


@pytest.mark.slow
def test_at_least_five_things_move_at_once_somewhere(coverage: np.ndarray) -> None:
    parts = []
    for labels in coverage:
        _, _, boxes, _ = cv2.connectedComponentsWithStats((labels >= 170).astype(np.uint8))
        parts.append(int((boxes[1:, cv2.CC_STAT_AREA] > 60).sum()))
    assert max(parts) >= 5


@pytest.mark.slow
def test_nothing_hides_a_place_for_most_of_the_clip(coverage: np.ndarray) -> None:
    assert (coverage >= 170).mean(axis=0).max() < 0.4


def test_nothing_stands_still_for_half_of_the_clip() -> None:
    traffic = load("scene.traffic")
    for seed in range(5):
        for actor in traffic.one_round(np.random.default_rng([seed, 1, 0])):
            ways = [actor.travelled(t / 240, 320.0) for t in range(240) if actor.present(t / 240)]
            still = int((np.diff(ways) < 1e-9).sum())
            assert len(ways) > 40
            assert still < 0.25 * 240


@pytest.mark.slow
def test_what_stands_before_a_thing_hides_it(scene: Any, coverage: np.ndarray) -> None:
    lamp = max(scene.plate.occluders, key=lambda occluder: occluder.ground)
    post = (lamp.alpha == 1.0) & (np.arange(scene.height)[:, None] > 100)
    assert post.sum() > 100
    assert (coverage[:, post] == 255).sum() == 0
    beside = np.roll(post, 6, axis=1)
    assert (coverage[:, beside] == 255).sum() > 50


@pytest.mark.slow
def test_a_nearer_thing_covers_a_farther_one(render: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    sprite, traffic = load("scene.sprite"), load("scene.traffic")
    square = np.array([(-2.0, 0.0), (2.0, 0.0), (2.0, 4.0), (-2.0, 4.0)])

    def actor(colour: tuple[int, int, int], row: float) -> Any:
        return traffic.Actor(lambda _: [sprite.Part(square, colour)], ((0.0, 0.5, row), (2.0, 0.5, row)))

    # The nearer one comes first in the list: order is by where things stand.
    blocks = (actor((220, 30, 30), 160.0), actor((30, 30, 220), 130.0))
    monkeypatch.setattr(render, "one_round", lambda rng: blocks)
    frame = render.Scene(1, 2, 320, 240).render(0)
    assert frame.image[110, 160, 0] > 180 > 80 > frame.image[110, 160, 2]
    assert frame.image[60, 160, 2] > 180 > 80 > frame.image[60, 160, 0]
    assert frame.labels[110, 160] == frame.labels[60, 160] == 255


def test_people_grow_on_their_way_towards_the_camera() -> None:
    geometry = load("scene.geometry")
    traffic = load("scene.traffic")
    crossing = traffic.one_round(np.random.default_rng(0))[8]
    early, late = (crossing.placement(t, 320.0) for t in (0.42, 0.95))
    assert late.scale > 1.5 * early.scale
    assert late.scale == pytest.approx(geometry.pixels_per_metre(late.y))


def test_a_long_clip_gets_further_rounds_of_traffic(render: ModuleType) -> None:
    scene = render.Scene(1, 480, 96, 64)
    assert (scene.render(240 + 113).labels == 255).sum() > 100
    assert (scene.render(240 + 113).labels != scene.render(113).labels).any()


def test_an_impossible_scene_and_a_frame_outside_the_clip_are_refused(render: ModuleType) -> None:
    for arguments in ((-1, 9, 96, 64), (1, 1, 96, 64), (1, 9, 95, 64), (1, 9, 96, 32)):
        with pytest.raises(ValueError, match="not"):
            render.Scene(*arguments)
    scene = render.Scene(1, 10, 96, 64)
    for t in (-1, 10):
        with pytest.raises(IndexError, match="outside 0–9"):
            scene.render(t)


# --- the files ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script writes for a small scene of seed 3."""
    folder = tmp_path_factory.mktemp("made")
    load("make_scene").main(["--out", str(folder), "--seed", "3", *SMALL, "--pictures"])
    return folder


def test_the_script_writes_clip_truth_background_and_light(made: Path, render: ModuleType) -> None:
    scene = render.Scene(3, 12, 96, 64)
    labels = decode(made / "demo_truth.mkv", "gray")
    assert decode(made / "demo.mp4", "rgb24").shape == (12, 64, 96, 3)
    for t in range(12):
        picture = cv2.imread(str(made / "groundtruth" / f"gt{t + 1:06d}.png"), cv2.IMREAD_UNCHANGED)
        np.testing.assert_array_equal(labels[t], scene.render(t).labels)
        np.testing.assert_array_equal(labels[t], picture)
    plate = cv2.imread(str(made / "demo_background.png"))[..., ::-1]
    np.testing.assert_array_equal(plate, scene.plate.image)
    assert len(json.loads((made / "demo_light.json").read_text())["gain"]) == 12
    # It can start to play before it is complete.
    data = (made / "demo.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_an_odd_size_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        load("make_scene").main(["--out", str(tmp_path), "--width", "97"])
    assert "width and height must be even" in capsys.readouterr().err


def test_the_committed_files_are_small() -> None:
    assert (ASSETS / "demo.mp4").stat().st_size < 1.5e6
    assert sum(file.stat().st_size for file in ASSETS.glob("demo_*")) < 1e6


@pytest.mark.slow
def test_the_committed_clip_is_what_the_script_makes(some_frames: dict[int, Any], clip: np.ndarray) -> None:
    assert clip.shape == (240, 240, 320, 3)
    truth = decode(ASSETS / "demo_truth.mkv", "gray")
    for t, frame in some_frames.items():
        np.testing.assert_array_equal(truth[t], frame.labels)
        assert psnr(clip[t], frame.image) > 33
        moving = frame.labels == 255
        assert psnr(clip[t][moving], frame.image[moving]) > 25


@pytest.mark.slow
def test_the_committed_background_and_light_are_what_the_script_makes(
    scene: Any, backgrounds: np.ndarray
) -> None:
    for t in SOME_FRAMES:
        # One grey level of room: picture scaling rounds differently on other processors.
        assert np.abs(backgrounds[t].astype(int) - scene.background(t)).max() <= 1


@pytest.mark.slow
def test_every_second_committed_label_is_what_the_script_makes(scene: Any) -> None:
    truth = decode(ASSETS / "demo_truth.mkv", "gray")
    for t in range(1, scene.frames, 2):
        np.testing.assert_array_equal(truth[t], scene.render(t).labels)


def test_the_temporal_median_of_the_clip_is_the_empty_scene(
    clip: np.ndarray, backgrounds: np.ndarray
) -> None:
    median = np.median(clip[::3], axis=0)
    plate = np.median(backgrounds[::3], axis=0)
    assert psnr(median, plate) > 37
    assert np.abs(median - plate).max() < 60


def test_a_plain_threshold_on_the_true_background_solves_the_clip(
    tmp_path: Path, clip: np.ndarray, backgrounds: np.ndarray
) -> None:
    for t in range(0, len(clip), 4):
        score = np.abs(clip[t].astype(np.int16) - backgrounds[t]).max(axis=2)
        mask = cv2.medianBlur(np.where(score > 25, 255, 0).astype(np.uint8), 5)
        cv2.imwrite(str(tmp_path / f"bin{t + 1:06d}.png"), mask)
    result = evaluate(tmp_path, ASSETS / "demo_truth.mkv")
    assert (result.frames_scored, result.frames_missing) == (60, 180)
    assert 0.95 < result.counts.f_measure < 1.0


# --- the picture of the README -----------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, made: Path) -> Path:
    """Outputs named as a run names them: each is the small clip itself or its labels."""
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("background.mp4", "foreground.mp4"):
        (folder / name).write_bytes((made / "demo.mp4").read_bytes())
    (folder / "mask.mkv").write_bytes((made / "demo_truth.mkv").read_bytes())
    (folder / "run.json").write_text(json.dumps({"frames": {"numbers": [[1, 12, 1]]}}))
    return folder


def test_the_picture_shows_four_panels_of_the_chosen_frame(run: Path, made: Path, tmp_path: Path) -> None:
    script = load("make_readme_picture")
    out = tmp_path / "pictures" / "readme.png"
    assert script.main([str(run), "--clip", str(made / "demo.mp4"), "--frame", "5", "--out", str(out)]) == 0
    picture = cv2.imread(str(out))[..., ::-1]
    assert picture.shape[1] == 1300
    expected = cv2.resize(decode(made / "demo.mp4", "rgb24")[4], (640, 427), interpolation=cv2.INTER_CUBIC)
    assert psnr(picture[40:467, :640], expected) > 35
    assert psnr(picture[40:467, 660:], expected) > 35
    mask = cv2.resize(decode(made / "demo_truth.mkv", "gray")[4], (640, 427), interpolation=cv2.INTER_NEAREST)
    np.testing.assert_array_equal(picture[-427:, 660:, 0], mask)


def test_without_a_frame_number_a_frame_with_things_in_it_is_taken(run: Path, made: Path) -> None:
    script = load("make_readme_picture")
    picture = script.make_picture(run, made / "demo.mp4")
    assert (picture[-400:, 670:] == 255).mean() > 0.01
    with pytest.raises(InputError, match="no frame 13; the run has 1 to 12"):
        script.make_picture(run, made / "demo.mp4", 13)


def test_a_folder_without_a_run_is_one_line_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert load("make_readme_picture").main([str(tmp_path), "--out", str(tmp_path / "x.png")]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "x.png").exists()
