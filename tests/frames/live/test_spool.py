"""Inputs that are no files: read whole, read in part, and gone again."""

from __future__ import annotations

import io
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from server_kit import Served, serving
from video_kit import noise, write

from bgsub.errors import BgsubWarning, CannotOpen, OptionError
from bgsub.frames.live import patience
from bgsub.frames.live.spool import on_disk
from bgsub.frames.read.open import open_source
from bgsub.options.table import Options

PICTURES = noise(50)


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    """Nobody waits for long, and what is left over is found."""
    monkeypatch.setattr(patience, "TIMEOUT", 0.5)
    monkeypatch.setattr(patience, "DELAYS", (0.02, 0.04, 0.08))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    yield
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.fixture(params=["mp4", "mkv", "ts", "avi"])
def video(request, tmp_path) -> Path:
    return write(
        tmp_path / f"a.{request.param}", PICTURES, codec="mpeg2video" if request.param == "ts" else "mpeg4"
    )


def stream_of(tmp_path: Path) -> bytes:
    """Return a transport stream, which can be entered anywhere."""
    return write(tmp_path / "a.ts", PICTURES, codec="mpeg2video", options={"g": "5"}).read_bytes()


def read(target: str, options: Options, output: Path | None = None) -> tuple[list[np.ndarray], list[str]]:
    said: list[str] = []
    with on_disk(target, options, output, said.append) as footage:
        frames = [frame.image for frame in open_source(footage)]
        again = [frame.image for frame in open_source(footage)]
    assert len(frames) == len(again)
    return frames, said


def plain(path: Path) -> list[np.ndarray]:
    return [frame.image for frame in open_source(path)]


def test_a_file_at_an_address_is_read_as_the_file(video):
    with serving(Served(video.read_bytes())) as served:
        frames, _ = read(served.address, Options())
    np.testing.assert_array_equal(frames, plain(video))


