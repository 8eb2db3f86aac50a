"""Video files that the tests make themselves."""

from __future__ import annotations

import io
import os
import struct
import wave
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from bgsub.base.pyav import FFmpegError
from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen
from bgsub.frames.read.decoding import Damage, decoded
from bgsub.frames.read.video import VideoSource

Writer = Callable[..., Path]


def test_lossless_colour_comes_back_exactly(tmp_path, clip, write_video: Writer):
    source = VideoSource(write_video(tmp_path / "a.mkv", clip))
    assert source.info.is_color
    assert (source.info.codec, source.info.fps) == ("ffv1", 25)
    np.testing.assert_array_equal([frame.image for frame in source], clip)


def test_gray_codec_gives_one_channel_exactly(tmp_path, clip, write_video: Writer):
    gray = clip[..., 0]
    source = VideoSource(write_video(tmp_path / "a.mkv", gray, pixel_format="gray"))
    assert not source.info.is_color
    np.testing.assert_array_equal([frame.image for frame in source], gray)


def test_ten_bit_gray_is_scaled_to_eight(tmp_path, clip, write_video: Writer):
    gray = clip[..., 0]
    source = VideoSource(write_video(tmp_path / "a.mkv", gray, pixel_format="gray10le"))
    assert source.info.pixel_format == "gray10le"
    assert not source.info.is_color
    read = np.array([frame.image for frame in source], np.int16)
    assert np.abs(read - gray).max() <= 1


def test_yuv420p_is_colour_and_red_stays_red(tmp_path, clip, write_video: Writer):
    clip[...] = (200, 30, 20)
    source = VideoSource(write_video(tmp_path / "a.mp4", clip, codec="mpeg4", pixel_format="yuv420p"))
    frame = next(iter(source))
    assert source.info.is_color
    assert np.abs(frame.image.astype(int) - (200, 30, 20)).max() < 12


def test_alpha_is_dropped(tmp_path, clip, write_video: Writer):
    source = VideoSource(write_video(tmp_path / "a.mkv", clip, pixel_format="bgra"))
    assert source.info.pixel_format == "bgra"
    np.testing.assert_array_equal([frame.image for frame in source], clip)


def test_variable_rate_stamps_are_exact(tmp_path, clip, write_video: Writer):
    pts = [0, 1, 2, 4, 6, 7, 8, 9, 11, 12, 13, 20]
    source = VideoSource(
        write_video(tmp_path / "a.mp4", clip, codec="mpeg4", pixel_format="yuv420p", pts=pts)
    )
    assert [frame.time for frame in source] == [Fraction(step, 25) for step in pts]
    assert source.info.fps == 25


