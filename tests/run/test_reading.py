"""Which part of footage is read, where that depends on how long it is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from clip_kit import scene, write_video

import bgsub
from bgsub import Options
from bgsub.errors import OptionError, UsageError
from bgsub.frames.live.bound import Bound
from bgsub.run.reading import select_frames


def chosen(source, **options):
    return [frame.index for frame in select_frames(bgsub.open_source(source), Options(**options))]


def test_a_share_of_the_length_is_that_of_frames_or_of_time(tmp_path):
    clip = write_video(tmp_path / "cam.mp4", scene().frames)
    for source in (clip, scene().frames):
        assert chosen(source, start="25%", end="50%") == list(range(10, 20))
        assert chosen(source, start="90%", end="100%") == [36, 37, 38, 39]


def test_a_share_of_what_has_no_length_is_refused():
    info = replace(bgsub.open_source(scene().frames).info, frame_count=None, duration=None)
    source = SimpleNamespace(info=info)
    for name in ("start", "end"):
        with pytest.raises(OptionError, match=f"--{name} 50%"):
            select_frames(source, Options(**{name: "50%"}))


def test_a_live_input_is_not_bounded_by_a_share():
    assert not Bound(Options(end="50%")).is_given
    assert not Bound(Options(start="50%", duration="2s")).is_given
    assert Bound(Options(end="5s")).is_given


def test_a_share_is_no_length_of_a_segment_and_comes_in_order():
    for name in ("segment", "duration"):
        with pytest.raises(UsageError, match=f"--{name}"):
            Options(**{name: "50%"})
    with pytest.raises(OptionError, match="not before"):
        Options(start="50%", end="20%")