@pytest.mark.parametrize("ranges", [True, False])
def test_a_connection_that_breaks_is_taken_up_again(video, ranges):
    data = video.read_bytes()
    breaks = [len(data) // 3, len(data) // 4, 0]
    with serving(Served(data, breaks=list(breaks), ranges=ranges)) as served:
        frames, said = read(served.address, Options())
    np.testing.assert_array_equal(frames, plain(video))
    assert len(served.asked) == 4
    assert any("trying again" in line for line in said)
    assert ("Range" in served.asked[-1]) == (served.asked[-1].get("Range") is not None)
    if ranges:
        assert served.asked[1]["Range"] == f"bytes={breaks[0]}-"


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_that_fails_for_a_moment_is_asked_again(video, status):
    with serving(Served(video.read_bytes(), status=[status, status])) as served:
        assert len(read(served.address, Options())[0]) == len(PICTURES)


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_what_the_server_does_not_give_is_not_asked_for_again(status):
    with serving(Served(b"", status=[status] * 9)) as served:
        with pytest.raises(CannotOpen, match=f"cannot open http.*{status}"):
            read(served.address, Options())
        assert len(served.asked) == 1


@pytest.mark.parametrize("options", [Options(), Options(end=5)])
def test_a_server_that_hangs_is_given_up(options):
    with serving(Served(b"", hang=threading.Event())) as served:
        with pytest.raises(CannotOpen, match=r"no answer for 0\.5 s"):
            read(served.address, options)
        assert len(served.asked) == 1 + len(patience.DELAYS)


def test_nobody_there_is_told():
    with pytest.raises(CannotOpen, match="connection refused"):
        read("http://127.0.0.1:9/video", Options())


def test_a_login_is_sent_and_never_shown(video):
    with serving(Served(video.read_bytes(), breaks=[1000])) as served:
        address = served.address.replace("://", "://admin:p%40ss@") + "?token=hidden"
        with on_disk(address, Options(), None, (said := []).append) as footage:
            source = open_source(footage)
            list(source)
    assert served.asked[0]["Authorization"] == "Basic YWRtaW46cEBzcw=="
    for text in (*said, source.info.name):
        assert "admin" in text
        assert "p%40ss" not in text
        assert "hidden" not in text


def test_what_is_no_video_is_told_by_its_address(tmp_path):
    with serving(Served(b"no video at all" * 100)) as served:
        with pytest.raises(CannotOpen, match="not a video file: http") as caught:
            read(served.address, Options())
        assert str(tmp_path) not in str(caught.value)


def test_a_playlist_at_an_address_has_no_file_read(tmp_path):
    other = tmp_path / "other.ts"
    other.write_bytes(stream_of(tmp_path))
    text = f"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:1.0,\nfile://{other}\n#EXT-X-ENDLIST\n"
    with serving(Served(text.encode())) as served, pytest.raises(CannotOpen):
        read(f"{served.address}.m3u8", Options(end=5))


def live(tmp_path: Path, **how) -> Served:
    """Return a stream that goes on for ever, at about 25 frames in a tenth of a second."""
    data = stream_of(tmp_path)
    return Served(data, length=False, again=True, block=len(data) // 20, pause=0.01, **how)


def test_a_stream_without_end_needs_a_bound(tmp_path):
    with (
        serving(live(tmp_path)) as served,
        pytest.raises(OptionError, match=r"http.* may never end.*--duration"),
    ):
        read(served.address, Options(start=3))


@pytest.mark.parametrize("bound", [{"duration": 30}, {"end": "3s"}, {"start": "1s", "duration": "1s"}])
def test_of_a_stream_as_much_is_recorded_as_is_needed(tmp_path, bound):
    with serving(live(tmp_path)) as served:
        frames, _ = read(served.address, Options(**bound))
    assert 30 <= len(frames) <= 130


@pytest.mark.filterwarnings("ignore::bgsub.errors.BgsubWarning")
def test_a_stream_that_breaks_off_is_taken_up_again_and_its_times_go_on(tmp_path):
    size = len(stream_of(tmp_path))
    with (
        serving(live(tmp_path, breaks=[size // 2, size // 2])) as served,
        on_disk(served.address, Options(end=90), None, print) as footage,
    ):
        times = [frame.time for frame in open_source(footage)]
    assert len(times) >= 80
    assert times == sorted(set(times))


@contextmanager
def sent(data: bytes, monkeypatch):
    @dataclass
    class Standard:
        buffer: io.BufferedIOBase

        def isatty(self) -> bool:
            return False

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", Standard(Pipe(data)))
    yield


@pytest.mark.parametrize("bound", [{}, {"end": 20}, {"duration": "0.5s"}])
def test_standard_input_is_read_as_the_file(video, monkeypatch, bound):
    with sent(video.read_bytes(), monkeypatch):
        frames, _ = read("-", Options(**bound))
    expected = plain(video)
    assert len(frames) >= 20
    np.testing.assert_array_equal(frames, expected[: len(frames)])


def test_standard_input_without_a_video_is_told(monkeypatch):
    for data in (b"", b"no video" * 100):
        for bound in ({}, {"end": 20}):
            with sent(data, monkeypatch), pytest.raises(CannotOpen, match="standard input"):
                read("-", Options(**bound))


def test_a_camera_that_is_not_there_is_told():
    with pytest.raises(CannotOpen, match=r"no camera 987|on Linux only"):
        read("987", Options(end=5))


@pytest.mark.parametrize("address", ["ftp://host/a.mp4", "file:///etc/passwd", "concat://a", "udp://h:1"])
def test_other_kinds_of_address_are_refused(address):
    with pytest.raises(CannotOpen, match="addresses that are read begin with http"):
        read(address, Options(end=5))


def test_the_recording_lies_beside_the_results_and_goes(tmp_path, video):
    out = tmp_path / "place" / "out"
    out.parent.mkdir()
    with serving(Served(video.read_bytes())) as served:
        with on_disk(served.address, Options(), out, print):
            [hidden] = out.parent.iterdir()
            assert [each.stat().st_size for each in hidden.iterdir()] == [video.stat().st_size]
        assert list(out.parent.iterdir()) == []
        for error in (KeyboardInterrupt, ValueError):
            with pytest.raises(error), on_disk(served.address, Options(), out, print):
                raise error
            assert list(out.parent.iterdir()) == []


def test_a_stream_that_is_given_up_leaves_what_there_is(tmp_path):
    class LastAnswer(list):
        """Lets the server fail after it has given the last of these."""

        def pop(self, at: int = 0) -> int:
            served.status = [503] * 9 if len(self) == 1 else []
            return super().pop(at)

    size = len(stream_of(tmp_path))
    served = live(tmp_path, breaks=LastAnswer([size, size]))
    with serving(served), pytest.warns(BgsubWarning, match="less than asked for"):
        frames, _ = read(served.address, Options(end=500))
    assert 20 <= len(frames) <= 50
