"""Whatever goes wrong in the middle of a run, nothing of it is left."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from clip_kit import names, read_video, scene

import bgsub
from bgsub import Options
from bgsub.errors import CannotDecode, OptionError, OutputError, TooFewFrames
from bgsub.frames.read.array import ArraySource

SCENE = scene(30, 32, 48)
SEVERAL = Options(outputs="background,mask,mask-png,plate", segment=10)


class FailsInPass:
    """Footage whose reading raises *error* at frame 23 of the given pass."""

    def __init__(self, error: BaseException, failing_pass: int) -> None:
        self.source = ArraySource(SCENE.frames)
        self.info = replace(self.source.info, name="flaky")
        self.error, self.failing_pass, self.passes = error, failing_pass, 0

    def __iter__(self):
        self.passes += 1
        mine = self.passes
        for frame in self.source:
            if frame.index == 23 and mine == self.failing_pass:
                raise self.error
            yield frame


@pytest.mark.parametrize(
    ("error", "failing_pass"),
    [
        (CannotDecode("damaged"), 1),
        (CannotDecode("damaged"), 2),
        (RuntimeError("boom"), 2),
        (KeyboardInterrupt(), 2),
    ],
)
def test_a_reader_that_raises_leaves_nothing_on_disk_and_no_reader(error, failing_pass, tmp_path):
    source = FailsInPass(error, failing_pass)
    # The exception is held here, and with it every frame of the call: only explicit closing ends the threads.
    with pytest.raises(type(error)) as caught:
        bgsub.separate(source, tmp_path / "a" / "out", SEVERAL)
    assert caught.tb is not None
    assert source.passes == 2 or failing_pass == 1
    assert names(tmp_path) == []
    assert [thread for thread in threading.enumerate() if thread.name == "bgsub-prefetch"] == []


@pytest.mark.slow
def test_an_earlier_run_survives_a_failing_one_and_the_next_one_succeeds(tmp_path):
    bgsub.separate(SCENE.frames[:10], tmp_path, SEVERAL)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    source = FailsInPass(CannotDecode("damaged"), 2)
    with pytest.raises(CannotDecode):
        bgsub.separate(source, tmp_path, SEVERAL)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    result = bgsub.separate(source, tmp_path, SEVERAL)
    assert len(read_video(Path(result.outputs["mask"]), "gray")[0]) == 30


def test_a_listener_that_raises_leaves_nothing(tmp_path):
    class Stops:
        def begin(self, phase, total):
            self.phase, self.count = phase, 0

        def step(self):
            self.count += 1
            if self.phase == "separating" and self.count == 10:
                raise KeyboardInterrupt

        def say(self, text):
            pass

        def detail(self, text):
            self.say(text)

        def end(self):
            pass

    with pytest.raises(KeyboardInterrupt):
        bgsub.separate(SCENE.frames, tmp_path / "out", SEVERAL, progress=Stops())
    assert names(tmp_path) == []


def test_a_run_that_cannot_start_makes_no_folder(tmp_path):
    region, late = {"roi": (60, 40, 50, 50)}, {"start": 28}
    for frames, options, error in (
        (2, {}, TooFewFrames),
        (30, region, OptionError),
        (30, late, TooFewFrames),
    ):
        with pytest.raises(error):
            bgsub.separate(SCENE.frames[:frames], tmp_path / "out", replace(SEVERAL, **options))
        assert names(tmp_path) == []


def test_the_folder_that_was_there_before_stays(tmp_path):
    with pytest.raises(TooFewFrames):
        bgsub.separate(SCENE.frames[:2], tmp_path / "out" / "new", SEVERAL)
    assert names(tmp_path) == []
    (tmp_path / "out").mkdir()
    with pytest.raises(TooFewFrames):
        bgsub.separate(SCENE.frames[:2], tmp_path / "out" / "new", SEVERAL)
    assert names(tmp_path) == ["out"]


def test_an_output_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "out").write_text("a file")
    for name in ("out", "out/deeper"):
        with pytest.raises(OutputError, match=r"cannot write into the folder .*out.*choose another with -o"):
            bgsub.separate(SCENE.frames, tmp_path / name, SEVERAL)
    assert (tmp_path / "out").read_text() == "a file"


def test_a_folder_in_the_place_of_an_output_is_named(tmp_path):
    bgsub.separate(SCENE.frames[:10], tmp_path, Options(outputs="mask"))
    (tmp_path / "background.mp4").mkdir()
    before = (tmp_path / "mask.mkv").read_bytes()
    with pytest.raises(OutputError, match=r"background\.mp4"):
        bgsub.separate(SCENE.frames[:8], tmp_path, Options(outputs="mask,background"))
    assert (tmp_path / "mask.mkv").read_bytes() == before
    assert names(tmp_path) == ["background.mp4", "mask.mkv", "run.json"]


@contextmanager
def file_limit(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond *size*: it stands in for a full disk, the system call fails alike."""
    resource = pytest.importorskip("resource", reason="limits on the size of files need POSIX")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_nothing_and_is_said_wherever_it_is_met(tmp_path):
    for limit in (0, 200, 3000):
        with pytest.raises(OutputError) as caught, file_limit(limit):
            bgsub.separate(SCENE.frames, tmp_path / "a" / "out", replace(SEVERAL, segment=0))
        assert "cannot write" in str(caught.value)
        assert "the file is larger than the file system or the process limit allows" in str(caught.value)
        assert names(tmp_path) == []
