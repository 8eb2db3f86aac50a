"""What is written of tracks, read back by others."""

from __future__ import annotations

import csv
import io
import json
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from clip_kit import scene, times, write_video
from render_kit import read_png, read_video

import bgsub
from bgsub import Options
from bgsub.errors import OptionError
from bgsub.events.objects import Object
from bgsub.exports.coco import run_lengths
from bgsub.exports.heatmap import draw_heatmap
from bgsub.options.table import EXPORTS

SCENE = scene(60, 72, 96)
FPS = 25


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports")
    path = write_video(folder / "in.mp4", SCENE.frames, times(60, FPS))
    outputs = ("mask", "overlay", "background", "cdnet", *EXPORTS)
    return bgsub.separate(
        path, folder / "out", Options(outputs=outputs, pad=1, zone={"right": (48, 0, 48, 72)})
    )


@pytest.fixture(scope="module")
def masks(run) -> np.ndarray:
    return np.array(read_video(run.outputs["mask"], "gray")[0])


@pytest.fixture(scope="module")
def table(run) -> list[dict[str, str]]:
    with run.outputs["tracks"].open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_square_is_one_track_in_one_event(run, table, masks):
    assert {row["track"] for row in table} == {"1"}
    assert len(table) == 60
    for row in table:
        mask = masks[int(row["frame"]) - 1] > 0
        rows, columns = np.nonzero(mask)
        x, y, width, height = (int(row[name]) for name in "xywh")
        assert (x, x + width, y, y + height) == (columns.min(), columns.max() + 1, rows.min(), rows.max() + 1)
        assert int(row["area"]) == mask.sum()
        assert (float(row["cx"]), float(row["cy"])) == pytest.approx((columns.mean(), rows.mean()), abs=0.01)
        assert float(row["time"]) == pytest.approx((int(row["frame"]) - 1) / FPS)
    [event] = json.loads(run.outputs["events"].read_text())["events"]
    assert (event["start"]["frame"], event["end"]["frame"], event["objects"]) == (1, 60, 1)
    assert (run.report["events"], run.report["objects"]) == (1, 1)
    assert run.log.summary() == "1 event: 00:00–00:03 (1 object)"
    assert [visit.track for visit in run.log.zones[0].visits] == [1]


def test_the_table_in_memory_is_that_of_the_file(table):
    memory = bgsub.separate(SCENE.frames, options=Options(outputs="mask", fps=FPS, every=2))
    disk = [row for row in table if int(row["frame"]) % 2]
    assert memory.tracks["frame"].tolist() == [int(row["frame"]) for row in disk]
    for name in ("track", "x", "y", "w", "h"):
        assert np.abs(memory.tracks[name] - [int(row[name]) for row in disk]).max() <= 2, name


@pytest.mark.filterwarnings(
    "ignore:__array__ implementation:DeprecationWarning"
)  # of the library's own arrays
def test_coco_is_read_by_its_own_library(run, masks, table):
    coco_api = pytest.importorskip("pycocotools.coco")
    with redirect_stdout(io.StringIO()):
        coco = coco_api.COCO(str(run.outputs["coco"]))
    assert len(coco.getImgIds()) == 60
    for number in coco.getImgIds():
        [found] = coco.loadAnns(coco.getAnnIds(imgIds=[number]))
        assert np.array_equal(coco.annToMask(found) * 255, masks[number - 1])
        row = table[number - 1]
        assert found["bbox"] == [int(row[name]) for name in "xywh"]
        assert (found["area"], found["track_id"]) == (int(row["area"]), 1)
    assert coco.loadImgs([7])[0]["file_name"] == "000007.png"


def test_coco_names_the_pictures_that_were_read(tmp_path):
    import cv2

    (tmp_path / "in").mkdir()
    for t, frame in enumerate(SCENE.frames[:40]):
        cv2.imwrite(str(tmp_path / "in" / f"cam {t:02d}.jpg"), frame[..., ::-1])
    result = bgsub.separate(tmp_path / "in", tmp_path / "out", Options(outputs="coco", rotate=180))
    images = json.loads(result.outputs["coco"].read_text())["images"]
    assert [image["file_name"] for image in images] == [f"cam {t:02d}.jpg" for t in range(40)]


