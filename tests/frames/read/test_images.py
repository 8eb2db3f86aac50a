from __future__ import annotations

import zlib
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest
import tifffile

from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen, InputError, OptionError
from bgsub.frames.read.images import ImageSource, read_image


def save(path: Path, rgb: np.ndarray) -> Path:
    if rgb.dtype == np.float32:  # OpenCV 4 writes colours of floats as their logarithms, with loss
        tifffile.imwrite(path, rgb, photometric="rgb" if rgb.ndim == 3 else "minisblack")
        return path
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


def test_a_picture_by_itself_loses_the_lower_half_of_sixteen_bits(tmp_path, clip):
    values = clip[0, ..., 0].astype(np.uint16) * 256 + 99
    np.testing.assert_array_equal(read_image(save(tmp_path / "a.png", values)), clip[0, ..., 0])


def deep_folder(folder: Path, clip: np.ndarray, suffix: str = ".png") -> Path:
    for index, image in enumerate(clip):
        save(folder / f"{index:03d}{suffix}", image)
    return folder


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
@pytest.mark.parametrize("gray", [True, False])
def test_deep_pictures_are_stretched_alike_from_what_all_of_them_use(tmp_path, clip, dtype, gray):
    stored = (clip[..., 0] if gray else clip).astype(dtype) * 3 + 500
    suffix = ".png" if dtype == np.uint16 else ".tiff"
    source = ImageSource.from_folder(deep_folder(tmp_path, stored, suffix))
    low, high = source.info.levels
    assert 0 <= low < stored.min() < stored.max() < high
    with pytest.warns(BgsubWarning, match=rf"--range {low:g},{high:g} fixes it"):
        read = [frame.image for frame in source]
    expected = (stored - low) * (255 / (high - low))
    np.testing.assert_allclose(read, expected, atol=0.5001)
    assert np.ptp(read) > 150


def test_a_range_that_is_given_is_used_and_is_no_surprise(tmp_path, clip):
    stored = clip[..., 0].astype(np.uint16) * 16
    source = ImageSource.from_folder(deep_folder(tmp_path, stored), levels=(0, 255 * 16))
    np.testing.assert_array_equal([frame.image for frame in source], clip[..., 0])
    assert source.info.levels == (0, 255 * 16)


def test_a_range_stretches_pictures_of_eight_bits_too(tmp_path, clip):
    source = ImageSource.from_folder(folder_of(tmp_path, clip), levels=(20, 120))
    expected = np.rint((clip.astype(float) - 20).clip(0, 100) * 2.55)
    np.testing.assert_allclose([frame.image for frame in source], expected, atol=1)


def test_pictures_that_a_range_leaves_almost_black_are_told(tmp_path, clip):
    source = ImageSource.from_folder(folder_of(tmp_path, clip // 8), levels=(0, 4095))
    with pytest.warns(BgsubWarning, match=r"of 256 grey levels .* --range 0,28 would use all"):
        list(source)


def test_what_shows_beyond_the_range_between_the_sampled_pictures_is_told_once(tmp_path):
    stored = np.random.default_rng(0).integers(1000, 1200, (40, 24, 32)).astype(np.uint16)
    stored[19:21, :6, :6] = 60_000
    source = ImageSource.from_folder(deep_folder(tmp_path, stored))
    with pytest.warns(BgsubWarning) as caught:
        frames = list(source)
    low = source.info.levels[0]
    [_, cut] = [str(warning.message) for warning in caught]
    assert str(tmp_path / "019.png") in cut
    assert f"--range {low:g},60000" in cut
    assert (frames[19].image[:6, :6] == 255).all()


def test_pictures_of_two_depths_are_refused(tmp_path, clip):
    save(tmp_path / "1.png", clip[0])
    save(tmp_path / "2.png", clip[1].astype(np.uint16))
    with pytest.raises(InputError, match=r"differ in depth: .*1\.png holds uint8 values, .*2\.png uint16"):
        list(ImageSource.from_folder(tmp_path))


def test_alpha_is_dropped(tmp_path, clip):
    with_alpha = np.dstack([clip[0, ..., ::-1], np.full((32, 48), 7, np.uint8)])
    np.testing.assert_array_equal(read_image(save(tmp_path / "a.png", with_alpha)), clip[0])


def test_a_float_picture_by_itself_is_refused_with_advice(tmp_path, clip):
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


def damaged_files(folder: Path, suffix: str) -> list[Path]:
    """Write files damaged in different ways: cut off, with wrong bits, with chunks of the wrong content."""
    random = np.random.default_rng(3)
    picture = random.integers(0, 256, (40, 60, 3), np.uint8)
    whole = save(folder / f"whole{suffix}", picture).read_bytes()
    made = []
    for number in range(40):
        data = bytearray(whole[: random.integers(1, len(whole))] if number % 2 else whole)
        for place in random.integers(0, len(data), 3):
            data[place] ^= 1 << random.integers(0, 8)
        made.append(bytes(data))
    if suffix == ".png":
        made += [with_right_checksums(whole, random) for _ in range(40)]
    paths = [folder / f"{number}{suffix}" for number in range(len(made))]
    for path, data in zip(paths, made, strict=True):
        path.write_bytes(data)
    return paths


def with_right_checksums(png: bytes, random: np.random.Generator) -> bytes:
    """Return a PNG file with some bits of its content changed but checksums that fit: not every writer is right."""
    place, out = 8, png[:8]
    while place < len(png):
        size = int.from_bytes(png[place : place + 4], "big")
        kind, content = png[place + 4 : place + 8], bytearray(png[place + 8 : place + 8 + size])
        if size:
            content[random.integers(0, size)] ^= 1 << random.integers(0, 8)
        out += size.to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")
        place += 12 + size
    return out


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tif", ".webp"])
def test_codecs_print_nothing_of_their_own(tmp_path, capfd, suffix):
    paths = damaged_files(tmp_path, suffix)
    refused = 0
    for path in paths:
        try:
            assert read_image(path).dtype == np.uint8
        except InputError:
            refused += 1
    assert refused > 10
    assert capfd.readouterr() == ("", "")
