"""What is run and counted, against loops over pixels, OpenCV called by hand, and the separate commands."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import pytest
from dataset_kit import (
    FRAMES,
    HEIGHT,
    WIDTH,
    as_dict,
    compared,
    mog2_masks,
    pixel_by_pixel,
    save,
    write_sequence,
)

import bgsub
from bgsub.comparison import methods, run
from bgsub.comparison.dataset import find_sequences
from bgsub.comparison.run import Request, compare
from bgsub.comparison.subtractors import CONTRIB, Median, OpenCV
from bgsub.errors import InputError, UsageError
from bgsub.run.progress import Silent


def test_counts_are_those_of_a_loop_over_pixels(dataset):
    done = compared(find_sequences(dataset), ["mog2"])
    for each in done.sequences:
        folder = dataset / each.category / each.name
        expected = pixel_by_pixel(mog2_masks(folder), folder)
        assert as_dict(each.methods["mog2"].counts) == expected
        assert min(expected["tp"], expected["tn"]) > 0
        assert (each.frames, each.scored) == (FRAMES, FRAMES)
        assert each.methods["mog2"].frames == FRAMES


def test_systems_see_the_frames_before_those_that_are_scored(tmp_path):
    folder = write_sequence(tmp_path / "cat" / "one")
    (folder / "temporalROI.txt").write_text("9 12")
    [each] = compared(find_sequences(folder), ["mog2"]).sequences
    masks = {number: mask for number, mask in mog2_masks(folder).items() if 9 <= number <= 12}
    assert as_dict(each.methods["mog2"].counts) == pixel_by_pixel(masks, folder)
    assert (each.frames, each.scored) == (FRAMES, 4)


def test_what_is_outside_of_the_region_is_not_counted(tmp_path):
    folder = write_sequence(tmp_path / "cat" / "one")
    inside = np.zeros((HEIGHT, WIDTH), np.uint8)
    inside[4:30, 7:40] = 255
    save(folder / "ROI.bmp", inside)
    [each] = compared(find_sequences(folder), ["mog2"]).sequences
    expected = pixel_by_pixel(mog2_masks(folder), folder, inside)
    assert as_dict(each.methods["mog2"].counts) == expected
    assert sum(expected.values()) < sum(pixel_by_pixel(mog2_masks(folder), folder).values())


def test_bgsub_is_scored_as_by_separate_and_evaluate(dataset, tmp_path, monkeypatch):
    sequences = [each for each in find_sequences(dataset) if each.name in ("gaps", "gray")]
    in_memory = compared(sequences, ["bgsub"])
    monkeypatch.setattr(run, "IN_MEMORY", 0)
    from_files = compared(sequences, ["bgsub"])
    for each, again in zip(in_memory.sequences, from_files.sequences, strict=True):
        folder = dataset / each.category / each.name
        out = tmp_path / each.name
        bgsub.separate(folder / "input", out, bgsub.Options(outputs=("mask",), threads=1))
        expected = bgsub.evaluate(out, folder / "groundtruth").counts
        assert each.methods["bgsub"].counts == expected
        assert again.methods["bgsub"].counts == expected
        assert expected.f_measure > 0.9


def test_time_passes_for_every_system_and_only_while_it_works(dataset, monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("bgsub.comparison.run.time.perf_counter", lambda: float(next(clock)))
    [each] = compared(find_sequences(dataset / "hard"), ["median", "mog2"]).sequences
    for score in each.methods.values():
        # The clock ticks when it is looked at: once for making, once for the fit, once for each mask.
        assert score.seconds == 2 + FRAMES
        assert score.frames_per_s == pytest.approx(FRAMES / (2 + FRAMES))


def test_a_broken_sequence_is_left_out_and_the_others_go_on(dataset, tmp_path):
    shutil.copytree(dataset / "easy", tmp_path / "easy")
    shutil.rmtree(tmp_path / "easy" / "gaps" / "groundtruth")
    failures = []
    done = compare(
        find_sequences(tmp_path),
        Request(("median",), 1),
        Silent(),
        failed=lambda sequence, error: failures.append((sequence.label, str(error))),
    )
    assert [each.label for each in done.sequences] == ["easy/square"]
    [(label, text)] = failures
    assert label == "easy/gaps"
    assert "groundtruth is missing" in text


def test_an_error_of_the_one_who_looks_is_not_taken_for_a_broken_sequence(dataset):
    def look(findings):
        raise bgsub.OutputError("the disk is full")

    with pytest.raises(bgsub.OutputError, match="the disk is full"):
        compared(find_sequences(dataset / "hard"), ["median"], look=look)


def test_sensitivities_are_runs_of_bgsub_with_that_option(dataset):
    found = {}
    compare(
        find_sequences(dataset / "hard"),
        Request(("bgsub",), 1, (0.5, 1.0)),
        Silent(),
        look=lambda findings: found.update(findings.sensitivities),
        failed=lambda *_: pytest.fail("a sequence is left out"),
    )
    folder = dataset / "hard" / "gray"
    masks = bgsub.separate(folder, None, bgsub.Options(outputs=("mask",), threads=1, sensitivity=0.5)).layers[
        "mask"
    ]
    assert as_dict(found[0.5]) == pixel_by_pixel(dict(enumerate(masks, 1)), folder)
    assert found[1.0].recall >= found[0.5].recall


# The systems


def test_the_median_is_that_of_each_pixel_and_its_threshold_that_of_the_largest_channel():
    for gray in [False, True]:
        rng = np.random.default_rng(0)
        shape = (5, 40, 50) if gray else (5, 40, 50, 3)
        images = list(rng.integers(100, 110, shape, dtype=np.uint8))
        system = Median(50, 40)
        system.fit(images)
        np.testing.assert_array_equal(system.median, np.median(images, axis=0).astype(np.uint8))
        image = images[0].copy()
        image[10:25, 10:25, *(() if gray else (1,))] = 150
        expected = np.zeros((40, 50), np.uint8)
        expected[10:25, 10:25] = 255
        np.testing.assert_array_equal(system.mask(image), cv2.medianBlur(expected, 5))


def test_shadows_that_opencv_marks_are_background():
    class Shadows:
        def apply(self, image):
            return np.repeat(np.uint8([[0], [127], [255]]), 20, axis=0).repeat(60, axis=1)

    system = OpenCV(60, 60, "createBackgroundSubtractorMOG2")
    system._subtractor = Shadows()
    mask = system.mask(np.zeros((60, 60, 3), np.uint8))
    assert not mask[:40].any()
    assert mask[40:].all()


def test_frames_go_to_opencv_in_its_order_of_channels():
    system = OpenCV(2, 1, "createBackgroundSubtractorMOG2")
    np.testing.assert_array_equal(system.prepare(np.uint8([[[1, 2, 3]]])), [[[3, 2, 1]]])
    np.testing.assert_array_equal(system.prepare(np.uint8([[7]])), [[[7, 7, 7]]])


def test_what_opencv_refuses_is_one_line():
    class Refuses:
        def apply(self, image):
            raise cv2.error("refused")

    system = OpenCV(9, 9, "createBackgroundSubtractorMOG2")
    system._subtractor = Refuses()
    with pytest.raises(InputError, match="OpenCV refuses the frames: refused"):
        system.mask(np.zeros((9, 9, 3), np.uint8))


# Their names


def test_names_are_read_once_each_and_all_is_what_is_installed(monkeypatch):
    monkeypatch.delattr(cv2, "bgsegm", raising=False)
    assert methods.parse_methods(" knn,BGSUB, knn,") == ("knn", "bgsub")
    assert methods.parse_methods("all") == ("bgsub", "median", "mog2", "knn")
    assert methods.parse_methods("knn,all") == ("knn", "bgsub", "median", "mog2")


def test_a_system_that_is_not_installed_says_what_to_install(monkeypatch):
    monkeypatch.delattr(cv2, "bgsegm", raising=False)
    for name in CONTRIB:
        with pytest.raises(UsageError, match=f"{name} is not installed.*opencv-contrib-python-headless"):
            methods.parse_methods(f"bgsub,{name}")


@pytest.mark.skipif(not hasattr(cv2, "bgsegm"), reason="OpenCV without its contributed modules")
def test_contributed_systems_run_in_colour_and_in_gray(dataset):
    done = compared(find_sequences(dataset), CONTRIB)
    for each in done.sequences:
        assert {name: score.frames for name, score in each.methods.items()} == dict.fromkeys(CONTRIB, FRAMES)


def test_an_unknown_name_is_told_the_choices():
    for text, said in [("madian", "did you mean 'median'"), (" , ", "no name given")]:
        with pytest.raises(UsageError, match=said) as caught:
            methods.parse_methods(text)
        assert all(name in str(caught.value) for name in (*methods.METHODS, "all")), (text, said)
