"""A run into a folder: which files are there, what is in them, and whose they are."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest
from clip_kit import DEFAULT, f_measure, names, psnr, read_video, scene, times, uneven_times, write_video

import bgsub
from bgsub import Options
from bgsub.errors import OutputError
from bgsub.evaluation.cdnet import evaluate
from bgsub.frames.read.open import open_source
from bgsub.options.table import OUTPUTS, PICTURES
from bgsub.run.progress import Silent

SCENE = scene()
MILLISECOND = Fraction(1, 1000)


def png(path: Path):
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    return image if image.ndim == 2 else image[..., ::-1]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run with every output on a clip with uneven times that do not start at 0."""
    folder = tmp_path_factory.mktemp("run")
    path = write_video(folder / "in.mp4", SCENE.frames, uneven_times(40))
    return bgsub.separate(path, folder / "out", Options(outputs=OUTPUTS))


def test_the_default_outputs_are_those_that_the_readme_promises_with_exact_times(tmp_path):
    stamps = times(12, 25, first=Fraction(3, 2))
    path = write_video(tmp_path / "in.mp4", SCENE.frames[:12], stamps)
    result = bgsub.separate(path, tmp_path / "a" / "b")
    assert names(tmp_path / "a" / "b") == DEFAULT
    assert result.layers == {}
    assert result.outputs["plate"] == tmp_path / "a" / "b" / "background.png"
    # At a constant rate those of the masks are exact, too.
    for name, pixels in (("background", "rgb24"), ("mask", "gray")):
        assert read_video(result.outputs[name], pixels)[1] == stamps


def test_every_output_has_its_file_or_folder(run):
    folder = run.outputs["mask"].parent
    assert len(names(folder)) == len(OUTPUTS) + 1
    assert all(path.exists() for path in run.outputs.values())
    assert set(run.outputs) == set(OUTPUTS)


def test_videos_have_every_frame_at_exactly_its_time(run):
    videos = [name for name in PICTURES if name not in ("mask", "cutout")]
    assert len(videos) > 3
    for name in videos:
        assert read_video(run.outputs[name])[1] == uneven_times(40)


def test_masks_and_cutouts_have_every_frame_at_its_time_to_half_a_millisecond(run):
    for name in ("mask", "cutout"):
        _, stamps = read_video(run.outputs[name], "gray")
        assert len(stamps) == 40
        assert all(abs(a - b) <= MILLISECOND / 2 for a, b in zip(stamps, uneven_times(40), strict=True))


def test_the_mask_video_and_the_mask_pictures_are_the_masks_in_memory(run):
    expected = bgsub.separate(SCENE.frames, options=Options(outputs="mask")).layers["mask"]
    stored, _ = read_video(run.outputs["mask"], "gray")
    pictures = np.stack([png(path) for path in sorted(run.outputs["mask-png"].iterdir())])
    assert np.array_equal(stored, expected)
    assert np.array_equal(pictures, expected)
    assert set(np.unique(stored)) == {0, 255}


def test_pictures_are_named_by_frame_number_and_lossless(run):
    files = sorted(run.outputs["foreground-png"].iterdir())
    assert [file.name for file in files] == [f"{number:06d}.png" for number in range(1, 41)]
    moving = png(run.outputs["mask-png"] / "000020.png") == 255
    assert np.array_equal(png(files[19])[moving], SCENE.frames[19][moving])


def test_the_background_is_the_wall_after_encoding_too(run):
    images, _ = read_video(run.outputs["background"])
    assert min(psnr(a, b) for a, b in zip(images, SCENE.wall, strict=True)) > 30
    assert psnr(png(run.outputs["plate"]), SCENE.wall[0]) > 40


