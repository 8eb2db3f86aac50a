from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from render_kit import names, read_png

from bgsub.errors import OptionError, OutputError
from bgsub.render.sinks.open import ImageSequenceSink, PictureSink


def picture(seed: int, color: bool = True) -> np.ndarray:
    shape = (7, 5, 3) if color else (7, 5)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def test_a_picture_is_the_last_image_exactly(tmp_path: Path) -> None:
    for color in [False, True]:
        with PictureSink(tmp_path / "plate.png") as sink:
            for index in range(3):
                sink.write(picture(index, color), Fraction(index))
        assert np.array_equal(read_png(tmp_path / "plate.png"), picture(2, color)), color


def test_a_sequence_is_exact_and_named_by_frame_number(tmp_path: Path) -> None:
    for color in [False, True]:
        with ImageSequenceSink(tmp_path / "mask") as sink:
            for index, number in enumerate((1201, 1203, 1234567)):
                sink.write(picture(index, color), Fraction(index), number)
        assert names(tmp_path / "mask") == ["001201.png", "001203.png", "1234567.png"], color
        assert np.array_equal(read_png(tmp_path / "mask" / "001203.png"), picture(1, color)), color


def test_a_frame_of_a_source_by_others_is_not_written_elsewhere(tmp_path: Path) -> None:
    outside = names(tmp_path)
    with ImageSequenceSink(tmp_path / "mask") as sink:
        for number, name in enumerate(("../up", str(tmp_path / "up"), "a\\b", "a\0", "con", "fine"), 1):
            sink.write(picture(0), Fraction(number), number, name)
    assert names(tmp_path) == [*outside, "mask"]
    assert names(tmp_path / "mask") == [*(f"{number:06d}.png" for number in range(1, 6)), "fine.png"]


def test_numbers_start_at_one_when_not_given_and_digits_can_be_chosen(tmp_path: Path) -> None:
    with ImageSequenceSink(tmp_path / "mask", digits=3) as sink:
        sink.write(picture(0), Fraction(0))
        sink.write(picture(1), Fraction(1))
    assert names(tmp_path / "mask") == ["001.png", "002.png"]


def test_a_number_that_comes_twice_leaves_nothing(tmp_path: Path) -> None:
    sink = ImageSequenceSink(tmp_path / "mask")
    sink.write(picture(0), Fraction(0), 5)
    with pytest.raises(OutputError, match="two frames called 000005"):
        sink.write(picture(1), Fraction(1), 5)
    assert names(tmp_path) == []


def test_a_negative_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="frame number -1 is negative"):
        ImageSequenceSink(tmp_path / "mask").write(picture(0), Fraction(0), -1)


def test_impossible_digits_are_refused(tmp_path: Path) -> None:
    for digits in [0, 21]:
        with pytest.raises(OptionError, match="digits"):
            ImageSequenceSink(tmp_path / "mask", digits=digits)


def test_an_earlier_sequence_is_replaced_with_nothing_left_of_it(tmp_path: Path) -> None:
    for numbers in (range(1, 9), range(3, 5)):
        with ImageSequenceSink(tmp_path / "mask") as sink:
            for number in numbers:
                sink.write(picture(number), Fraction(number), number)
    assert names(tmp_path / "mask") == ["000003.png", "000004.png"]
    assert names(tmp_path) == ["mask"]


def test_a_folder_with_anything_else_in_it_is_never_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "mask"
    folder.mkdir()
    (folder / "000001.png").write_bytes(b"")
    for foreign in ["notes.txt", "photo.png", ".hidden", "12.jpg", "12.png.bak"]:
        (folder / foreign).write_text("mine")
        with pytest.raises(OutputError, match="will not replace the folder"):
            ImageSequenceSink(folder).open()
        assert names(folder) == sorted(["000001.png", foreign]), foreign
        (folder / foreign).unlink()


def test_a_file_that_appears_in_the_folder_meanwhile_is_not_lost(tmp_path: Path) -> None:
    folder = tmp_path / "mask"
    folder.mkdir()
    sink = ImageSequenceSink(folder)
    sink.write(picture(0), Fraction(0))
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"notes\.txt"):
        sink.close()
    assert names(folder) == ["notes.txt"]
    assert names(tmp_path) == ["mask"]


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "mask").write_text("mine")
    with pytest.raises(OutputError, match="a file has this name"):
        ImageSequenceSink(tmp_path / "mask").open()
