"""Files that somebody sent: what they name is not read, and what they claim is not believed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

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