def test_the_report_is_the_file(run):
    text = (run.outputs["mask"].parent / "run.json").read_text(encoding="utf-8")
    report = json.loads(text)
    assert report == json.loads(json.dumps(run.report))
    assert report["schema"] == 2
    assert report["outputs"]["mask-png"] == "mask-png/"
    assert report["outputs"]["plate"] == "background.png"
    assert report["frames"]["numbers"] == [[1, 40, 1]]
    assert report["frames"]["first_time"] == {"value": 1.28, "exact": "32/25"}
    assert report["input"]["name"].endswith("in.mp4")
    assert report["warnings"] == []
    assert set(report["seconds"]) == {"fit", "separate", "events"}
    assert report["segments"][0]["reasons"][0].startswith("method alt-pgpg on a sample")


def test_odd_and_thin_pictures_are_written(tmp_path):
    for shape in ((47, 63), (1, 64), (33, 1)):
        small = scene(20, *shape) if min(shape) > 20 else None
        frames = small.frames if small else np.full((20, *shape, 3), 90, np.uint8)
        result = bgsub.separate(frames, tmp_path, Options(outputs="background,mask,mask-png,plate"))
        mask, _ = read_video(result.outputs["mask"], "gray")
        assert mask.shape == (20, *shape)
        assert png(result.outputs["plate"]).shape[:2] == shape
        if small:
            assert f_measure(mask, small.mask) > 0.9


def test_a_part_of_a_folder_of_pictures_keeps_their_numbers_and_can_be_scored(tmp_path):
    inputs, truth = tmp_path / "seq" / "input", tmp_path / "seq" / "groundtruth"
    inputs.mkdir(parents=True)
    truth.mkdir()
    for number, (frame, mask) in enumerate(zip(SCENE.frames, SCENE.mask, strict=True), 701):
        cv2.imwrite(str(inputs / f"in{number:06d}.png"), frame[..., ::-1])
        cv2.imwrite(str(truth / f"gt{number:06d}.png"), mask)
    result = bgsub.separate(
        tmp_path / "seq", tmp_path / "out", Options(outputs="mask,mask-png", start=10, every=3)
    )
    assert result.report["frames"]["numbers"] == [[711, 738, 3]]
    assert names(result.outputs["mask-png"])[0] == "in000711.png"
    for masks in (tmp_path / "out", result.outputs["mask-png"]):
        scored = evaluate(masks, truth)
        assert scored.frames_scored == 10
        assert scored.counts.f_measure > 0.85


def test_a_rerun_replaces_the_results_of_an_earlier_run(tmp_path):
    bgsub.separate(SCENE.frames[:15], tmp_path, Options(outputs="mask,mask-png,plate"))
    bgsub.separate(SCENE.frames[:10], tmp_path, Options(outputs="mask,mask-png,overlay"))
    assert names(tmp_path) == ["background.png", "mask-png", "mask.mkv", "overlay.mp4", "run.json"]
    assert len(read_video(tmp_path / "mask.mkv", "gray")[0]) == 10
    assert len(names(tmp_path / "mask-png")) == 10
    assert json.loads((tmp_path / "run.json").read_text())["frames"]["count"] == 10


def test_a_folder_named_after_the_pictures_is_replaced_but_not_what_somebody_put_there(tmp_path):
    inputs, out = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    for letter, frame in zip("abcdef", SCENE.frames, strict=False):
        cv2.imwrite(str(inputs / f"{letter} x.jpg"), frame[..., ::-1])
    options = Options(outputs=("mask-png", "yolo"))
    for _ in range(2):
        bgsub.separate(inputs, out, options)
        assert names(out / "mask-png") == [f"{letter} x.png" for letter in "abcdef"]
        assert names(out / "yolo") == sorted([*(f"{letter} x.txt" for letter in "abcdef"), "classes.txt"])
    (out / "mask-png" / "mine.png").write_bytes(b"precious")
    with pytest.raises(OutputError, match=r"it holds 'mine\.png'"):
        bgsub.separate(inputs, out, options)
    assert (out / "mask-png" / "mine.png").read_bytes() == b"precious"


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path):
    (tmp_path / "mask.mkv").write_bytes(b"precious")
    says = r"mask\.mkv exists and is not from an earlier run of bgsub; move it away"
    for report in (None, "{}", "[1]", '{"program": {"name": "another"}}', "not json"):
        if report is not None:
            (tmp_path / "run.json").write_text(report)
        before = names(tmp_path)
        with pytest.raises(OutputError, match=says):
            bgsub.separate(SCENE.frames, tmp_path)
        assert (tmp_path / "mask.mkv").read_bytes() == b"precious"
        assert names(tmp_path) == before


