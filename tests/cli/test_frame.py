"""``bgsub frame``: the frame that was asked for, in a file that replaces nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from clip_kit import names, scene, write_video

from bgsub import Options, open_source
from bgsub.cli.frame import _bounded
from bgsub.errors import OptionError
from bgsub.frames.live.bound import Bound
from bgsub.options.position import Position
from bgsub.render.ruler import Ruled
from bgsub.run import still
from bgsub.run.progress import Silent
from bgsub.run.still import frame_of


def shown(source, place=None, options=None, background=False) -> np.ndarray:
    return frame_of(open_source(source), options or Options(), place, background, Silent()).picture


def ruled(picture: np.ndarray) -> np.ndarray:
    drawn = Ruled(picture)
    drawn.rule()
    return drawn.drawn


def test_the_middle_is_shown_or_what_was_asked_for(tmp_path):
    clip = write_video(tmp_path / "cam.mp4", scene().frames)
    frames = [frame.image for frame in open_source(clip)]
    for text, index in (
        (None, 20),
        ("7", 7),
        ("0.4s", 10),
        ("0.39s", 10),
        ("75%", 30),
        ("100%", 39),
        ("0%", 0),
    ):
        place = None if text is None else Position.parse(text)
        assert (shown(clip, place) == ruled(frames[index])).all(), text
    for text in ("40", "1:00"):
        with pytest.raises(OptionError, match="40 frames"):
            shown(clip, Position.parse(text))


def test_regions_are_drawn_and_those_outside_refused_before_reading(tmp_path, monkeypatch):
    clip = write_video(tmp_path / "cam.mp4", scene().frames)
    options = Options(roi="4,4,20,20", exclude="30,5 50,5 40,30", zone="door=40,30,20,10")
    drawn = shown(clip, None, options)
    for colour in (still.ROI, still.EXCLUDE, still.ZONE):
        assert (drawn == colour).all(axis=2).sum() > 100
    monkeypatch.setattr(still, "_found", lambda *_: pytest.fail("read first"))
    with pytest.raises(OptionError, match="door"):
        shown(clip, None, Options(zone="door=60,30,20,10"))


def test_the_empty_scene_is_shown_in_place_of_a_frame(tmp_path):
    made = scene()
    clip = write_video(tmp_path / "cam.mp4", made.frames)
    drawn = shown(clip, None, Options(roi="0,0,8,8"), background=True)
    expected = ruled(made.wall[0])
    middle = (slice(60, None), slice(120, None))  # not the region, which is framed
    assert np.mean(np.abs(drawn[middle].astype(int) - expected[middle]) > 30) < 0.02


def test_it_lies_beside_the_video_and_replaces_nothing_unasked(call, clip, tmp_path):
    video = tmp_path / "cam.mp4"
    video.write_bytes(clip.read_bytes())
    done = call("frame", video, "--rotate", "90")
    assert (done.code, done.out) == (0, "")
    assert names(tmp_path) == ["cam.mp4", "cam_frame.png"]
    picture = tmp_path / "cam_frame.png"
    height, width = cv2.imread(str(picture)).shape[:2]
    assert (height % 64, width % 48) == (0, 0)
    before = picture.read_bytes()
    assert call("frame", video).code == 1
    assert picture.read_bytes() == before
    assert call("frame", video, "-o", picture, "-q").err == ""
    assert picture.read_bytes() != before


def test_what_is_no_picture_of_ours_is_never_replaced(call, clip, tmp_path):
    (tmp_path / "fake.png").write_bytes(b"mine")
    (tmp_path / "pics").mkdir()
    for number, frame in enumerate(scene(3).frames):
        cv2.imwrite(str(tmp_path / "pics" / f"{number}.png"), frame)
    first = tmp_path / "pics" / "0.png"
    before = first.read_bytes()
    cases = [
        ((clip, "-o", tmp_path / "fake.png"), 1),
        ((clip, "-o", tmp_path / "fake.mp4"), 2),
        ((clip, "-o", tmp_path / "no" / "a.png"), 1),
        ((first, "-o", first), 1),
        ((tmp_path / "pics", "-o", tmp_path / "pics" / "9.png"), 1),
        ((clip, "--at", "soon"), 2),
        ((clip, "-o", ""), 2),
    ]
    for words, code in cases:
        done = call("frame", *words)
        assert (done.code, len(done.err.splitlines())) == (code, 1), done.err
    assert (tmp_path / "fake.png").read_bytes() == b"mine"
    assert first.read_bytes() == before
    assert names(tmp_path) == ["fake.png", "pics"]
    assert len(names(tmp_path / "pics")) == 3
    assert call("frame", tmp_path / "pics").code == 0
    assert names(tmp_path) == ["fake.png", "pics", "pics_frame.png"]


def test_of_a_live_input_no_more_is_recorded_than_is_shown():
    for place in (None, Position(frame=5), Position.parse("2s")):
        assert Bound(_bounded("rtsp://camera/1", Options(), place, False)).is_given
    assert _bounded("rtsp://camera/1", Options(duration="9s"), None, False).duration == Position.parse("9s")
    assert not Bound(_bounded("rtsp://camera/1", Options(), None, True)).is_given
    assert _bounded("cam.mp4", Options(), None, False).duration is None
