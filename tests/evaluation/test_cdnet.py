from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen, InputError
from bgsub.evaluation.cdnet import Evaluation, evaluate
from bgsub.evaluation.counts import Counts
from bgsub.evaluation.predictions import recorded_numbers
from bgsub.evaluation.truth import read_truth

HEIGHT, WIDTH = 24, 32


def labels(number: int) -> np.ndarray:
    """A block that moves with the number, a shadow below it and an unknown line beside it."""
    truth = np.zeros((HEIGHT, WIDTH), np.uint8)
    x = number % 20
    truth[4:12, x : x + 6] = 255
    truth[12:15, x : x + 6] = 50
    truth[4:12, x + 6] = 170
    truth[:, 30:] = 85
    return truth


def mask(number: int) -> np.ndarray:
    return np.where(labels(number) == 255, 255, 0).astype(np.uint8)


def write_picture(path: Path, picture: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    ok, data = cv2.imencode(path.suffix, picture)
    assert ok
    data.tofile(path)


def write_truth(folder: Path, numbers: Iterable[int]) -> Path:
    for number in numbers:
        write_picture(folder / f"gt{number:06d}.png", labels(number))
    return folder


def write_masks(folder: Path, numbers: Iterable[int]) -> Path:
    for number in numbers:
        write_picture(folder / f"bin{number:06d}.png", mask(number))
    return folder


def write_video(
    path: Path, pictures: Iterable[np.ndarray], codec: str = "ffv1", pixels: str = "gray"
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, pixels
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="gray")))
        container.mux(stream.encode())
    return path