@pytest.mark.parametrize("output", ["mask", "mask-png"])
def test_what_somebody_has_put_into_an_earlier_output_is_found_before_the_work(output, tmp_path):
    bgsub.separate(SCENE.frames[:6], tmp_path, Options(outputs=output))
    target = tmp_path / {"mask": "mask.mkv", "mask-png": "mask-png"}[output]
    if output == "mask":
        target.unlink()
        target.mkdir()
    (target / "notes.txt").write_text("mine")

    class Begun(Silent):
        def begin(self, phase, total):
            raise AssertionError(f"{phase} has begun")

    with pytest.raises(OutputError, match=r"notes\.txt|it is a folder"):
        bgsub.separate(SCENE.frames[:6], tmp_path, Options(outputs=output), progress=Begun())
    assert (target / "notes.txt").read_text() == "mine"


def test_a_report_of_another_program_is_not_overwritten(tmp_path):
    (tmp_path / "run.json").write_text('{"score": 3}')
    with pytest.raises(OutputError, match=r"run\.json exists and is not from an earlier run of bgsub"):
        bgsub.separate(SCENE.frames, tmp_path, Options(outputs="mask"))
    assert names(tmp_path) == ["run.json"]
    assert (tmp_path / "run.json").read_text() == '{"score": 3}'


def test_other_files_in_the_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    bgsub.separate(SCENE.frames[:6], tmp_path, Options(outputs="mask"))
    assert names(tmp_path) == ["mask.mkv", "notes.txt", "run.json"]
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_the_input_itself_is_never_replaced(tmp_path):
    bgsub.separate(SCENE.frames[:6], tmp_path, Options(outputs="background"))
    before = (tmp_path / "background.mp4").read_bytes()
    with pytest.raises(OutputError, match="is the input itself; choose another folder"):
        bgsub.separate(tmp_path / "background.mp4", tmp_path)
    assert (tmp_path / "background.mp4").read_bytes() == before
    assert names(tmp_path) == ["background.mp4", "run.json"]


def test_input_pictures_are_never_replaced(tmp_path):
    bgsub.separate(SCENE.frames[:6], tmp_path, Options(outputs="overlay-png"))
    for pattern in ("overlay-png", "overlay-png/*.png", "overlay-png/%06d.png"):
        with pytest.raises(OutputError, match="is the input itself"):
            bgsub.separate(str(tmp_path / pattern), tmp_path, Options(outputs="overlay-png"))
    assert len(names(tmp_path / "overlay-png")) == 6


def test_an_input_of_another_name_may_lie_in_the_folder(tmp_path):
    path = write_video(tmp_path / "in.mp4", SCENE.frames[:6])
    bgsub.separate(path, tmp_path, Options(outputs="mask"))
    assert names(tmp_path) == ["in.mp4", "mask.mkv", "run.json"]


