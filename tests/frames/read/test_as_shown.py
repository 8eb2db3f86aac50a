"""What a screen would make of a video: turned, deinterlaced, of one stream, in standard range."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from video_kit import combed, combing, noise, write, write_two

from bgsub.errors import BgsubWarning, CannotOpen, UsageError
from bgsub.frames.read.open import open_source
from bgsub.frames.read.tone import tone_mapped
from bgsub.options.table import Options

TURNS = {0: 0, 90: -1, 180: 2, 270: 1}


@pytest.mark.parametrize("degrees", TURNS)
@pytest.mark.parametrize("channels", [1, 3])
def test_footage_is_turned_clockwise(degrees, channels):
    pictures = noise(4, 20, 30)[..., :channels].squeeze(-1) if channels == 1 else noise(4, 20, 30)
    source = open_source(pictures, options=Options(rotate=degrees))
    frames = list(source)
    for frame, picture in zip(frames, pictures, strict=True):
        np.testing.assert_array_equal(frame.image, np.rot90(picture, TURNS[degrees]))
    assert frames[0].image.shape[:2] == (source.info.height, source.info.width)


def test_a_turn_adds_to_what_the_file_says(tmp_path):
    path = write(tmp_path / "a.mkv", noise(4), codec="ffv1")
    upright = [frame.image for frame in open_source(path)]
    once = open_source(path, options=Options(rotate=270))
    twice = open_source(once, options=Options(rotate=180))
    assert (once.info.rotation, twice.info.rotation) == (270, 90)
    for frame, image in zip(twice, upright, strict=True):
        np.testing.assert_array_equal(frame.image, np.rot90(image, -1))


@pytest.mark.parametrize("value", [45, -90, 360, "left", 90.5, True, ""])
def test_other_turns_are_refused(value):
    with pytest.raises(UsageError, match=r"--rotate.*expected 0, 90, 180 or 270"):
        Options(rotate=value)


INTERLACED = {
    "h264, in a file": ("a.mp4", "libx264", {"x264-params": "interlaced=1:tff=1", "qp": "8"}),
    "h264, in a stream": ("a.ts", "libx264", {"x264-params": "interlaced=1:tff=1", "qp": "8"}),
}


@pytest.mark.parametrize("kind", INTERLACED)
def test_interlaced_frames_lose_their_combs_and_nothing_else(tmp_path, kind):
    name, codec, options = INTERLACED[kind]
    path = write(tmp_path / name, combed(16), codec=codec, options=options)
    woven = list(open_source(path, options=Options(deinterlace="off")))
    source = open_source(path)
    frames = list(source)
    assert [frame.time for frame in frames] == [frame.time for frame in woven]
    assert any("interlaced" in note for note in source.info.notes)
    for frame, before in zip(frames[1:-1], woven[1:-1], strict=True):
        assert combing(frame.image) < combing(before.image) / 4
        change = np.abs(frame.image.astype(int) - before.image)
        assert min(change[::2].mean(), change[1::2].mean()) < 1


def test_frames_that_do_not_say_so_are_deinterlaced_where_asked(tmp_path):
    path = write(tmp_path / "a.mkv", combed(8), codec="ffv1")
    left, made = (list(open_source(path, options=Options(deinterlace=mode))) for mode in ("auto", "on"))
    assert len(left) == len(made) == 8
    assert combing(made[4].image) < combing(left[4].image) / 4


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [(1, 1), (2, 6), (6, 4), (33, 17)])
@pytest.mark.parametrize("pixels", ["yuv420p", "bgr0", "gray", "gray16le"])
def test_one_frame_stays_one_frame_however_few_and_small(tmp_path, count, size, pixels):
    path = write(tmp_path / "a.mkv", noise(count, *size), codec="ffv1", pixel_format=pixels)
    times = [
        [frame.time for frame in open_source(path, options=Options(deinterlace=mode))]
        for mode in ("on", "off")
    ]
    assert times[0] == times[1]
    assert len(times[0]) == count


def test_a_change_of_size_loses_no_frame_in_the_filter(tmp_path):
    parts = [
        write(tmp_path / f"{size}.mjpeg", noise(4, size, size), codec="mjpeg", pixel_format="yuvj420p")
        for size in (32, 64)
    ]
    path = tmp_path / "a.mjpeg"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    with pytest.warns(BgsubWarning, match="the picture changes"):
        assert len(list(open_source(path, options=Options(deinterlace="on")))) == 8


def test_a_stream_that_becomes_interlaced_midway_is_told(tmp_path):
    parts = [
        write(tmp_path / f"{name}.h264", combed(8), codec="libx264", options={"x264-params": more, "qp": "8"})
        for name, more in (("whole", "bframes=0"), ("woven", "bframes=0:interlaced=1:tff=1"))
    ]
    path = tmp_path / "a.h264"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    with pytest.warns(BgsubWarning, match="interlaced"):
        frames = list(open_source(path))
    assert len(frames) == 16
    assert combing(frames[12].image) < combing(frames[4].image) / 4


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "avi"])
def test_of_several_streams_the_one_that_is_named_is_read(tmp_path, suffix):
    path = write_two(tmp_path / f"a.{suffix}", noise(9, 32, 48), noise(9, 64, 96))
    sizes = {1: (48, 32, 9), 2: (96, 64, 9)}
    for number, (width, height, count) in sizes.items():
        source = open_source(path, options=Options(stream=number))
        assert (source.info.width, source.info.height, len(list(source))) == (width, height, count)
    best = open_source(path)
    read = {48: "1 is read", 96: "2 is read"}[best.info.width]
    assert any("2 video streams" in note and read in note and "--stream" in note for note in best.info.notes)
    with pytest.raises(CannotOpen, match=r"--stream 3: .* 2 video streams \(1: mpeg4, 48 × 32; 2: "):
        open_source(path, options=Options(stream=3))


PQ, HLG = 16, 18
PAPER = {PQ: 0.5807, HLG: 0.75}
"""The stored value of white paper (ITU-R BT.2408, table 1)."""


@pytest.mark.parametrize("transfer", PAPER)
def test_light_is_mapped_in_order_and_gray_stays_gray(transfer):
    ramp = np.arange(65536, dtype=np.uint16).reshape(64, 1024, 1).repeat(3, 2)
    mapped = tone_mapped(ramp, transfer).reshape(-1, 3).astype(int)
    assert np.ptp(mapped, axis=1).max() <= 1
    assert (np.diff(mapped[:, 1]) >= 0).all()
    assert (mapped[0] == 0).all()
    assert (mapped[-1] >= 254).all()


def test_white_paper_is_as_bright_from_either_kind():
    papers = [
        tone_mapped(np.full((1, 1, 3), round(65535 * stored), np.uint16), transfer)[0, 0, 1]
        for transfer, stored in PAPER.items()
    ]
    assert abs(int(papers[0]) - int(papers[1])) <= 2
    assert 180 <= papers[0] <= 240


def test_a_saturated_colour_stays_its_own():
    red = np.zeros((1, 1, 3), np.uint16)
    red[..., 0] = round(0.5 * 65535)
    mapped = tone_mapped(red, PQ)[0, 0]
    assert mapped[0] > 100
    assert mapped[1:].max() == 0


@pytest.mark.parametrize("transfer", PAPER)
@pytest.mark.parametrize(("name", "codec"), [("a.mkv", "ffv1"), ("a.mp4", "libx265")])
def test_a_video_of_high_range_is_brought_to_standard_range_and_this_is_said(tmp_path, transfer, name, codec):
    stored = np.full((3, 64, 96, 3), round(255 * PAPER[transfer]), np.uint8)
    options = {"x265-params": "log-level=none"} if codec == "libx265" else {}
    path = write(
        tmp_path / name, stored, codec=codec, pixel_format="yuv420p10le", transfer=transfer, options=options
    )
    source = open_source(path)
    assert any("high dynamic range" in note for note in source.info.notes)
    expected = tone_mapped(np.full((1, 1, 3), round(65535 * PAPER[transfer]), np.uint16), transfer)[0, 0, 0]
    for frame in source:
        assert np.abs(frame.image.astype(int) - expected).max() <= 4


def test_ten_bits_of_standard_range_stay_as_they_are(tmp_path):
    stored = np.full((3, 64, 96, 3), 150, np.uint8)
    source = open_source(write(tmp_path / "a.mkv", stored, codec="ffv1", pixel_format="yuv420p10le"))
    assert source.info.notes == ()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for frame in source:
            assert np.abs(frame.image.astype(int) - 150).max() <= 2
