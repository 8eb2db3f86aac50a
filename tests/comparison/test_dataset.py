"""Which sequences a folder holds, and which pixels of them are scored."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from dataset_kit import FRAMES, HEIGHT, WIDTH, save, write_sequence

from bgsub.comparison.dataset import find_sequences, scored_region
from bgsub.comparison.footage import loaded
from bgsub.errors import BgsubWarning, CannotOpen, InputError, OutputError
from bgsub.run.progress import Silent


def labels(place) -> list[str]:
    return [sequence.label for sequence in find_sequences(place)]


def test_a_tree_a_category_and_a_sequence_are_found(dataset):
    assert labels(dataset) == ["easy/gaps", "easy/square", "hard/gray"]
    assert labels(dataset / "easy") == ["easy/gaps", "easy/square"]
    assert labels(dataset / "easy" / "gaps") == ["easy/gaps"]


def test_hidden_folders_and_files_are_passed_over(tmp_path):
    write_sequence(tmp_path / "data" / "cat" / "one")
    (tmp_path / "data" / ".trash" / "two" / "input").mkdir(parents=True)
    (tmp_path / "README.txt").touch()
    assert labels(tmp_path) == ["cat/one"]


def test_each_folder_without_a_sequence_is_named_once_the_outermost_only(tmp_path):
    write_sequence(tmp_path / "data" / "cat" / "one")
    for empty in ("cat/two", "results/cat/one", "night"):
        (tmp_path / "data" / empty).mkdir(parents=True)
    with pytest.warns(BgsubWarning) as caught:
        assert labels(tmp_path) == ["cat/one"]
    said = [str(each.message) for each in caught]
    assert said == [
        f"{tmp_path / 'data' / name} is left out: no sequence in it, that is, no folder with input and groundtruth"
        for name in ("cat/two", "night", "results")
    ]


def test_a_wrong_folder_is_told_the_layout_in_one_line(tmp_path):
    for make in ["empty", "missing", "file"]:
        place = tmp_path / make
        if make == "empty":
            place.mkdir()
        if make == "file":
            place.touch()
        with pytest.raises(CannotOpen, match=r"category/sequence/input") as caught:
            find_sequences(place)
        assert "\n" not in str(caught.value), make
        assert str(place) in str(caught.value), make


def test_two_sequences_of_one_name_are_refused(tmp_path):
    for part in ("train", "test"):
        write_sequence(tmp_path / part / "cat" / "one")
    with pytest.raises(InputError, match="both called cat/one"):
        find_sequences(tmp_path)


def half(value: int = 255):
    picture = np.zeros((HEIGHT, WIDTH), np.uint8)
    picture[:, : WIDTH // 2] = value
    return picture


def test_the_region_is_read_from_any_of_its_pictures(tmp_path):
    for name, value in [("ROI.bmp", 255), ("ROI.png", 1), ("ROI.jpg", 255), ("roi.BMP", 255)]:
        save(tmp_path / name, half(value))
        np.testing.assert_array_equal(scored_region(tmp_path, WIDTH, HEIGHT), half() > 0)
        (tmp_path / name).unlink()


def test_a_photograph_or_a_picture_of_another_size_is_no_region(tmp_path):
    photograph = np.random.default_rng(0).integers(60, 200, (HEIGHT, WIDTH), dtype=np.uint8)
    save(tmp_path / "ROI.bmp", np.full((HEIGHT, WIDTH + 4), 255, np.uint8))
    save(tmp_path / "ROI.jpg", photograph)
    with pytest.warns(BgsubWarning, match=r"ROI.bmp is 52×36 .* and ROI.jpg is not black and white"):
        assert scored_region(tmp_path, WIDTH, HEIGHT) is None
    save(tmp_path / "ROI.png", half())
    np.testing.assert_array_equal(scored_region(tmp_path, WIDTH, HEIGHT), half() > 0)


def test_a_region_that_is_black_everywhere_is_passed_over_with_a_warning(tmp_path):
    for name, level in [("ROI.bmp", 0), ("ROI.png", 0), ("ROI.jpg", 3)]:
        save(tmp_path / name, np.full((HEIGHT, WIDTH), level, np.uint8))
        with pytest.warns(
            BgsubWarning, match=rf"the whole picture is scored, since {name} is black everywhere; give"
        ):
            assert scored_region(tmp_path, WIDTH, HEIGHT) is None, name
        (tmp_path / name).unlink()


def test_frames_are_all_of_input_and_labels_those_within_temporal_roi(tmp_path):
    folder = write_sequence(tmp_path / "cat" / "one", numbers=range(4, 4 + 2 * FRAMES, 2))
    (folder / "temporalROI.txt").write_text("9 21\n")
    (folder / "groundtruth" / "gt000014.png").unlink()
    with loaded(find_sequences(folder)[0], Silent()) as footage:
        assert footage.numbers == list(range(4, 36, 2))
        assert [frame.number for frame in footage] == footage.numbers
        found = list(footage.truths())
        assert [(index, number) for index, number, _ in found] == [
            (3, 10),
            (4, 12),
            (6, 16),
            (7, 18),
            (8, 20),
        ]
        assert footage.foreground == [int((picture == 255).sum()) for _, _, picture in found]
        kept = footage.place
    assert not kept.exists()


def relabelled(level: int):
    def change(folder) -> None:
        for path in (folder / "groundtruth").iterdir():
            save(path, np.full((HEIGHT, WIDTH), level, np.uint8))

    return change


def third_truth(*shape_and_level: int):
    *shape, level = shape_and_level
    return lambda folder: save(folder / "groundtruth" / "gt000003.png", np.full(shape, level, np.uint8))


def limited(text: str):
    return lambda folder: (folder / "temporalROI.txt").write_text(text)


def renumbered(folder) -> None:
    for path in (folder / "groundtruth").iterdir():
        path.rename(path.with_name(f"gt0009{path.name[-6:]}"))
    limited("900 1000")(folder)


def without_frames(folder) -> None:
    for path in (folder / "input").iterdir():
        path.unlink()


BROKEN = [
    (relabelled(85), "no foreground to be found"),
    (relabelled(0), "has label 255"),
    (without_frames, "no pictures"),
    (lambda folder: shutil.rmtree(folder / "groundtruth"), "groundtruth is missing"),
    (third_truth(9, 9, 0), "9×9"),
    (third_truth(HEIGHT, WIDTH, 7), "grey level 7"),
    (limited("from the first to the last"), "two frame numbers"),
    (renumbered, r"in both: the frames have 1–16, the ground truth within temporalROI\.txt 901–916$"),
    (limited("900 1000"), r"it has the numbers 1–16, and .*temporalROI\.txt wants 900 to 1000; correct"),
]


def test_a_broken_sequence_says_in_one_line_what_is_wrong(tmp_path):
    write_sequence(tmp_path / "whole")
    for index, (breaks, says) in enumerate(BROKEN):
        folder = shutil.copytree(tmp_path / "whole", tmp_path / str(index) / "cat" / "one")
        breaks(folder)
        [sequence] = find_sequences(folder)
        with pytest.raises(InputError, match=says) as caught, loaded(sequence, Silent()):
            pass
        assert "\n" not in str(caught.value), says


def test_no_room_for_decoded_frames_says_what_to_set(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(OutputError, match="TMPDIR"), loaded(find_sequences(dataset)[0], Silent()):
        pass
