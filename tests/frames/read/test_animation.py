"""Animated PNG and WebP: frames as browsers compose them, at the times that the file says."""

from __future__ import annotations

import struct
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bgsub.errors import BgsubWarning, CannotDecode, InputError
from bgsub.frames.read.open import open_source


def animation(
    path: Path, clip: np.ndarray, kind: str, durations: list[int] | int = 40, **how: object
) -> Path:
    first, *others = (Image.fromarray(image) for image in clip)
    how |= {"lossless": True} if kind == "webp" else {}
    first.save(path, kind, save_all=True, append_images=others, duration=durations, **how)
    return path


@pytest.mark.parametrize("kind", ["png", "webp"])
@pytest.mark.parametrize("name", ["a.png", "a.webp", "a.mp4", "noname"])
def test_frames_are_read_under_any_name(tmp_path, clip, kind, name):
    source = open_source(animation(tmp_path / name, clip, kind))
    frames = list(source)
    np.testing.assert_array_equal([frame.image for frame in frames], clip)
    assert [frame.time for frame in frames] == [Fraction(place, 25) for place in range(len(clip))]
    assert (source.info.fps, source.info.frame_count) == (25, len(clip))


def test_a_gray_animation_is_gray(tmp_path, clip):
    source = open_source(animation(tmp_path / "a", clip[..., 0], "png"))
    assert not source.info.is_color
    np.testing.assert_array_equal([frame.image for frame in source], clip[..., 0])


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_uneven_durations_are_kept(tmp_path, clip, kind):
    durations = [40, 100, 33, 40, 7, 40]
    frames = list(open_source(animation(tmp_path / "a", clip[:6], kind, durations)))
    ends = np.cumsum([0, *durations[:-1]])
    assert [frame.time for frame in frames] == [Fraction(int(end), 1000) for end in ends]


def with_delay(png: bytes, delay: tuple[int, int]) -> bytes:
    """Return an animated PNG with another delay of every frame, which Pillow writes in milliseconds only."""
    place, out = 8, png[:8]
    while place < len(png):
        size = int.from_bytes(png[place : place + 4], "big")
        kind, content = png[place + 4 : place + 8], png[place + 8 : place + 8 + size]
        if kind == b"fcTL":
            content = content[:20] + struct.pack(">HH", *delay) + content[24:]
        out += struct.pack(">I", size) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        place += 12 + size
    return out


@pytest.mark.parametrize(
    ("delay", "step"),
    [((1, 30), Fraction(1, 30)), ((1001, 30000), Fraction(1001, 30000)), ((4, 0), Fraction(1, 25))],
)
def test_times_of_a_png_are_exact_fractions(tmp_path, clip, delay, step):
    path = animation(tmp_path / "a", clip, "png")
    path.write_bytes(with_delay(path.read_bytes(), delay))
    source = open_source(path)
    assert [frame.time for frame in source] == [place * step for place in range(len(clip))]
    assert source.info.fps == 1 / step


def test_frames_without_durations_take_the_rate_that_is_given(tmp_path, clip):
    path = animation(tmp_path / "a", clip, "png")
    path.write_bytes(with_delay(path.read_bytes(), (0, 100)))
    assert [frame.time for frame in open_source(path)][2] == Fraction(2, 25)
    assert [frame.time for frame in open_source(path, fps=Fraction(10))][2] == Fraction(2, 10)


def test_a_rate_or_range_that_is_not_used_is_told(tmp_path, clip):
    path = animation(tmp_path / "a", clip, "png")
    with pytest.warns(BgsubWarning, match="the given rate, 5 frames/s, is not used"):
        open_source(path, fps=Fraction(5))
    with pytest.warns(BgsubWarning, match="the given range is not used"):
        open_source(path, range=(0, 100))


def test_the_picture_for_other_programs_is_no_frame(tmp_path, clip):
    frames = list(open_source(animation(tmp_path / "a.png", clip, "png", default_image=True)))
    np.testing.assert_array_equal([frame.image for frame in frames], clip[1:])
    assert frames[0].time == 0


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_pictures_that_do_not_move_stay_pictures(tmp_path, clip, kind):
    Image.fromarray(clip[0]).save(tmp_path / f"a.{kind}")
    source = open_source(tmp_path / f"a.{kind}")
    assert (source.info.kind, len(list(source))) == ("images", 1)


def test_a_damaged_animation_is_read_as_far_as_it_goes(tmp_path, clip):
    path = animation(
        tmp_path / "a.png", np.random.default_rng(0).integers(0, 256, clip.shape, np.uint8), "png"
    )
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    source = open_source(path)
    with pytest.warns(BgsubWarning, match=r"\d of 12 frames decoded"):
        read = [frame.number for frame in source]
    assert 3 <= len(read) < len(clip)
    assert read == list(range(1, len(read) + 1))


def test_an_animation_without_a_frame_that_decodes_is_refused(tmp_path, clip):
    path = animation(tmp_path / "a.png", clip, "png")
    data = bytearray(path.read_bytes())
    start = data.index(b"IDAT")
    data[start + 4 : start + 40] = b"\0" * 36
    path.write_bytes(data)
    with pytest.raises(CannotDecode, match="no frame of"):
        open_source(path)


def test_an_animation_among_pictures_is_refused(tmp_path, clip):
    Image.fromarray(clip[0]).save(tmp_path / "1.png")
    animation(tmp_path / "2.png", clip, "png")
    with pytest.raises(InputError, match="holds several pictures"):
        list(open_source(tmp_path))