def test_gif_is_read_in_colour(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.gif", clip, codec="gif", pixel_format="rgb8")
    frames = list(VideoSource(path))
    assert len(frames) == len(clip)
    assert frames[0].image.shape == clip[0].shape


ROTATIONS = {
    0: ((1, 0, 0, 1), lambda image: image),
    90: ((0, 1, -1, 0), lambda image: np.rot90(image, -1)),
    180: ((-1, 0, 0, -1), lambda image: np.rot90(image, 2)),
    270: ((0, -1, 1, 0), lambda image: np.rot90(image, 1)),
}


def test_rotation_in_the_track_header_is_applied_clockwise(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.mp4", clip, codec="png", pixel_format="rgb24")
    for degrees, (matrix, turned) in ROTATIONS.items():
        rotate_track(path, matrix)
        source = VideoSource(path)
        assert source.info.rotation == degrees
        frames = list(source)
        for frame, stored in zip(frames, clip, strict=True):
            np.testing.assert_array_equal(frame.image, turned(stored))
            assert frame.image.flags.c_contiguous
        assert frames[0].image.shape[:2] == (source.info.height, source.info.width)


def rotate_track(path: Path, matrix: tuple[int, int, int, int]) -> None:
    """Write (a, b, c, d) of the display matrix, ISO/IEC 14496-12 §8.3.2, into the file."""
    a, b, c, d = (entry << 16 for entry in matrix)
    data = bytearray(path.read_bytes())
    start = data.index(b"tkhd") + 4 + 40
    struct.pack_into(">9i", data, start, a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


def test_a_damaged_packet_is_skipped_and_told(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.mp4", clip, codec="png", pixel_format="rgb24")
    data = bytearray(path.read_bytes())
    starts = [at for at in range(len(data)) if data.startswith(b"\x89PNG", at)]
    assert len(starts) == len(clip)
    data[starts[5] : starts[5] + 8] = bytes(8)
    path.write_bytes(data)
    with pytest.warns(BgsubWarning, match=r"a\.mp4: 11 frames decoded; 1 damaged packet"):
        frames = list(VideoSource(path))
    np.testing.assert_array_equal([frame.image for frame in frames], np.delete(clip, 5, axis=0))
    assert [frame.index for frame in frames] == list(range(11))
    assert [frame.time for frame in frames] == [Fraction(i, 25) for i in range(12) if i != 5]


def test_a_file_that_is_cut_short_gives_what_is_there_and_says_so(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.avi", clip, codec="rawvideo", pixel_format="bgr24")
    size = path.stat().st_size
    os.truncate(path, size // 2)
    with pytest.warns(BgsubWarning, match="ends before the 12 frames"):
        frames = list(VideoSource(path))
    assert 3 <= len(frames) <= 6


class BadSector(io.BytesIO):
    """A file of which no byte behind *end* can be read."""

    def __init__(self, data: bytes, end: int) -> None:
        super().__init__(data)
        self.end = end

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= self.end:
            raise FFmpegError(5, "Input/output error")
        return super().read(size)


# PyAV prints the error of a file object's method before it hands FFmpeg's on.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_all_frames_before_a_bad_sector_are_read_also_those_that_the_decoder_holds_back(
    tmp_path, write_video: Writer
):
    noise = np.random.default_rng(0).integers(0, 256, (40, 64, 64, 3), dtype=np.uint8)
    path = write_video(tmp_path / "clip.mkv", noise, codec="libx264", pixel_format="yuv420p")
    data = path.read_bytes()
    damage, packets = Damage(), []
    with av.open(BadSector(data, len(data) * 2 // 3)) as container:
        frames = list(decoded(container, container.streams.video[0], damage, packets.append))
    assert 10 < len(frames) == len(packets) < 40
    assert damage.first == "input/output error"


def test_a_matroska_file_that_is_cut_short_says_so_and_a_whole_one_does_not(
    tmp_path: Path, write_video: Writer
) -> None:
    clip = np.random.default_rng(0).integers(0, 255, (40, 48, 64, 3), np.uint8)
    for codec, pixels in (("ffv1", "bgr0"), ("libx264", "yuv420p")):
        path = write_video(tmp_path / "a.mkv", clip, codec=codec, pixel_format=pixels)
        assert len(list(VideoSource(path))) == 40, codec
        os.truncate(path, path.stat().st_size // 2)
        with pytest.warns(BgsubWarning, match="ends before the 40 frames that it announces"):
            frames = list(VideoSource(path))
        assert 10 <= len(frames) <= 25, codec


@pytest.mark.parametrize(
    ("name", "codec", "pixels"),
    [
        ("a.mp4", "libx264", "yuv420p"),
        ("a.mkv", "ffv1", "bgr0"),
        ("a.avi", "mpeg4", "yuv420p"),
        ("a.ts", "mpeg2video", "yuv420p"),
    ],
)
@pytest.mark.filterwarnings("ignore::bgsub.errors.BgsubWarning")
def test_random_damage_never_breaks_the_contract(tmp_path, clip, write_video: Writer, name, codec, pixels):
    path = write_video(tmp_path / name, clip, codec=codec, pixel_format=pixels)
    whole = path.read_bytes()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        data = bytearray(whole)
        for at in rng.integers(len(data) // 8, len(data), 40):
            data[at] = rng.integers(256)
        path.write_bytes(data)
        try:
            source = VideoSource(path)
            frames = list(source)
        except (CannotOpen, CannotDecode):
            continue
        times = [frame.time for frame in frames]
        assert times == sorted(set(times)), seed
        assert {frame.image.shape[:2] for frame in frames} == {(source.info.height, source.info.width)}, seed


def test_a_change_of_size_is_resampled_and_told_once(tmp_path, clip, write_video: Writer):
    # JPEG pictures one after the other are a stream, of whatever sizes.
    large = clip.repeat(2, 1).repeat(2, 2)
    parts = [
        write_video(tmp_path / f"{len(part[0])}.mjpeg", part, codec="mjpeg", pixel_format="yuvj444p")
        for part in (clip, large)
    ]
    joined = tmp_path / "joined.mjpeg"
    joined.write_bytes(b"".join(part.read_bytes() for part in parts))
    with pytest.warns(BgsubWarning, match="changes from 48 × 32 to 96 × 64 pixels at frame 13") as caught:
        frames = list(VideoSource(joined))
    assert len(caught) == 1
    assert len(frames) == 24
    assert {frame.image.shape for frame in frames} == {(32, 48, 3)}
    apart = np.abs(frames[0].image.astype(int) - frames[12].image)
    assert apart.mean() < 6


def test_a_raw_stream_without_stamps_gets_nominal_ones(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.h264", clip, codec="libx264", pixel_format="yuv420p")
    times = [frame.time for frame in VideoSource(path)]
    assert len(times) == len(clip)
    assert all(after > before for before, after in pairwise(times))


def test_a_cover_picture_is_no_video(tmp_path):
    path = tmp_path / "song.mp3"
    cover = b"\x00image/png\x00\x03\x00" + png_of(np.zeros((4, 4, 3), np.uint8))
    apic = b"APIC" + struct.pack(">I", len(cover)) + b"\0\0" + cover
    size = len(apic)
    syncsafe = bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))
    path.write_bytes(b"ID3\x03\0\0" + syncsafe + apic + silent_mp3(tmp_path / "silence.mp3"))
    with av.open(str(path)) as container:
        assert len(container.streams.video) == 1
    with pytest.raises(CannotOpen, match=r"no video stream in .*song\.mp3 \(it holds audio only\)"):
        VideoSource(path)


def png_of(image: np.ndarray) -> bytes:
    encoder = av.CodecContext.create("png", "w")
    encoder.height, encoder.width = image.shape[:2]
    encoder.pix_fmt, encoder.time_base = "rgb24", Fraction(1, 25)
    packets = encoder.encode(av.VideoFrame.from_ndarray(image, format="rgb24"))
    return b"".join(bytes(packet) for packet in [*packets, *encoder.encode(None)])


def silent_mp3(path: Path) -> bytes:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mp3", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 44100), np.int16), format="s16p", layout="mono")
        frame.rate, frame.pts = 44100, 0
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path.read_bytes()


def test_sound_alone_has_no_video_stream(tmp_path):
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(16000))
    with pytest.raises(CannotOpen, match="no video stream"):
        VideoSource(path)


def test_a_format_without_decoder_is_named(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.avi", clip, codec="mjpeg", pixel_format="yuvj420p")
    path.write_bytes(path.read_bytes().replace(b"MJPG", b"ZQ7X"))
    with pytest.raises(CannotDecode, match=r"no decoder for the video in .*a.avi"):
        VideoSource(path)


def test_a_video_of_which_nothing_decodes_says_so(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.mp4", clip, codec="png", pixel_format="rgb24")
    path.write_bytes(path.read_bytes().replace(b"\x89PNG", b"\0\0\0\0"))
    with pytest.raises(CannotDecode, match=r"no frame of .* can be decoded: 12 damaged packets"):
        VideoSource(path)


def test_what_is_no_video_is_told_apart(tmp_path):
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("not a video\n" * 20)
    (tmp_path / "notes.txt").write_text("hello world\n" * 50)
    (tmp_path / "cut.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(500))
    for name, words in {
        "missing.mp4": "no such file",
        "empty.mp4": r"is empty \(0 bytes\)",
        "text.mp4": "not a video file",
        "notes.txt": r"not a video file: .*it is text",
        "cut.mp4": "was the recording cut off",
        ".": "is a folder",
    }.items():
        with pytest.raises(CannotOpen, match=words) as caught:
            VideoSource(tmp_path / name)
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_says_so(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.mkv", clip)
    path.chmod(0)
    with pytest.raises(CannotOpen, match="permission denied"):
        VideoSource(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    with pytest.raises(CannotOpen, match="not a regular file"):
        VideoSource(tmp_path / "pipe.mp4")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_closing_early_closes_the_file(tmp_path, clip, write_video: Writer):
    path = write_video(tmp_path / "a.mkv", clip)
    frames = iter(VideoSource(path))
    next(frames)
    assert str(path) in open_files()
    frames.close()
    assert str(path) not in open_files()


def open_files() -> list[str]:
    links = Path("/proc/self/fd").iterdir()
    return [str(link.readlink()) for link in links if link.is_symlink()]


def test_odd_names_open(tmp_path, monkeypatch, clip, write_video: Writer):
    path = write_video(tmp_path / "plain.mkv", clip)
    monkeypatch.chdir(tmp_path)
    for name in ("-i.mkv", "visage é 顔.mkv", "a:b.mkv", "100%d.mkv", "a[1].mkv", "a b'c.mkv"):
        path = path.rename(tmp_path / name)
        assert len(list(VideoSource(name))) == len(clip), name


def test_ffmpeg_does_not_litter_stderr(tmp_path, clip, write_video: Writer, capfd):
    path = write_video(tmp_path / "a.mp4", clip, codec="libx264", pixel_format="yuv420p")
    capfd.readouterr()
    data = bytearray(path.read_bytes())
    start = data.index(b"mdat") + 900  # behind the parameter sets
    data[start : start + 100] = bytes(100)
    path.write_bytes(data)
    with pytest.warns(BgsubWarning):
        list(VideoSource(path))
    assert capfd.readouterr().err == ""
