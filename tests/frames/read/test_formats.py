"""Whatever FFmpeg writes is read, or refused in one line: a dozen files, and all of ``apps/formats`` (slow)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from formats import damage
from formats.companions import audio, subtitles, video
from formats.encode import write
from formats.metadata import exif_in_jpeg, sei
from formats.recipe import Recipe
from formats.streams import TITLE, UNTITLED
from formats.trial import attempt

from bgsub.base.pyav import decode
from bgsub.frames.read.open import open_source
from bgsub.frames.read.png import sound_png

ROOT = Path(__file__).parents[3]

COVER = video("mjpeg", frames=1, cover=True)
READ = (
    Recipe("", "matroska", "ffv1", pixel_format="gray16le", size=(1, 1)),
    Recipe("", "nut", "rawvideo", pixel_format="pal8", size=(17, 33)),
    Recipe("", "mov", "mjpeg", before=(audio, COVER)),
    Recipe("", "matroska", "ffv1", stamps=lambda index: 40 * (index % 4), before=(subtitles("subrip"),)),
    Recipe("", "nut", "ffv1", stamps=lambda index: index + 10**12 * (index > 4)),
    Recipe("", "avi", "mpeg4", tags={"title": TITLE}, change=damage.replace(TITLE.encode(), UNTITLED)),
    Recipe("", "mjpeg", "mjpeg", change=damage.append(500)),
    Recipe("", "h264", "libx264", packets=sei(4, bytes.fromhex("b40050010001020304"))),
)
REFUSED = {
    r"no video stream in \S+ \(it holds audio only\)": Recipe("", "wav", "", before=(audio,)),
    r"not a video file: \S+ \(invalid data": Recipe("", "framecrc", "rawvideo"),
    r"no frame of \S+ can be decoded: \d damaged packets \(": Recipe("", "nut", "msrle"),
    r"not a video file: .* was the recording cut off\?": Recipe("", "mov", "qtrle", change=damage.cut(0.5)),
}


def test_odd_files_are_read_to_their_end(tmp_path):
    for index, recipe in enumerate(READ):
        write(recipe, path := tmp_path / f"{index}.file")
        trial = attempt(path, None)
        assert (trial.faults, trial.refused, trial.frames >= 8) == ([], "", True), recipe


def test_what_is_no_video_is_refused_in_one_line(tmp_path):
    for index, (refusal, recipe) in enumerate(REFUSED.items()):
        write(recipe, path := tmp_path / f"{index}.file")
        trial = attempt(path, None)
        assert (trial.faults, trial.frames) == ([], 0), recipe
        assert re.match(refusal, trial.refused), trial.refused


def test_pictures_with_exif_are_upright_whether_pyav_has_a_name_for_it_or_not(tmp_path):
    write(Recipe("", "avi", "mjpeg"), plain := tmp_path / "plain.avi")
    stored = next(iter(open_source(plain))).image
    across = stored.swapaxes(0, 1)
    upright = [stored, stored[:, ::-1], stored[::-1, ::-1], stored[::-1]]
    upright += [across, across[:, ::-1], across[::-1, ::-1], across[::-1]]
    for orientation, expected in enumerate(upright, 1):
        write(Recipe("", "avi", "mjpeg", packets=exif_in_jpeg(orientation)), path := tmp_path / "exif.avi")
        np.testing.assert_array_equal(next(iter(open_source(path))).image, expected, f"{orientation}")


def test_a_decoder_that_cannot_be_opened_is_an_error_of_ffmpeg():
    class Unopened:
        def decode(self, packet):
            raise ValueError("cannot decode unknown codec")

    with pytest.raises(av.FFmpegError, match="cannot decode unknown codec"):
        decode(Unopened(), None)


def test_a_png_is_freed_of_all_but_its_picture():
    image = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)
    file = cv2.imencode(".png", image)[1].tobytes()
    comment = b"tEXtno\0checksum"
    strange = file[:33] + (len(comment) - 4).to_bytes(4, "big") + comment + b"\0\0\0\0" + file[33:]
    for each in (file, strange, file + b"appended", file[:-1]):
        np.testing.assert_array_equal(cv2.imdecode(sound(each), cv2.IMREAD_COLOR), image)
    assert sound(strange).tobytes() == file
    assert sound(b"no PNG").tobytes() == b"no PNG"


def test_a_png_with_a_damaged_picture_is_none():
    file = cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()
    assert sound(file[:-13]) is None  # the last byte of the data's checksum
    for place in (16, file.index(b"IDAT") + 5):
        assert sound(file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :]) is None, place
    length = zlib.crc32(file).to_bytes(4, "big")
    assert sound(file[:33] + length + file[37:]) is None


def sound(file: bytes) -> np.ndarray | None:
    return sound_png(np.frombuffer(file, np.uint8))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_that_ffmpeg_writes_is_read_or_refused_in_one_line(tmp_path):
    command = [sys.executable, str(ROOT / "apps" / "formats"), "--json", str(tmp_path / "found.json")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    wrong = [line for line in run.stdout.splitlines() if "UNEXPECTED" in line]
    assert (run.returncode, wrong, run.stderr) == (0, [], ""), run.stdout[-500:]
    rows = [row for row in json.loads((tmp_path / "found.json").read_text()) if "unwritten" not in row]
    assert len(rows) > 1000
    assert len({row["container"] for row in rows}) > 50
    assert len({row["codec"] for row in rows}) > 70
    assert sum(row["separate"] for row in rows) > 30
    assert sum(not row["refused"] for row in rows) > 0.8 * len(rows)
