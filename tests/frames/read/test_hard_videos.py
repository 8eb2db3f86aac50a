"""Files on which readers have failed, each with what must come out of it."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from bgsub.base.prefetch import prefetch
from bgsub.errors import BgsubWarning, CannotOpen
from bgsub.frames.read.open import open_source
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame
from bgsub.options.position import Position

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]


@dataclass(frozen=True)
class Expected:
    frames: int
    size: tuple[int, int]
    fps: Fraction | None
    rotation: int = 0
    warns: str = ""
    steps: tuple[Fraction, ...] = ()


READABLE = {
    "hard/-video-with-dash-.mp4": Expected(5, (1, 1), Fraction(1)),
    "hard/MOV00006.3gp": Expected(222, (176, 144), Fraction(2775, 188)),
    "hard/av1_video.mkv": Expected(125, (640, 360), Fraction(25)),
    "hard/bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4": Expected(120, (800, 640), Fraction(30)),
    "hard/brokensps.mp4": Expected(
        79, (192, 144), Fraction(15), warns="changes from 192 × 144 to 320 × 240 pixels at frame 53"
    ),
    "hard/cfhd_odd.mp4": Expected(10, (496, 241), Fraction(14587, 1000)),
    # Packet 31 is broken; the 28 frames before it and the 21 after it decode.
    "hard/corrupted.mp4": Expected(
        49, (1280, 720), Fraction(10), warns="49 frames decoded; 1 damaged packet"
    ),
    # 34 packets are there, the last of them in part; the index lists 708.
    "hard/displaymatrix.mp4": Expected(
        33, (240, 160), Fraction(6372000, 212521), 90, "1 damaged packet .*; it ends before the 708 frames"
    ),
    "hard/h264_10bits.mp4": Expected(30, (200, 200), Fraction(30)),
    "hard/h264_white_frame_sar_16_9.mp4": Expected(1, (640, 480), Fraction(25)),
    "hard/hdr10tags-both.mkv": Expected(10, (320, 560), Fraction(25), 90),  # and mirrored
    "hard/interlaced_crop.mp4": Expected(126, (640, 360), Fraction(25)),
    "hard/nasa_13013.mp4": Expected(390, (480, 270), Fraction(30000, 1001)),
    "hard/newtonscradle.gif": Expected(36, (200, 150), Fraction(50)),
    "hard/no_duration.webm": Expected(74, (1280, 720), Fraction(15000, 1001)),
    "hard/one_pixel_1x1.mp4": Expected(5, (1, 1), Fraction(1)),
    "hard/raw_bgr24_48x48.avi": Expected(51, (48, 48), Fraction(15)),
    "hard/sample.flv": Expected(30, (1080, 720), Fraction(30)),  # the container says 1,000
    "hard/transparent.webm": Expected(150, (200, 200), Fraction(30)),
    "hard/video_270.mov": Expected(3, (320, 568), Fraction(30), 270),
    "hard/video_90.mov": Expected(3, (320, 568), Fraction(30), 90),
    "hard/video_with_failing_audio.mp4": Expected(280, (640, 360), Fraction(25)),
    "hard/vp90-2-05-resize.mp4": Expected(
        10, (352, 288), Fraction(30), warns="changes from 352 × 288 to 282 × 173 pixels at frame 4"
    ),
    "surveillance/bgslib_video.avi": Expected(374, (640, 360), Fraction(30)),
    "surveillance/brightness_change.avi": Expected(59, (960, 1080), Fraction(12)),
    "surveillance/hall_monitor.mpg": Expected(300, (352, 240), Fraction(30)),  # the container says 25
    "surveillance/traffic_camera_vfr.mp4": Expected(
        576, (1280, 720), Fraction(25), steps=(Fraction(1, 25), Fraction(2, 25))
    ),
    "surveillance/vtest.avi": Expected(795, (768, 576), Fraction(10)),
}

UNREADABLE = {
    "hard/chunk_out_of_range.mp4": "not a video file: .*begins like an MP4 without a readable index",
    "hard/empty.mp4": "is empty",
    "hard/text_renamed.mp4": "not a video file",
}


@pytest.mark.parametrize("name", READABLE)
def test_a_hard_file_gives_all_that_is_in_it(shared_data: Path, name: str):
    expected = READABLE[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        source = open_source(shared_data / "videos" / name)
        frames = [shape_and_time(frame) for frame in source]
    info = source.info
    assert (info.width, info.height) == expected.size
    assert (info.fps, info.rotation, info.is_color) == (expected.fps, expected.rotation, True)
    assert {shape for shape, _ in frames} == {(info.height, info.width, 3)}
    assert len(frames) == expected.frames
    steps = {after - before for (_, before), (_, after) in pairwise(frames)}
    assert all(step > 0 for step in steps)
    assert not expected.steps or steps == set(expected.steps)
    told = [str(warning.message) for warning in caught]
    assert len(told) == bool(expected.warns), told
    assert all(re.search(expected.warns, message) for message in told), told


def shape_and_time(frame: Frame) -> tuple[tuple[int, ...], Fraction]:
    return frame.image.shape, frame.time


def test_every_file_in_the_folders_is_in_the_tables(shared_data: Path):
    there = {f"{path.parent.name}/{path.name}" for path in (shared_data / "videos").glob("*/*")}
    assert there == set(READABLE) | set(UNREADABLE)


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_file_says_why_in_one_line(shared_data: Path, name: str):
    with pytest.raises(CannotOpen, match=UNREADABLE[name]) as caught:
        open_source(shared_data / "videos" / name)
    assert "\n" not in str(caught.value)


def test_a_first_stamp_of_ten_seconds_is_kept(shared_data: Path):
    name = "bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4"
    frames = iter(open_source(shared_data / "videos/hard" / name))
    assert [next(frames).time for _ in range(3)] == [10, 10 + Fraction(1, 30), 10 + Fraction(2, 30)]


def test_nonsense_counts_are_not_passed_on(shared_data: Path):
    videos = shared_data / "videos"
    assert open_source(videos / "surveillance/hall_monitor.mpg").info.frame_count is None  # 8 are claimed
    assert open_source(videos / "hard/no_duration.webm").info.duration is None


def test_a_cdnet_sequence_keeps_its_frame_numbers(shared_data: Path):
    source = open_source(shared_data / "sequences/baseline/highway")
    frames = iter(source)
    assert [next(frames).number for _ in range(2)] == [701, 702]
    assert source.info.frame_count == 500


def test_damage_before_the_end_that_was_asked_for_is_told(shared_data: Path):
    source = open_source(shared_data / "videos" / "hard" / "corrupted.mp4")
    selection = Selection(source, end=Position(frame=40))
    with pytest.warns(BgsubWarning, match="frames read; 1 damaged packet"):
        assert len(list(prefetch(selection))) == 40