def test_the_truth_scores_one_against_itself(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", range(701, 706))
    result = evaluate(write_masks(tmp_path / "masks", range(701, 706)), truth)
    assert result.counts.f_measure == 1.0
    assert result.counts.tp == 5 * 8 * 6
    assert (result.frames_scored, result.frames_missing) == (5, 0)
    assert [number for number, _ in result.per_frame] == list(range(701, 706))


def test_per_frame_counts_pool_to_the_whole(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", [1, 2, 3])
    masks = write_masks(tmp_path / "masks", [1, 3])
    write_picture(masks / "bin000002.png", mask(5))
    result = evaluate(masks, truth)
    assert result.counts == sum((counts for _, counts in result.per_frame), Counts())
    second = dict(result.per_frame)[2]
    # The block of frame 5 overlaps the one of frame 2 by 3 columns; one of the others is not scored.
    assert (second.tp, second.fn, second.fp) == (8 * 3, 8 * 3, 8 * 2)


def test_frames_are_matched_by_number_and_not_by_position(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", range(10, 20))
    masks = write_masks(tmp_path / "masks", [13, 15, 17, 40])
    result = evaluate(masks, truth)
    assert result.counts.f_measure == 1.0
    assert (result.frames_scored, result.frames_missing) == (3, 7)


def test_a_pattern_reads_the_pictures_that_it_names(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", range(1, 5))
    masks = write_masks(tmp_path / "masks", range(1, 5))
    assert evaluate(masks / "bin%06d.png", truth).frames_scored == 4
    assert evaluate(masks / "bin00000[23].png", truth).frames_scored == 2


def test_a_sequence_folder_is_searched_for_its_groundtruth(tmp_path: Path) -> None:
    write_truth(tmp_path / "seq" / "groundtruth", range(1, 4))
    write_picture(tmp_path / "seq" / "input" / "in000001.png", labels(1))
    assert evaluate(write_masks(tmp_path / "m", range(1, 4)), tmp_path / "seq").frames_scored == 3


def test_the_temporal_region_limits_what_is_scored(tmp_path: Path) -> None:
    write_truth(tmp_path / "seq" / "groundtruth", range(1, 9))
    for encoding in ["utf-8", "utf-8-sig"]:
        (tmp_path / "seq" / "temporalROI.txt").write_text("3 6", encoding=encoding)
        result = evaluate(write_masks(tmp_path / "m", range(1, 6)), tmp_path / "seq")
        assert [number for number, _ in result.per_frame] == [3, 4, 5], encoding
        assert result.frames_missing == 1, encoding


def test_a_damaged_temporal_region_is_refused(tmp_path: Path) -> None:
    write_truth(tmp_path / "seq" / "groundtruth", [1])
    (tmp_path / "seq" / "temporalROI.txt").write_text("from 3")
    with pytest.raises(InputError, match=r"temporalROI\.txt: expected two frame numbers"):
        evaluate(write_masks(tmp_path / "m", [1]), tmp_path / "seq")


def test_truth_with_any_numbered_name_is_read_where_no_file_is_called_gt(tmp_path: Path) -> None:
    for number in (1, 2):
        write_picture(tmp_path / "own" / f"label_{number}.bmp", labels(number))
    (tmp_path / "own" / "notes.txt").write_text("by hand")
    assert evaluate(write_masks(tmp_path / "m", [1, 2]), tmp_path / "own").counts.f_measure == 1.0


def test_truth_in_three_equal_channels_keeps_its_labels(tmp_path: Path) -> None:
    write_picture(tmp_path / "truth" / "gt000001.png", np.repeat(labels(1)[..., None], 3, axis=2))
    assert evaluate(write_masks(tmp_path / "m", [1]), tmp_path / "truth").counts.f_measure == 1.0


def test_unicode_paths_are_read(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "Wahrheit ±1 日本", [1])
    assert evaluate(write_masks(tmp_path / "Masken ü", [1]), truth).frames_scored == 1


def test_a_mask_video_without_a_report_is_numbered_from_one(tmp_path: Path) -> None:
    video = write_video(tmp_path / "run" / "mask.mkv", [mask(n) for n in range(1, 6)])
    truth = write_truth(tmp_path / "truth", range(1, 6))
    assert evaluate(video, truth).counts.f_measure == 1.0
    assert evaluate(tmp_path / "run", truth).counts.f_measure == 1.0


def test_a_lossy_mask_video_is_read_as_masks(tmp_path: Path) -> None:
    video = write_video(tmp_path / "mask.mp4", [mask(1)] * 3, "libx264", "yuv420p")
    truth = write_truth(tmp_path / "truth", [1])
    shutil.copy(truth / "gt000001.png", truth / "gt000002.png")
    assert evaluate(video, truth).counts.f_measure > 0.9


def test_the_run_report_numbers_the_frames_of_a_mask_video(tmp_path: Path) -> None:
    numbers = [701, 703, 705, 900]
    video = write_video(tmp_path / "run" / "mask.mkv", [mask(n) for n in numbers])
    report = {"schema": 1, "frames": {"numbers": [[701, 705, 2], [900, 900, 1]]}}
    (tmp_path / "run" / "run.json").write_text(json.dumps(report))
    result = evaluate(video, write_truth(tmp_path / "truth", range(700, 707)))
    assert [number for number, _ in result.per_frame] == [701, 703, 705]
    assert result.counts.f_measure == 1.0
    assert result.frames_missing == 4


def test_a_report_of_another_run_is_refused(tmp_path: Path) -> None:
    video = write_video(tmp_path / "run" / "mask.mkv", [mask(n) for n in range(1, 5)])
    truth = write_truth(tmp_path / "truth", range(1, 5))
    for listed, says in (
        ([[1, 2, 1]], "not from the same run"),
        ([[1, 9, 1]], "not from the same run"),
        ([[1, 2, 1], [2, 3, 1]], "mask 2 comes after mask 2"),
    ):
        (tmp_path / "run" / "run.json").write_text(json.dumps({"frames": {"numbers": listed}}))
        with pytest.raises(InputError, match=says):
            evaluate(video, truth)


def test_a_report_without_numbers_says_nothing_about_them(tmp_path: Path) -> None:
    for text in ["{}", '{"frames": {"count": 3}}', "[1, 2]"]:
        (tmp_path / "run.json").write_text(text)
        assert recorded_numbers(tmp_path / "run.json") is None, text


def test_malformed_numbers_in_a_report_are_refused(tmp_path: Path) -> None:
    for numbers in [[[1, 2]], [[1, 2, 0]], "1-5", [[1, 2, True]]]:
        (tmp_path / "run.json").write_text(json.dumps({"frames": {"numbers": numbers}}))
        with pytest.raises(InputError, match=r"\[first, last, step\]"):
            recorded_numbers(tmp_path / "run.json")
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(InputError, match="not valid JSON"):
        recorded_numbers(tmp_path / "run.json")


def test_a_label_video_is_ground_truth_too(tmp_path: Path) -> None:
    video = write_video(tmp_path / "truth.mkv", [labels(n) for n in range(1, 7)])
    result = evaluate(write_masks(tmp_path / "m", [2, 3, 9]), video)
    assert result.counts.f_measure == 1.0
    assert (result.frames_scored, result.frames_missing) == (2, 4)


def test_a_label_video_gives_the_same_score_as_label_pictures(tmp_path: Path) -> None:
    folder = write_truth(tmp_path / "truth", range(1, 7))
    video = write_video(tmp_path / "truth.mkv", [labels(n) for n in range(1, 7)])
    masks = write_video(tmp_path / "mask.mkv", [mask(n + 1) for n in range(1, 7)])
    by_folder, by_video = evaluate(masks, folder), evaluate(masks, video)
    assert 0 < by_video.counts.f_measure < 1
    assert by_video.per_frame == by_folder.per_frame


def test_a_lossy_label_video_is_refused(tmp_path: Path) -> None:
    video = write_video(tmp_path / "truth.mp4", [labels(n) for n in range(1, 4)], "libx264", "yuv420p")
    with pytest.raises(InputError, match=r"frame 1: grey level \d+ is not a CDnet label"):
        evaluate(write_masks(tmp_path / "m", [1]), video)


def test_an_unknown_grey_level_in_the_truth_is_refused_with_its_value(tmp_path: Path) -> None:
    write_picture(tmp_path / "truth" / "gt000001.png", np.full((HEIGHT, WIDTH), 37, np.uint8))
    with pytest.raises(InputError, match=r"gt000001\.png: grey level 37 is not a CDnet label"):
        evaluate(write_masks(tmp_path / "m", [1]), tmp_path / "truth")


def test_a_mask_of_another_size_is_refused_and_never_resized(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", [1])
    write_picture(tmp_path / "m" / "bin000001.png", mask(1)[::2, ::2])
    with pytest.raises(
        InputError, match=r"mask 1 of .* is 16×12 but its ground truth .*gt000001\.png is 32×24"
    ):
        evaluate(tmp_path / "m", truth)


def test_no_number_in_common_names_both_ranges(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", [701, 702])
    masks = write_masks(tmp_path / "m", [1, 2, 3])
    with pytest.raises(InputError, match=r"no frame number in common: .* has 1–3, .* has 701–702"):
        evaluate(masks, truth)


def test_two_truths_of_one_number_are_refused(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "truth", [7])
    shutil.copy(truth / "gt000007.png", truth / "gt7.png")
    with pytest.raises(InputError, match="are both frame 7"):
        evaluate(write_masks(tmp_path / "m", [7]), truth)


def test_missing_ground_truth_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("nowhere", "empty"):
        with pytest.raises(CannotOpen, match=name):
            read_truth(tmp_path / name)


def test_a_truth_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "truth").mkdir()
    (tmp_path / "truth" / "gt000001.png").write_text("no picture")
    with pytest.raises(CannotDecode, match=r"gt000001\.png"):
        evaluate(write_masks(tmp_path / "m", [1]), tmp_path / "truth")


def test_masks_of_zero_and_one_are_reported(tmp_path: Path) -> None:
    write_picture(tmp_path / "m" / "bin000001.png", mask(1) // 255)
    with pytest.warns(BgsubWarning, match="store masks as 0 and 255"):
        result = evaluate(tmp_path / "m", write_truth(tmp_path / "truth", [1]))
    assert result.counts.recall == 0.0


def test_masks_in_colour_are_refused(tmp_path: Path) -> None:
    """Pure blue has the luma 29, red 76: as foreground it would have counted for background."""
    for colour in [(0, 0, 255), (255, 0, 0), (0, 255, 255)]:
        truth = write_truth(tmp_path / "gt", range(1, 4))
        for number in range(1, 4):
            picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
            picture[mask(number) > 0] = colour if number > 1 else (255, 255, 255)
            write_picture(tmp_path / "m" / f"{number}.png", picture)
        with pytest.raises(InputError) as caught:
            evaluate(tmp_path / "m", truth)
        assert str(caught.value) == (
            f"{tmp_path / 'm'}: mask 2 shows colours; give masks in black and white, 255 where the foreground is"
        ), colour


def test_masks_in_three_channels_with_what_a_codec_adds_are_taken(tmp_path: Path) -> None:
    truth = write_truth(tmp_path / "gt", range(1, 4))
    for number in range(1, 4):
        picture = np.repeat(np.clip(mask(number), 8, 247)[..., None], 3, axis=2)
        picture[..., 1] += 8
        write_picture(tmp_path / "m" / f"{number}.png", picture)
    assert evaluate(tmp_path / "m", truth).counts.f_measure == 1


@pytest.mark.shared_data
def test_real_ground_truth_scores_one_against_its_own_foreground(shared_data: Path, tmp_path: Path) -> None:
    sequence = shared_data / "sequences" / "baseline" / "highway"
    for number in range(801, 811):
        truth = cv2.imread(str(sequence / "groundtruth" / f"gt{number:06d}.png"), cv2.IMREAD_GRAYSCALE)
        write_picture(tmp_path / f"bin{number:06d}.png", (truth == 255).astype(np.uint8) * 255)
    result: Evaluation = evaluate(tmp_path, sequence)
    assert result.counts.f_measure == 1.0
    assert result.counts.tp > 1000
    assert (result.frames_scored, result.frames_missing) == (10, 490)


def test_truth_of_which_nothing_is_to_be_scored_is_warned_of(tmp_path):
    for number in (1, 2):
        write_picture(tmp_path / "gt" / f"gt{number:06d}.png", np.full((HEIGHT, WIDTH), 85, np.uint8))
    masks = write_masks(tmp_path / "masks", (1, 2))
    with pytest.warns(BgsubWarning, match="not one pixel of its frames is to be scored"):
        assert evaluate(masks, tmp_path / "gt").counts.total == 0
