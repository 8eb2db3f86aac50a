from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen, InputError, OptionError
from bgsub.frames.read.images import ImageSource, read_image


def save(path: Path, rgb: np.ndarray) -> Path:
    stored = rgb[..., ::-1] if rgb.ndim == 3 and rgb.shape[2] == 3 else rgb
    ok, data = cv2.imencode(path.suffix, np.ascontiguousarray(stored))
    assert ok
    path.write_bytes(data.tobytes())
    return path


def folder_of(tmp_path: Path, clip: np.ndarray, pattern: str = "in{:06d}.png") -> Path:
    for index, image in enumerate(clip):
        save(tmp_path / pattern.format(index + 1), image)
    return tmp_path


def test_colour_comes_back_exactly_as_rgb(tmp_path, clip):
    source = ImageSource.from_folder(folder_of(tmp_path, clip))
    assert source.info.is_color
    assert source.info.frame_count == len(clip)
    np.testing.assert_array_equal([frame.image for frame in source], clip)


def test_gray_pictures_stay_gray(tmp_path, clip):
    gray = clip[:4, ..., 0]
    files = [save(tmp_path / f"{i}{end}", gray[i]) for i, end in enumerate((".png", ".bmp", ".pgm", ".tif"))]
    source = ImageSource(files)
    assert not source.info.is_color
    np.testing.assert_array_equal([frame.image for frame in source], gray)


def test_pictures_are_in_natural_order_with_their_numbers(tmp_path, clip):
    source = ImageSource.from_folder(folder_of(tmp_path, clip, "img{}.png"))
    frames = list(source)
    assert [frame.number for frame in frames] == list(range(1, 13))
    np.testing.assert_array_equal(frames[9].image, clip[9])


def test_other_and_hidden_files_are_ignored(tmp_path, clip):
    folder_of(tmp_path, clip)
    (tmp_path / "Thumbs.db").write_bytes(b"\0")
    (tmp_path / "._in000001.png").write_bytes(b"\0")
    (tmp_path / "sub.png").mkdir()
    assert len(list(ImageSource.from_folder(tmp_path))) == len(clip)


def test_a_cdnet_sequence_stands_for_its_input(tmp_path, clip):
    for name in ("input", "groundtruth"):
        (tmp_path / name).mkdir()
    folder_of(tmp_path / "input", clip)
    save(tmp_path / "ROI.bmp", clip[0, :5])
    assert len(list(ImageSource.from_folder(tmp_path))) == len(clip)


def test_time_is_the_position_over_the_rate(tmp_path, clip):
    folder_of(tmp_path, clip)
    given = ImageSource.from_folder(tmp_path, fps=Fraction(10))
    assumed = ImageSource.from_folder(tmp_path)
    assert [frame.time for frame in given][:3] == [0, Fraction(1, 10), Fraction(2, 10)]
    assert [frame.time for frame in assumed][:3] == [0, Fraction(1, 25), Fraction(2, 25)]
    assert (given.info.fps, assumed.info.fps) == (10, None)


def test_a_senseless_rate_is_refused(tmp_path, clip):
    folder_of(tmp_path, clip[:1])
    with pytest.raises(OptionError, match=r"fps must be a number from 0\.01 to 1000"):
        ImageSource.from_folder(tmp_path, fps=Fraction(0))


def test_an_unreadable_picture_is_skipped_named_and_leaves_its_time_empty(tmp_path, clip):
    folder_of(tmp_path, clip)
    (tmp_path / "in000003.png").write_bytes(b"no picture")
    (tmp_path / "in000007.png").write_bytes(b"")
    source = ImageSource.from_folder(tmp_path)
    with pytest.warns(BgsubWarning) as caught:
        frames = list(source)
    assert [str(warning.message).split(" as ")[0] for warning in caught] == [
        f"cannot read {tmp_path / name}" for name in ("in000003.png", "in000007.png")
    ]
    assert [frame.index for frame in frames] == list(range(10))
    assert [frame.number for frame in frames] == [1, 2, 4, 5, 6, 8, 9, 10, 11, 12]
    assert [frame.time * 25 for frame in frames] == [0, 1, 3, 4, 5, 7, 8, 9, 10, 11]


def test_a_picture_of_another_size_names_both_files_and_sizes(tmp_path, clip):
    folder_of(tmp_path, clip)
    save(tmp_path / "in000005.png", clip[0, :20])
    with pytest.raises(
        InputError, match=r"in000001\.png is 48 × 32 pixels, .*in000005\.png is 48 × 20"
    ) as caught:
        list(ImageSource.from_folder(tmp_path))
    assert "\n" not in str(caught.value)