def test_warnings_about_the_footage_are_issued_once_and_kept_in_the_report(tmp_path):
    inputs = tmp_path / "in"
    inputs.mkdir()
    for number, frame in enumerate(SCENE.frames[:12]):
        cv2.imwrite(str(inputs / f"{number}.png"), frame)
    (inputs / "7.png").write_bytes(b"damaged")
    with pytest.warns(bgsub.BgsubWarning, match=r"7\.png .*; it is skipped") as caught:
        result = bgsub.separate(inputs, tmp_path / "out", Options(outputs="mask"))
    assert len(caught) == 1
    assert result.report["warnings"] == [str(caught[0].message)]
    assert result.report["frames"]["numbers"] == [[0, 6, 1], [8, 11, 1]]
    assert json.loads((tmp_path / "out" / "run.json").read_text())["warnings"] == result.report["warnings"]


def test_a_file_that_the_earlier_run_did_not_write_is_not_replaced(tmp_path):
    bgsub.separate(SCENE.frames[:6], tmp_path / "out", Options(outputs="mask"))
    (tmp_path / "out" / "background.mp4").write_text("mine")
    with pytest.raises(OutputError, match=r"background\.mp4 exists and is not from an earlier run"):
        bgsub.separate(SCENE.frames, tmp_path / "out", Options(outputs="mask,background"))
    assert (tmp_path / "out" / "background.mp4").read_text() == "mine"


def test_results_are_not_mixed_with_the_pictures_they_come_from(tmp_path):
    for number, frame in enumerate(SCENE.frames[:5]):
        cv2.imwrite(str(tmp_path / f"{number}.png"), frame)
    for target in (tmp_path, tmp_path / "*.png", tmp_path / "%d.png"):
        with pytest.raises(OutputError, match="the pictures are read from"):
            bgsub.separate(target, tmp_path, Options(outputs="plate"))
    assert names(tmp_path) == [f"{number}.png" for number in range(5)]


def test_an_empty_name_is_no_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="is empty"):
        bgsub.separate(SCENE.frames, "")
    assert names(tmp_path) == []


def test_a_source_name_that_is_not_utf_8_is_recorded(tmp_path):
    path = tmp_path / b"odd\xff.mp4".decode("utf-8", "surrogateescape")
    write_video(tmp_path / "plain.mp4", SCENE.frames[:6])
    (tmp_path / "plain.mp4").rename(path)
    result = bgsub.separate(path, tmp_path / "out", Options(outputs="plate"))
    assert "odd" in json.loads((tmp_path / "out" / "run.json").read_text())["input"]["name"]
    assert list(result.outputs) == ["plate"]


def test_three_frames_are_enough_to_see_what_moves():
    frames = np.repeat(SCENE.frames[:1] // 2 + 60, 3, axis=0)
    for index in range(3):
        frames[index, 10:30, 5 + 20 * index : 20 + 20 * index] = 250
    result = bgsub.separate(frames, None, Options(outputs="mask"))
    assert all(mask[15:25, 10 + 20 * k : 15 + 20 * k].all() for k, mask in enumerate(result.layers["mask"]))


def test_what_any_earlier_run_wrote_may_be_replaced(tmp_path):
    frames, out = SCENE.frames[:6], tmp_path / "out"
    for outputs in ("plate,mask-png", "mask", "mask", "plate,mask-png"):
        report = bgsub.separate(frames, out, Options(outputs=outputs)).report
    assert report["outputs"] == {"plate": "background.png", "mask-png": "mask-png/"}
    assert report["earlier_outputs"] == ["mask.mkv"]
    (out / "overlay.mp4").write_text("mine")
    with pytest.raises(OutputError, match=r"overlay\.mp4 exists and is not from an earlier run"):
        bgsub.separate(frames, out, Options(outputs="overlay"))


def test_outputs_of_every_nth_frame_claim_no_more_frames_than_they_hold(tmp_path):
    clip = write_video(tmp_path / "in.mp4", np.repeat(SCENE.frames, 2, axis=0), times(80))
    found = bgsub.separate(clip, tmp_path / "out", Options(every=20, outputs="mask,overlay"))
    for path in found.outputs.values():
        source = open_source(path)
        assert len(list(source)) == source.info.frame_count == 4
        assert source.info.fps == Fraction(25, 20)
