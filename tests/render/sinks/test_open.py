from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from render_kit import names, read_video

from bgsub.errors import OptionError
from bgsub.render.sinks.open import (
    Encoding,
    ImageSequenceSink,
    MaskSink,
    PictureSink,
    Timing,
    VideoSink,
    open_sink,
)

FITS = [
    ("a.mp4", "video", VideoSink),
    ("a.MP4", "video", VideoSink),
    ("a.mkv", "mask", MaskSink),
    ("a.png", "picture", PictureSink),
    ("a.png", "mask", PictureSink),
    ("a/", "mask", ImageSequenceSink),
    ("a.b/", "video", ImageSequenceSink),
    ("a", "mask", ImageSequenceSink),
    ("%06d.png", "mask", ImageSequenceSink),
]


def test_the_end_of_the_name_decides(tmp_path: Path) -> None:
    for name, kind, expected in FITS:
        sink = open_sink(f"{tmp_path}/{name}", kind)
        assert type(sink) is expected, name
        assert names(tmp_path) == [], name


DOES_NOT_FIT = [
    ("a.mp4", "mask", r"cannot write a mask to .*a\.mp4: \.mp4 is H\.264.*use \.mkv"),
    ("a.mkv", "video", r"\.mkv holds masks only; use \.mp4"),
    ("a.mp4", "picture", r"use \.png"),
    ("a/", "picture", r"one picture to the folder"),
    ("%d.png", "picture", r"one picture to the folder"),
    ("a.avi", "video", r"cannot tell the format of .*a\.avi from '\.avi'; use \.mp4 or a folder"),
    ("a.jpg", "mask", r"from '\.jpg'; use \.mkv"),
]


def test_what_does_not_fit_is_refused_with_what_would(tmp_path: Path) -> None:
    for name, kind, says in DOES_NOT_FIT:
        with pytest.raises(OptionError, match=says):
            open_sink(f"{tmp_path}/{name}", kind)


def test_a_folder_that_exists_is_a_folder_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "run.1").mkdir()
    assert isinstance(open_sink(tmp_path / "run.1", "mask"), ImageSequenceSink)


def test_a_pattern_gives_folder_and_digits(tmp_path: Path) -> None:
    for pattern, file in [("%04d.png", "0007.png"), ("%d.png", "7.png"), ("%6d.png", "000007.png")]:
        with open_sink(tmp_path / "mask" / pattern, "mask") as sink:
            sink.write(np.zeros((3, 3), np.uint8), Fraction(0), 7)
        assert names(tmp_path / "mask") == [file], pattern


def test_timing_and_quality_reach_the_file(tmp_path: Path) -> None:
    timing = Timing(fps=Fraction(7), time_base=Fraction(1, 7))
    with open_sink(tmp_path / "a.mp4", "video", timing, Encoding(crf=30, preset="ultrafast")) as sink:
        for index in range(5):
            sink.write(np.zeros((16, 16), np.uint8), Fraction(index, 7))
    assert read_video(tmp_path / "a.mp4")[1] == [Fraction(index, 7) for index in range(5)]
