"""Files that are cut off, late, or encrypted, and decoders that ask for patience."""

from __future__ import annotations

import os
import struct
import warnings
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.error import BlockingIOError as NotYet
from video_kit import noise, write

from bgsub.errors import BgsubWarning, CannotDecode
from bgsub.frames.read.decoding import Damage, decoded
from bgsub.frames.read.video import VideoSource

FRONT = {"movflags": "faststart"}
HEADER = 32
"""Bytes before a picture that FFmpeg counts to its position, or not, at most."""
TRACKS = {
    "mp4 aac": ("a.mp4", "aac", FRONT),
    "mp4 pcm": ("a.mp4", "pcm_s16le", FRONT),
    "mov pcm": ("a.mov", "pcm_s16le", FRONT),
    "matroska aac": ("a.mkv", "aac", {}),
    "avi pcm": ("a.avi", "pcm_s16le", {}),
    "avi mp2": ("a.avi", "mp2", {}),
}


def told(path: Path) -> tuple[list[Fraction], list[str]]:
    """Return the times of all frames, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        times = [frame.time for frame in VideoSource(path)]
    return times, [str(each.message) for each in caught]


@pytest.mark.parametrize("name", TRACKS)
@pytest.mark.filterwarnings("ignore::bgsub.errors.BgsubWarning")
def test_sound_that_is_cut_off_costs_no_picture(tmp_path, name):
    file, sound, muxer = TRACKS[name]
    path = write(tmp_path / file, noise(60), sound=sound, muxer=muxer, in_turn=False)
    # FFmpeg puts the last picture behind the sound.
    end = sorted(ends_of_pictures(path))[-2] + HEADER
    assert end < path.stat().st_size - 1000
    os.truncate(path, end)
    assert len(told(path)[0]) >= 59


def ends_of_pictures(path: Path) -> list[int]:
    with av.open(str(path)) as container:
        return [packet.pos + packet.size for packet in container.demux(video=0) if packet.size]


@pytest.mark.parametrize("name", TRACKS)
@pytest.mark.filterwarnings("ignore::bgsub.errors.BgsubWarning")
def test_all_pictures_before_the_cut_are_read_wherever_the_sound_lies(tmp_path, name):
    file, sound, muxer = TRACKS[name]
    path = write(tmp_path / file, noise(60), sound=sound, muxer=muxer)
    ends = ends_of_pictures(path)
    cut = int(path.stat().st_size * 0.7)
    os.truncate(path, cut)
    there = sum(end <= cut for end in ends)
    assert there > 30
    # The decoder may patch up one more, of which the beginning is there.
    assert there - 1 <= len(told(path)[0]) <= there + 1


@pytest.mark.parametrize("name", TRACKS)
def test_a_file_whose_pictures_are_cut_off_says_so(tmp_path, name):
    file, sound, muxer = TRACKS[name]
    path = write(tmp_path / file, noise(60), sound=sound, muxer=muxer)
    os.truncate(path, int(path.stat().st_size * 0.7))
    with pytest.warns(BgsubWarning, match="ends before the 6. frames that it announces"):
        list(VideoSource(path))


def test_sound_of_which_every_byte_is_wrong_costs_no_picture(tmp_path):
    path = write(tmp_path / "a.mp4", noise(60), sound="aac", muxer=FRONT)
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        for packet in container.demux(audio=0):
            if packet.size:
                data[packet.pos : packet.pos + packet.size] = bytes([255]) * packet.size
    path.write_bytes(data)
    times, warned = told(path)
    assert (len(times), warned) == (60, [])


SOUNDS = {
    **dict.fromkeys(("mp4", "mov", "mkv", "ts"), ("", "aac", "mp2")),
    **dict.fromkeys(("avi", "asf", "nut"), ("", "mp2")),
}


@pytest.mark.parametrize(
    ("suffix", "sound"), [(suffix, sound) for suffix, sounds in SOUNDS.items() for sound in sounds]
)
def test_a_late_beginning_is_no_early_end(tmp_path, suffix, sound):
    name = f"a.{suffix}"
    codec = "mpeg2video" if name == "a.ts" else "mpeg4"
    path = write(tmp_path / name, noise(60), codec=codec, first=125, sound=sound)
    times, warned = told(path)
    assert (len(times), warned) == (60, [])


@pytest.mark.parametrize("codec", ["mpeg4", "libx264"])
@pytest.mark.parametrize("seconds", [1, 3])
def test_a_presentation_that_begins_within_the_file_is_no_early_end(tmp_path, codec, seconds):
    """An edit list may say less than the file holds, or, counted from 0, more than is left of it."""
    path = write(tmp_path / "a.mp4", noise(75), codec=codec, options={"g": "12"})
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        begin = int(2 / container.streams.video[0].time_base)
    struct.pack_into(">Ii", data, data.index(b"elst") + 12, 1000 * seconds, begin)
    path.write_bytes(data)
    times, warned = told(path)
    assert 22 <= len(times) <= 27
    assert warned == []
    assert VideoSource(path).info.frame_count == len(times)


def test_the_duration_of_a_late_matroska_file_is_that_of_its_pictures(tmp_path):
    info = VideoSource(write(tmp_path / "a.mkv", noise(60), first=125)).info
    assert (info.frame_count, info.duration) == (60, Fraction(60, 25))


CENC = {
    "encryption_scheme": "cenc-aes-ctr",
    "encryption_key": "76a6c65c5ea762046bd749a2e632ccbb",
    "encryption_kid": "a7e61c373e219033c21091fa607bf3b8",
}


@pytest.mark.parametrize("codec", ["libx264", "mpeg4", "mjpeg"])
def test_an_encrypted_file_is_called_encrypted(tmp_path, codec):
    pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    path = write(tmp_path / "a.mp4", noise(20), codec=codec, muxer=CENC, pixel_format=pixels)
    with pytest.raises(CannotDecode, match=r"a\.mp4 is encrypted") as caught:
        VideoSource(path)
    assert "damaged" not in str(caught.value)


class Stubborn:
    """A stream whose decoder takes no third packet before it has been drained."""

    def __init__(self, stream) -> None:
        self.stream, self.sent, self.codec_context = stream, 0, stream.codec_context

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def decode(self, packet):
        self.sent = 0 if packet is None else self.sent + 1
        if self.sent == 3:
            raise NotYet(11, "Resource temporarily unavailable")
        return self.stream.decode(packet)


def test_a_decoder_that_is_full_is_emptied_and_nothing_counts_as_damaged(tmp_path):
    path = write(tmp_path / "a.mkv", noise(12), codec="ffv1", pixel_format="yuv420p")
    damage = Damage()
    with av.open(str(path)) as container:
        frames = list(decoded(Patient(container), Stubborn(container.streams.video[0]), damage))
    assert len(frames) == 12
    assert not damage


class Patient:
    """A container that asks to be called again before every packet."""

    def __init__(self, container) -> None:
        self.container, self.streams, self.packets = container, container.streams, None

    def demux(self, stream):
        self.packets = self.packets or self.container.demux(stream.stream)
        yield from (packet for packet in (next(self.packets, None),) if packet is not None)
        if packet_left := next(self.packets, None):
            yield packet_left
            raise NotYet(11, "Resource temporarily unavailable")


RATES = (Fraction(25), Fraction(60), Fraction(30_000, 1001))
REORDERED = {
    "h264, fixed": ("libx264", {"x264-params": "bframes=2:b-adapt=0"}),
    "h264, pyramid": ("libx264", {"x264-params": "bframes=5:b-adapt=0:b-pyramid=strict"}),
    "h264, as it suits": ("libx264", {"x264-params": "bframes=3:b-adapt=2:keyint=7:open-gop=1"}),
    "h264, none": ("libx264", {"bf": "0"}),
    "mpeg4, 1": ("mpeg4", {"bf": "1"}),
    "mpeg4, 2": ("mpeg4", {"bf": "2", "g": "5"}),
    "mpeg4, as it suits": ("mpeg4", {"bf": "3", "b_strategy": "1"}),
    "mpeg1": ("mpeg1video", {"bf": "2"}),
    "mpeg2": ("mpeg2video", {"bf": "3", "b_strategy": "1", "g": "9"}),
}


FILES = [(kind, suffix) for kind in REORDERED for suffix in ("avi", "mkv")]
FILES += [("mpeg2", "mpg"), ("mpeg2", "ts")]


@pytest.mark.parametrize(("kind", "suffix"), FILES)
def test_frames_that_are_stored_out_of_order_are_evenly_spaced(tmp_path, kind, suffix):
    codec, options = REORDERED[kind]
    pictures = np.full((40, 64, 96, 3), 60, np.uint8)
    for index, picture in enumerate(pictures):
        picture[20:40, 2 * index : 2 * index + 15] = 200
    for rate in RATES:
        times, warned = told(
            write(tmp_path / f"a.{suffix}", pictures, codec=codec, rate=rate, options=options)
        )
        off = [abs(time - times[0] - index / rate) for index, time in enumerate(times)]
        assert len(times) == 40
        # Matroska rounds to milliseconds, MPEG to 90,000ths of a second.
        assert max(off) <= (0 if suffix == "avi" else Fraction(1, 1000)), rate
        assert warned == []
