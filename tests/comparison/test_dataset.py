"""Which sequences a folder holds, and which pixels of them are scored."""

from __future__ import annotations

import numpy as np
import pytest
from dataset_kit import FRAMES, HEIGHT, WIDTH, save, write_sequence

from bgsub.comparison.dataset import find_sequences, scored_region
from bgsub.comparison.footage import loaded
from bgsub.errors import BgsubWarning, CannotOpen, InputError, OutputError
from bgsub.progress import Silent


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


@pytest.mark.parametrize("make", ["empty", "missing", "file"])
def test_a_wrong_folder_is_told_the_layout_in_one_line(tmp_path, make):
    place = tmp_path / "place"
    if make == "empty":
        place.mkdir()
    if make == "file":
        place.touch()
    with pytest.raises(CannotOpen, match=r"category/sequence/input") as caught:
        find_sequences(place)
    assert "\n" not in str(caught.value)
    assert str(place) in str(caught.value)


def test_two_sequences_of_one_name_are_refused(tmp_path):
    for part in ("train", "test"):
        write_sequence(tmp_path / part / "cat" / "one")
    with pytest.raises(InputError, match="both called cat/one"):
        find_sequences(tmp_path)


def half(value: int = 255):
    picture = np.zeros((HEIGHT, WIDTH), np.uint8)
    picture[:, : WIDTH // 2] = value
    return picture


@pytest.mark.parametrize(
    ("name", "value"), [("ROI.bmp", 255), ("ROI.png", 1), ("ROI.jpg", 255), ("roi.BMP", 255)]
)
def test_the_region_is_read_from_any_of_its_pictures(tmp_path, name, value):
    save(tmp_path / name, half(value))
    np.testing.assert_array_equal(scored_region(tmp_path, WIDTH, HEIGHT), half() > 0)


def test_a_photograph_or_a_picture_of_another_size_is_no_region(tmp_path):
    photograph = np.random.default_rng(0).integers(60, 200, (HEIGHT, WIDTH), dtype=np.uint8)
    save(tmp_path / "ROI.bmp", np.full((HEIGHT, WIDTH + 4), 255, np.uint8))
    save(tmp_path / "ROI.jpg", photograph)
    with pytest.warns(BgsubWarning, match=r"ROI.bmp is 52×36 .* and ROI.jpg is not black and white"):
        assert scored_region(tmp_path, WIDTH, HEIGHT) is None
    save(tmp_path / "ROI.png", half())
    np.testing.assert_array_equal(scored_region(tmp_path, WIDTH, HEIGHT), half() > 0)


@pytest.mark.parametrize(("name", "level"), [("ROI.bmp", 0), ("ROI.png", 0), ("ROI.jpg", 3)])
def test_a_region_that_is_black_everywhere_is_passed_over_with_a_warning(tmp_path, name, level):
    save(tmp_path / name, np.full((HEIGHT, WIDTH), level, np.uint8))
    with pytest.warns(
        BgsubWarning, match=rf"the whole picture is scored, since {name} is black everywhere; give"
    ):
        assert scored_region(tmp_path, WIDTH, HEIGHT) is None


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


LABELS = {"all unscored": 85, "all background": 0}


def broken(folder, how: str) -> None:
    if label := LABELS.get(how, -1) + 1:
        for path in (folder / "groundtruth").iterdir():
            save(path, np.full((HEIGHT, WIDTH), label - 1, np.uint8))
    else:
        broken_otherwise(folder, how)


def broken_otherwise(folder, how: str) -> None:
    if how == "no frames":
        for path in (folder / "input").iterdir():
            path.unlink()
    if how == "no truth":
        for path in (folder / "groundtruth").iterdir():
            path.unlink()
        (folder / "groundtruth").rmdir()
    if how == "truth of another size":
        save(folder / "groundtruth" / "gt000003.png", np.zeros((9, 9), np.uint8))
    if how == "no label":
        save(folder / "groundtruth" / "gt000003.png", np.full((HEIGHT, WIDTH), 7, np.uint8))
    if how == "bad temporalROI":
        (folder / "temporalROI.txt").write_text("from the first to the last")
    numbered_otherwise(folder, how)


def numbered_otherwise(folder, how: str) -> None:
    if how == "nothing in common":
        for path in (folder / "groundtruth").iterdir():
            path.rename(path.with_name(f"gt0009{path.name[-6:]}"))
        (folder / "temporalROI.txt").write_text("900 1000")
    if how == "truth outside temporalROI":
        (folder / "temporalROI.txt").write_text("900 1000")


BROKEN = {
    "all unscored": "no foreground to be found",
    "all background": "has label 255",
    "no frames": "no pictures",
    "no truth": "groundtruth is missing",
    "truth of another size": "9×9",
    "no label": "grey level 7",
    "bad temporalROI": "two frame numbers",
    "nothing in common": r"in both: the frames have 1–16, the ground truth within temporalROI\.txt 901–916$",
    "truth outside temporalROI": r"it has the numbers 1–16, and .*temporalROI\.txt wants 900 to 1000; correct",
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_sequence_says_in_one_line_what_is_wrong(tmp_path, how):
    folder = write_sequence(tmp_path / "cat" / "one")
    broken(folder, how)
    [sequence] = find_sequences(tmp_path)
    with pytest.raises(InputError, match=BROKEN[how]) as caught, loaded(sequence, Silent()):
        pass
    assert "\n" not in str(caught.value)


def test_no_room_for_decoded_frames_says_what_to_set(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(OutputError, match="TMPDIR"), loaded(find_sequences(dataset)[0], Silent()):
        pass
