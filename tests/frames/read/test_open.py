from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from bgsub.errors import BgsubWarning, CannotOpen
from bgsub.frames.read.array import ArraySource
from bgsub.frames.read.open import open_source

Writer = Callable[..., Path]


def picture(path: Path) -> Path:
    path.write_bytes(cv2.imencode(".png", np.zeros((3, 4), np.uint8))[1].tobytes())
    return path


def test_an_existing_path_is_taken_literally(tmp_path, monkeypatch, clip, write_video: Writer):
    write_video(tmp_path / "a1.mkv", clip[:3])
    path = write_video(tmp_path / "plain.mkv", clip)
    monkeypatch.chdir(tmp_path)
    for name in ("a[1].mkv", "img%04d.mkv", "what?.mkv", "*.mkv", "-video-with-dash-.mkv", "é顔.mkv"):
        path = path.rename(tmp_path / name)
        assert len(list(open_source(name))) == len(clip), name


def test_each_kind_of_target_is_read_by_its_reader(tmp_path, clip, write_video: Writer):
    for number in (1, 2, 10):
        picture(tmp_path / f"p{number:02d}.png")
    video = write_video(tmp_path / "v.mkv", clip)
    for target, kind, count in [
        (video, "video", 12),
        (str(video), "video", 12),
        (tmp_path / "v*.mkv", "video", 12),
        (tmp_path, "images", 3),
        (tmp_path / "*.png", "images", 3),
        (tmp_path / "*", "images", 3),
        (tmp_path / "p0?.png", "images", 2),
        (tmp_path / "p%02d.png", "images", 3),
        (tmp_path / "p01.png", "images", 1),
        (clip, "array", 12),
        (list(clip), "array", 12),
    ]:
        source = open_source(target)
        assert (source.info.kind, len(list(source))) == (kind, count), target


def test_a_source_is_returned_as_it_is(clip):
    source = ArraySource(clip)
    assert open_source(source) is source


def test_the_name_is_what_the_user_gave(tmp_path):
    picture(tmp_path / "p01.png")
    for name in ("p01.png", "p%02d.png", "p*.png", "."):
        target = str(tmp_path / name)
        assert open_source(target).info.name in (target, str(Path(target)))


def test_what_is_not_there_is_told_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "video.mkv").touch()
    monkeypatch.chdir(tmp_path)
    for target, words in [
        ("videoo.mkv", r"no such file: .*videoo\.mkv; did you mean 'video\.mkv'\?$"),
        ("video.mp4", r"no such file: .*video\.mp4; did you mean 'video\.mkv'\?$"),
        ("video", r"no such file: .*video; did you mean 'video\.mkv'\?$"),
        ("night.mkv", r"no such file: .*night\.mkv$"),
        ("vi.mkv", r"no such file: .*vi\.mkv$"),
        ("nowhere/video.mkv", "there is no folder"),
        ("rtsp://camera/1", "addresses are not read"),
        ("img%04d.png", "no file matches the numbered pattern"),
        ("*.jpg", "no file matches"),
        ("", "empty"),
        ("v" * 5000, "no such file"),
        ("a\0b", "no such file"),
    ]:
        with pytest.raises(CannotOpen, match=words) as caught:
            open_source(target)
        assert "\n" not in str(caught.value), target[:20]


def test_a_link_that_leads_nowhere_is_told(tmp_path):
    (tmp_path / "link.mp4").symlink_to(tmp_path / "gone.mp4")
    with pytest.raises(CannotOpen, match="link that leads nowhere"):
        open_source(tmp_path / "link.mp4")


def test_a_wildcard_over_several_videos_asks_for_one(tmp_path, clip, write_video: Writer):
    for name in ("a.mkv", "b.mkv"):
        write_video(tmp_path / name, clip)
    with pytest.raises(CannotOpen, match="matches 2 files and no pictures; name one video"):
        open_source(tmp_path / "*.mkv")


def test_what_is_no_footage_is_refused():
    for target in [7, None, b"video.mp4", [1, 2], ["a.png", "b.png"]]:
        with pytest.raises(CannotOpen, match="cannot read footage from a"):
            open_source(target)


def test_the_rate_goes_to_pictures_and_arrays_and_is_refused_loudly_elsewhere(
    tmp_path, clip, write_video: Writer
):
    picture(tmp_path / "p01.png")
    assert open_source(tmp_path / "p01.png", fps=Fraction(5)).info.fps == 5
    assert open_source(clip, fps=Fraction(5)).info.fps == 5
    with pytest.warns(BgsubWarning, match="own time stamps; the given rate, 5 frames/s, is not used"):
        source = open_source(write_video(tmp_path / "v.mkv", clip), fps=Fraction(5))
    assert source.info.fps == 25
