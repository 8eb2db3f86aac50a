"""A run on what is no video: rates, ranges and iterators arrive where they belong."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import tifffile
from clip_kit import f_measure, scene, write_video

import bgsub
from bgsub import Options
from bgsub.errors import BgsubWarning

SCENE = scene()
MASK = ("mask",)


class Heard:
    """Keeps what a run says."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def begin(self, phase: str, total: int | None) -> None: ...

    def step(self) -> None: ...

    def say(self, text: str) -> None:
        self.lines.append(text)

    def detail(self, text: str) -> None: ...

    def end(self) -> None: ...


def deep(folder: Path) -> Path:
    folder.mkdir()
    for number, frame in enumerate(SCENE.frames):
        cv2.imwrite(str(folder / f"{number:03d}.png"), frame[..., ::-1].astype(np.uint16) * 12 + 900)
    return folder


@pytest.mark.parametrize(("low", "factor"), [(0, 1), (900, 12), (20_000, 3)])
@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_deep_frames_give_the_masks_of_plain_ones(low, factor, dtype):
    frames = (SCENE.frames.astype(np.float64) * factor + low).astype(dtype)
    with pytest.warns(BgsubWarning, match="values"):
        result = bgsub.separate(frames, options=Options(outputs=MASK))
    assert f_measure(result.layers["mask"], SCENE.mask) > 0.9
    pair = result.report["input"]["levels"]
    given = bgsub.separate(frames, options=Options(outputs=MASK, range=tuple(pair)))
    np.testing.assert_array_equal(given.layers["mask"], result.layers["mask"])
    assert given.report["options"]["range"] == pair


def test_the_range_is_said_once_in_a_run_and_recorded(tmp_path):
    with pytest.warns(BgsubWarning) as caught:
        bgsub.separate(str(deep(tmp_path / "in")), tmp_path / "out", Options(outputs=MASK))
    said = [str(each.message) for each in caught if "uint16" in str(each.message)]
    assert len(said) == 1
    assert said[0] in json.loads((tmp_path / "out" / "run.json").read_text())["warnings"]


def test_an_iterator_gives_what_its_array_gives():
    options = Options(outputs=MASK)
    given = bgsub.separate((frame for frame in SCENE.frames), options=options).layers["mask"]
    np.testing.assert_array_equal(given, bgsub.separate(SCENE.frames, options=options).layers["mask"])
    assert bgsub.fit(iter(SCENE.frames)).plate().shape == SCENE.frames.shape[1:]


def test_the_rate_reaches_the_files_and_an_assumed_one_is_said(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", SCENE.frames)
    heard = Heard()
    bgsub.separate(tmp_path / "a.tif", tmp_path / "one", Options(outputs=MASK), progress=heard)
    assert any("25 frames/s assumed" in line for line in heard.lines)
    heard = Heard()
    options = Options(outputs=MASK, fps="25/2")
    bgsub.separate(tmp_path / "a.tif", tmp_path / "two", options, progress=heard)
    assert not any("assumed" in line for line in heard.lines)
    with av.open(str(tmp_path / "two" / "mask.mkv")) as file:
        stream = file.streams.video[0]
        times = [frame.pts * stream.time_base for frame in file.decode(stream)]
    assert times == [Fraction(2 * place, 25) for place in range(len(SCENE.frames))]


def test_a_rate_and_a_range_for_a_video_are_told_to_do_nothing(tmp_path):
    video = write_video(tmp_path / "a.mkv", SCENE.frames)
    with pytest.warns(BgsubWarning) as caught:
        bgsub.separate(video, tmp_path / "out", Options(outputs=MASK, fps=10, range=(0, 100)))
    said = json.loads((tmp_path / "out" / "run.json").read_text())["warnings"]
    for words in ("the given rate, 10 frames/s, is not used", "the given range is not used"):
        assert sum(words in line for line in said) == 1
        assert sum(words in str(each.message) for each in caught) == 1


def test_a_deep_picture_of_the_empty_scene_is_seen_as_the_footage_is(tmp_path):
    wall = SCENE.wall[0].astype(np.uint16) * 12 + 900
    cv2.imwrite(str(tmp_path / "empty.png"), wall[..., ::-1])
    options = Options(outputs=MASK, background=str(tmp_path / "empty.png"))
    with pytest.warns(BgsubWarning):
        found = bgsub.separate(str(deep(tmp_path / "in")), options=options)
    assert f_measure(found.layers["mask"], SCENE.mask) > 0.9


def test_a_stack_may_be_written_beside_since_no_other_file_is_read(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", SCENE.frames)
    for _ in range(2):
        bgsub.separate(tmp_path / "a.tif", tmp_path, Options(outputs=("plate",)))
    assert len(list(bgsub.open_source(tmp_path / "a.tif"))) == len(SCENE.frames)
