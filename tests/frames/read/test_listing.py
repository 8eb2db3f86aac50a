from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgsub.errors import CannotOpen
from bgsub.frames.read.listing import is_printf, matching_glob, matching_printf, natural_sort, numbers_of


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).touch()


def names(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


def test_numbers_are_compared_as_numbers():
    files = [Path(name) for name in ("img10.png", "img2.png", "img1.png", "Img3.png", "img.png", "1.png")]
    assert names(natural_sort(files)) == ["1.png", "img.png", "img1.png", "img2.png", "Img3.png", "img10.png"]


@given(st.lists(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)))
def test_any_names_can_be_sorted_and_the_order_does_not_depend_on_the_input(texts: list[str]):
    files = [Path("x" + text) for text in texts]
    assert natural_sort(files) == natural_sort(reversed(files))


def test_file_numbers_are_used_only_if_they_increase():
    for files, numbers in [
        (["in000701.jpg", "in000702.jpg", "in000710.jpg"], [701, 702, 710]),
        (["cam2_1.png", "cam2_2.png"], [1, 2]),
        (["a1.png", "b1.png"], [1, 2]),
        (["5.png", "4.png"], [1, 2]),
        (["1.png", "x.png"], [1, 2]),
        (["x.png"], [1]),
    ]:
        assert numbers_of(map(Path, files)) == numbers, files


def test_a_numbered_pattern_takes_gaps_and_any_start(tmp_path):
    touch(tmp_path, "img0005.png", "img0007.png", "img0012.png", "img3.png", "other0001.png", "img0005.jpg")
    files, numbers = matching_printf(str(tmp_path / "img%04d.png"))
    assert (names(files), numbers) == (["img0005.png", "img0007.png", "img0012.png"], [5, 7, 12])


def test_a_plain_number_format_takes_any_width(tmp_path):
    touch(tmp_path, "a9.png", "a10.png", "a011.png", "ab.png")
    assert matching_printf(str(tmp_path / "a%d.png"))[1] == [9, 10, 11]


def test_numbers_wider_than_the_format_match_as_in_c(tmp_path):
    touch(tmp_path, "a99.png", "a100.png")
    assert matching_printf(str(tmp_path / "a%02d.png"))[1] == [99, 100]


def test_what_surrounds_the_number_is_literal(tmp_path):
    touch(tmp_path, "50% (a.b)-1.png", "50% (axb)-2.png")
    assert matching_printf(str(tmp_path / "50%% (a.b)-%d.png"))[1] == [1]


def test_a_number_after_the_pattern_does_not_replace_it(tmp_path):
    touch(tmp_path, "t1_cam2.png", "t2_cam2.png")
    assert matching_printf(str(tmp_path / "t%d_cam2.png"))[1] == [1, 2]


def test_a_pattern_without_files_or_with_two_numbers_cannot_be_opened(tmp_path):
    with pytest.raises(CannotOpen, match="no file matches the numbered pattern"):
        matching_printf(str(tmp_path / "img%04d.png"))
    with pytest.raises(CannotOpen, match="no file matches"):
        matching_printf(str(tmp_path / "nowhere" / "img%04d.png"))
    with pytest.raises(CannotOpen, match="exactly one number format"):
        matching_printf("a%d_%d.png")


def test_a_percent_sign_alone_is_no_pattern():
    assert not is_printf("100%.mp4")
    assert not is_printf("dir%04d/x.mp4")
    assert is_printf("dir/x%d.png")


def test_a_wildcard_finds_files_only_in_natural_order(tmp_path):
    touch(tmp_path, "a10.png", "a9.png", ".a1.png", "b.png")
    (tmp_path / "a11.png").mkdir()
    assert names(matching_glob(str(tmp_path / "a*.png"))) == ["a9.png", "a10.png"]