@pytest.mark.parametrize("seed", range(6))
def test_run_lengths_are_those_of_the_library(seed):
    library = pytest.importorskip("pycocotools.mask")
    rng = np.random.default_rng(seed)
    shape = tuple(int(side) for side in rng.integers(1, 40, 2))
    pixels = np.where(rng.random(shape) < rng.random(), 255, 0).astype(np.uint8)
    pixels[rng.integers(shape[0]), rng.integers(shape[1])] = 255
    room = 0 if seed < 3 else 300
    whole = np.pad(pixels, ((room, room // 2), (room // 3, room)))
    found = Object((room // 3, room, *shape[::-1]), 1, (0.0, 0.0), 0.0, (0.0,) * 3, pixels)
    expected = library.encode(np.asfortranarray((whole > 0).astype(np.uint8)))
    assert run_lengths(found, whole.shape) == expected["counts"].decode()


def test_mot_has_ten_columns_counted_from_one(run, table):
    rows = np.loadtxt(run.outputs["mot"], delimiter=",")
    assert rows.shape == (60, 10)
    assert np.array_equal(rows[:, 0], np.arange(1, 61))
    boxes = np.array([[int(row[name]) for name in "xywh"] for row in table])
    assert np.array_equal(rows[:, 2:6] - boxes, np.broadcast_to((1, 1, 0, 0), (60, 4)))
    assert set(map(tuple, rows[:, 6:].tolist())) == {(1, -1, -1, -1)}


def test_yolo_has_a_file_for_each_frame_relative_to_the_picture(run, table):
    folder = run.outputs["yolo"]
    assert (folder / "classes.txt").read_text() == "moving\n"
    for number, row in enumerate(table, 1):
        kind, cx, cy, width, height = map(float, (folder / f"{number:06d}.txt").read_text().split())
        box = [(cx - width / 2) * 96, (cy - height / 2) * 72, width * 96, height * 72]
        assert [kind, *box] == pytest.approx([0, *(int(row[name]) for name in "xywh")], abs=0.01)


def test_cdnet_s_results_are_the_masks(run, masks):
    files = sorted(run.outputs["cdnet"].iterdir())
    assert [file.name for file in files] == [f"bin{number:06d}.png" for number in range(1, 61)]
    assert np.array_equal(np.stack([read_png(file) for file in files]), masks)


def test_the_factors_make_the_background(run):
    factors = np.load(run.outputs["factors"], allow_pickle=False)
    assert factors["frames_0"].tolist() == list(range(1, 61))
    background = factors["centre_0"] + np.tensordot(factors["coefficients_0"], factors["components_0"], 1)
    memory = bgsub.separate(SCENE.frames, options=Options(outputs="background", fps=FPS)).layers["background"]
    assert np.abs(background - memory).max() < 3


@pytest.mark.parametrize("light", [0.0, 0.5])
def test_the_factors_follow_the_light(light, tmp_path):
    lit = scene(60, 72, 96, light=light)
    out = bgsub.separate(lit.frames, tmp_path, Options(outputs="factors"))
    factors = np.load(out.outputs["factors"], allow_pickle=False)
    background = factors["centre_0"] + np.tensordot(factors["coefficients_0"], factors["components_0"], 1)
    assert np.abs(background - lit.wall).mean() < 2


def test_a_still_shows_the_peak_and_a_clip_the_event(run):
    [event] = run.log.events
    still = read_png(run.outputs["stills"] / "001.png")
    assert still.shape == SCENE.frames[0].shape
    x, y, width, height = event.box
    inside = slice(y, y + height), slice(x, x + width)
    assert np.array_equal(still[inside], SCENE.frames[event.peak.index][inside])
    assert (still[y - 1, x : x + width] == (255, 240, 0)).all()
    images, stamps = read_video(run.outputs["clips"] / "001.mp4")
    assert stamps == times(60, FPS)
    overlay = np.array(read_video(run.outputs["overlay"])[0], float)
    assert np.abs(np.array(images, float) - overlay).mean() < 3


def two_visits() -> np.ndarray:
    """A square crosses twice, with four seconds in between."""
    clip = np.repeat(SCENE.wall[:1], 160, axis=0)
    clip = clip + np.random.default_rng(0).integers(-1, 2, clip.shape)
    for first in (20, 100):
        for t in range(40):
            clip[first + t, 30:44, 2 * t : 2 * t + 10] = 235
    return clip.clip(0, 255).astype(np.uint8)


def test_clips_are_cut_from_the_footage_where_no_overlay_is_written(tmp_path):
    clip = two_visits()
    options = Options(outputs="clips,stills,sheet", fps=10, pad=Fraction(1, 2))
    result = bgsub.separate(clip, tmp_path / "out", options)
    assert len(result.log.events) == 2
    for number, (event, first) in enumerate(zip(result.log.events, (20, 100), strict=True), 1):
        assert abs(event.first.index - first) <= 1
        images, stamps = read_video(tmp_path / "out" / "clips" / f"{number:03d}.mp4")
        begin, end = event.first.index - 5, event.last.index + 5
        assert stamps == times(end - begin + 1, 10)
        assert np.abs(np.array(images, float) - clip[begin : end + 1]).mean() < 3
    assert read_png(tmp_path / "out" / "sheet.png").shape[1] == 2 * (256 + 6) + 6


@pytest.mark.parametrize(
    "output", ["clips", "stills", "sheet", "heatmap", "coco", "mot", "yolo", "events", "tracks"]
)
def test_footage_without_an_event_has_exports_without_one(output, tmp_path):
    still = np.repeat(SCENE.wall[:1], 20, axis=0)
    noisy = still + np.random.default_rng(0).integers(0, 3, still.shape, dtype=np.uint8)
    result = bgsub.separate(noisy, tmp_path / "out", Options(outputs=output))
    assert result.log.events == []
    there = result.outputs[output]
    assert there.exists()
    if output in ("clips", "stills"):
        assert list(there.iterdir()) == []


def test_a_heat_map_is_bright_where_something_was_and_the_scene_elsewhere():
    share = np.zeros((60, 80), np.float32)
    share[10:30, 20:40] = 0.5
    share[40:50, 20:40] = 0.005
    plate = np.full((60, 80), 120, np.uint8)
    drawn = draw_heatmap(share, plate)[:, :80].astype(int).sum(axis=2)
    assert drawn[20, 30] > drawn[45, 30] != drawn[5, 70] == 3 * 54
    assert draw_heatmap(np.zeros((60, 80), np.float32), plate)[:, :80].max() == 54


def test_files_cannot_be_kept_in_memory():
    for output in EXPORTS:
        if output in ("events", "tracks"):
            continue
        with pytest.raises(OptionError, match=f"--outputs {output} .* folder"):
            bgsub.separate(SCENE.frames, options=Options(outputs=output))


def test_boxes_and_zones_are_of_the_picture_that_is_written(tmp_path):
    whole = bgsub.separate(SCENE.frames, options=Options(outputs="mask"))
    half = bgsub.separate(
        SCENE.frames, options=Options(outputs="mask", scale=0.5, zone="right=48,0,48,72", min_area=0)
    )
    ratio = np.median(half.tracks["cx"][10:50]) / np.median(whole.tracks["cx"][10:50])
    assert ratio == pytest.approx(0.5, abs=0.03)
    assert [zone.name for zone in half.log.zones] == ["right"]
    assert half.log.zones[0].visits[0].first.index == pytest.approx(27, abs=4)


def test_a_cutout_has_the_footage_where_something_moves_and_alpha(tmp_path):
    result = bgsub.separate(SCENE.frames, tmp_path / "out", Options(outputs="cutout,cutout-png,mask"))
    masks = read_video(result.outputs["mask"], "gray")[0]
    for index in (5, 30):
        picture = read_rgba(result.outputs["cutout-png"] / f"{index + 1:06d}.png")
        assert np.array_equal(picture[..., 3], masks[index])
        inside = masks[index] > 0
        assert np.array_equal(picture[inside][:, :3], SCENE.frames[index][inside])
        assert not picture[~inside].any()
    import av

    with av.open(str(result.outputs["cutout"])) as container:
        stream = container.streams.video[0]
        assert stream.metadata.get("alpha_mode", stream.metadata.get("ALPHA_MODE")) == "1"
        assert sum(1 for _ in container.decode(stream)) == 60


def read_rgba(path: Path) -> np.ndarray:
    import cv2

    return cv2.imread(str(path), cv2.IMREAD_UNCHANGED)[..., [2, 1, 0, 3]]
