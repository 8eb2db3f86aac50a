"""Files that somebody sent: what they name is not read, and what they claim is not believed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import av
import numpy as np
import pytest
from video_kit import noise, write

from bgsub.errors import BgsubWarning, CannotDecode, CannotOpen
from bgsub.frames.read.open import open_source
from bgsub.options.table import Options

HLS = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:1.0,\n{}\n#EXT-X-ENDLIST\n"
CONCAT = "ffconcat version 1.0\nfile {}\n"
SDP = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n#{}\n"
DASH = (
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" '
    'profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="PT1S"><Period>'
    '<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>{}</BaseURL>'
    "</Representation></AdaptationSet></Period></MPD>"
)
IMF = (
    '<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016">{}'
    "</CompositionPlaylist>"
)
PLAYLISTS = {"m3u8": HLS, "ffconcat": CONCAT, "mpd": DASH, "sdp": SDP, "xml": IMF}


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """An address and what it was asked for."""
    seen: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/video.ts", seen
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("kind", PLAYLISTS)
@pytest.mark.parametrize("disguise", ["", "mp4", "avi"])
def test_a_playlist_has_nothing_else_read(tmp_path, asked, kind, disguise):
    address, seen = asked
    other = write(tmp_path / "other.ts", noise(12), codec="mpeg2video")
    path = tmp_path / f"list.{disguise or kind}"
    for named in (other.name, str(other), address):
        path.write_text(PLAYLISTS[kind].format(named))
        with pytest.raises(CannotOpen, match=r"not a video file: \S+list\.") as caught:
            open_source(path)
        assert "\n" not in str(caught.value)
    assert seen == []


@pytest.mark.parametrize("kind", ["m3u8", "ffconcat", "sdp"])
def test_a_playlist_is_told_to_be_one(tmp_path, kind):
    path = tmp_path / f"list.{kind}"
    path.write_text(PLAYLISTS[kind].format("other.ts"))
    with pytest.raises(CannotOpen, match="names other files"):
        open_source(path)


def test_the_name_of_a_file_is_no_pattern(tmp_path):
    for name in ("x1.dpx", "x2.dpx", "x%d.dpx"):
        write(tmp_path / name, noise(1), codec="dpx", pixel_format="rgb24", muxer={"update": "1"})
    assert len(list(open_source(tmp_path / "x%d.dpx"))) == 1


OTHERS = {
    "asx": '<asx version="3.0"><entry><ref href="{}"/></entry></asx>',
    "pls": "[playlist]\nFile1={}\nNumberOfEntries=1\nVersion=2\n",
    "xspf": '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track>'
    "<location>{}</location></track></trackList></playlist>",
    "ram": "{}\n",
    "mov": "RTSPtext\n{}\n",
    "smil": '<smil><body><video src="{}"/></body></smil>',
}


@pytest.mark.parametrize("kind", OTHERS)
def test_playlists_of_other_programs_are_no_videos(tmp_path, asked, kind):
    address, seen = asked
    other = write(tmp_path / "other.ts", noise(3), codec="mpeg2video")
    for named in (str(other), address):
        (tmp_path / f"list.{kind}").write_text(OTHERS[kind].format(named))
        with pytest.raises(CannotOpen, match=r"not a video file|no video stream"):
            open_source(tmp_path / f"list.{kind}")
    assert seen == []


def box(name: bytes, *contents: bytes) -> bytes:
    content = b"".join(contents)
    return (8 + len(content)).to_bytes(4, "big") + name + content


def alias(path: bytes) -> bytes:
    """Return an alias record of the Macintosh that leads to an absolute path, as FFmpeg reads it."""
    head = bytes(10) + bytes(28) + bytes(12) + b"\x05other" + bytes(58) + bytes(16) + b"\0\1\0\1" + bytes(16)
    return head + b"\0\2" + len(path).to_bytes(2, "big") + path + bytes(len(path) % 2) + b"\xff\xff\0\0"


def with_reference(data: bytes, entry: bytes) -> bytes:
    """Return an MP4 file, its index at the end, whose pictures lie elsewhere: where *entry* says."""
    start = data.index(b"dref") - 4
    size = int.from_bytes(data[start : start + 4], "big")
    changed = bytearray(data)
    changed[start : start + size] = box(b"dref", bytes(4), (1).to_bytes(4, "big"), entry)
    grown = len(changed) - len(data)
    for name in (b"moov", b"trak", b"mdia", b"minf", b"dinf"):
        place = data.index(name) - 4
        changed[place : place + 4] = (int.from_bytes(data[place : place + 4], "big") + grown).to_bytes(
            4, "big"
        )
    return bytes(changed)


@pytest.mark.parametrize("ending", ["mp4", "mov"])
def test_pictures_that_lie_in_another_file_are_not_fetched(tmp_path, asked, ending):
    address, seen = asked
    data = write(tmp_path / f"a.{ending}", noise(3)).read_bytes()
    elsewhere = write(tmp_path / f"other.{ending}", np.full((3, 64, 96, 3), 255, np.uint8))
    path = tmp_path / f"b.{ending}"
    path.write_bytes(with_reference(data, box(b"url ", bytes(4), address.encode() + b"\0")))
    assert len(list(open_source(path))) == 3
    for named in (str(elsewhere), address):
        path.write_bytes(with_reference(data, box(b"alis", bytes(4), alias(named.encode()))))
        with pytest.raises(CannotDecode, match="no frame"):
            open_source(path)
    assert seen == []
    # FFmpeg would follow it if it were let.
    path.write_bytes(with_reference(data, box(b"alis", bytes(4), alias(str(elsewhere).encode()))))
    with av.open(str(path), options={"enable_drefs": "1", "use_absolute_path": "1"}) as container:
        assert next(container.decode(video=0)).to_ndarray(format="gray").min() > 200


LARGE = np.zeros((1, 128, 96, 3), np.uint8)


@pytest.mark.parametrize(
    ("name", "codec", "pixels"),
    [("a.mkv", "ffv1", "yuv420p"), ("a.mp4", "libx264", "yuv420p"), ("a.avi", "mjpeg", "yuvj420p")],
)
def test_pictures_that_are_too_large_are_refused_unless_allowed(tmp_path, name, codec, pixels):
    path = write(tmp_path / name, LARGE, codec=codec, pixel_format=pixels)
    most = LARGE[0, ..., 0].size
    assert len(list(open_source(path, options=Options(max_pixels=most)))) == 1
    with pytest.raises(CannotDecode, match=r"a\.\w+ has pictures of 96 × 128, .* --max-pixels"):
        open_source(path, options=Options(max_pixels=most - 1))


def test_a_picture_that_becomes_too_large_midway_is_not_decoded(tmp_path):
    large = np.zeros((2, 1200, 1200, 3), np.uint8)
    parts = [
        write(tmp_path / f"{len(part[0])}.mjpeg", part, codec="mjpeg", pixel_format="yuvj420p")
        for part in (LARGE.repeat(3, 0), large)
    ]
    path = tmp_path / "a.mjpeg"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    with pytest.warns(BgsubWarning, match="3 frames decoded; 2 damaged packets"):
        assert len(list(open_source(path, options=Options(max_pixels=20_000)))) == 3
    with pytest.warns(BgsubWarning, match="the picture changes"):
        assert len(list(open_source(path))) == 5