def test_the_first_picture_decides_about_colour(tmp_path, clip):
    colour, gray = tmp_path / "colour", tmp_path / "gray"
    colour.mkdir()
    gray.mkdir()
    save(colour / "1.png", clip[0])
    save(colour / "2.png", clip[1, ..., 0])
    save(gray / "1.png", clip[0, ..., 0])
    save(gray / "2.png", clip[1])
    np.testing.assert_array_equal(
        list(ImageSource.from_folder(colour))[1].image, clip[1, ..., 0, None].repeat(3, axis=2)
    )
    luma = clip[1] @ (0.299, 0.587, 0.114)
    np.testing.assert_allclose(list(ImageSource.from_folder(gray))[1].image, luma, atol=1)


def test_sixteen_bit_pictures_lose_their_lower_half(tmp_path, clip):
    values = clip[0, ..., 0].astype(np.uint16) * 256 + 99
    np.testing.assert_array_equal(read_image(save(tmp_path / "a.png", values)), clip[0, ..., 0])


def test_twelve_bits_in_sixteen_are_told(tmp_path):
    for channels, (most, factor) in product([(), (3,)], [(4095, 16), (1023, 64), (300, 128)]):
        values = np.full((8, 12, *channels), most, np.uint16)
        source = ImageSource([save(tmp_path / "a.png", values), save(tmp_path / "b.png", values)])
        assert source.info.pixel_format == ("rgb48" if channels else "gray16"), (channels, most, factor)
        with pytest.warns(
            BgsubWarning, match=rf"a\.png: a 16-bit picture of values up to {most}: .* by {factor} first"
        ):
            assert len(list(source)) == 2, (channels, most, factor)


def test_sixteen_bits_that_are_used_and_a_black_picture_are_no_reason_to_warn(tmp_path):
    for most in [0, 4096]:
        values = np.full((8, 12), most, np.uint16)
        assert len(list(ImageSource([save(tmp_path / "a.png", values)]))) == 1, most


def test_alpha_is_dropped(tmp_path, clip):
    with_alpha = np.dstack([clip[0, ..., ::-1], np.full((32, 48), 7, np.uint8)])
    np.testing.assert_array_equal(read_image(save(tmp_path / "a.png", with_alpha)), clip[0])


def test_float_pictures_are_refused_with_advice(tmp_path, clip):
    path = save(tmp_path / "a.tiff", clip[0, ..., 0].astype(np.float32))
    with pytest.raises(InputError, match="holds float32 values; convert"):
        read_image(path)


def test_pictures_are_turned_as_exif_says(tmp_path, clip):
    big = clip[0].repeat(4, 0).repeat(4, 1)
    plain = save(tmp_path / "plain.jpg", big).read_bytes()
    # One big-endian IFD with the single entry 0x0112 (orientation), SHORT, 6: turn 90 degrees clockwise.
    tiff = b"MM\0\x2a\0\0\0\x08" + b"\0\x01" + b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0" + bytes(4)
    exif = b"Exif\0\0" + tiff
    turned = plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:]
    (tmp_path / "turned.jpg").write_bytes(turned)
    np.testing.assert_array_equal(
        read_image(tmp_path / "turned.jpg"), np.rot90(read_image(tmp_path / "plain.jpg"), -1)
    )


def test_a_folder_without_pictures_says_so(tmp_path):
    (tmp_path / "readme.txt").touch()
    with pytest.raises(CannotOpen, match="no pictures in the folder"):
        ImageSource.from_folder(tmp_path)


def test_a_folder_of_broken_pictures_cannot_be_decoded(tmp_path):
    for name in ("1.png", "2.png"):
        (tmp_path / name).write_bytes(b"broken")
    with pytest.raises(CannotDecode, match=r"not one picture of .* can be read: .*1\.png"):
        ImageSource.from_folder(tmp_path)


def test_no_files_at_all_cannot_be_opened():
    with pytest.raises(CannotOpen, match="no pictures in an empty list"):
        ImageSource([])


def test_unicode_names_are_read(tmp_path, clip):
    path = save(tmp_path / "plain.png", clip[0]).rename(tmp_path / "visage é 顔 01.png")
    np.testing.assert_array_equal(next(iter(ImageSource([path]))).image, clip[0])


def test_broken_pictures_do_not_litter_stderr(tmp_path, clip, capfd):
    path = save(tmp_path / "a.bmp", clip[0])
    path.write_bytes(path.read_bytes()[:900])
    capfd.readouterr()
    with pytest.raises(CannotDecode):
        read_image(path)
    assert capfd.readouterr().err == ""
