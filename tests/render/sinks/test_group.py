from __future__ import annotations

import signal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from render_kit import names

from bgsub.errors import OutputError
from bgsub.render.sinks.open import (
    ImageSequenceSink,
    MaskSink,
    MemorySink,
    PictureSink,
    Sink,
    SinkGroup,
    VideoSink,
)

WHITE = np.full((8, 8), 255, np.uint8)
ALL = ["background.mp4", "background.png", "mask", "mask.mkv"]


def sinks(folder: Path) -> list[Sink]:
    return [
        VideoSink(folder / "background.mp4"),
        MaskSink(folder / "mask.mkv"),
        ImageSequenceSink(folder / "mask"),
        PictureSink(folder / "background.png"),
    ]


def fill(group: SinkGroup) -> None:
    for sink in group.sinks:
        sink.write(WHITE, Fraction(0))


def test_all_appear_together(tmp_path: Path) -> None:
    with SinkGroup(sinks(tmp_path)) as group:
        fill(group)
        assert all(name.startswith(".") for name in names(tmp_path))
    assert names(tmp_path) == ALL


def test_an_exception_leaves_none(tmp_path: Path) -> None:
    group = SinkGroup(sinks(tmp_path))

    def run() -> None:
        with group:
            fill(group)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert names(tmp_path) == []


def test_one_that_cannot_be_closed_takes_all_with_it(tmp_path: Path) -> None:
    group = SinkGroup([*sinks(tmp_path), PictureSink(tmp_path / "empty.png")])
    for sink in group.sinks[:-1]:
        sink.write(WHITE, Fraction(0))
    with pytest.raises(OutputError, match=r"empty\.png: no frame was written"):
        group.commit()
    assert names(tmp_path) == []


def test_one_that_cannot_be_placed_brings_all_earlier_results_back(tmp_path: Path) -> None:
    with SinkGroup(sinks(tmp_path)) as group:
        fill(group)
    before = {name: (tmp_path / name).stat() for name in ALL}
    group = SinkGroup([*sinks(tmp_path), PictureSink(tmp_path / "last.png")])
    fill(group)
    (tmp_path / "last.png").mkdir()
    with pytest.raises(OutputError, match=r"last\.png: it is a folder"):
        group.commit()
    assert names(tmp_path) == sorted([*ALL, "last.png"])
    assert {name: (tmp_path / name).stat().st_ino for name in ALL} == {n: s.st_ino for n, s in before.items()}


def test_one_that_cannot_be_opened_leaves_no_partial_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    group = SinkGroup([*sinks(tmp_path), PictureSink(tmp_path / "gone" / "a.png")])
    (tmp_path / "gone").rmdir()
    with pytest.raises(OutputError, match="its folder does not exist"), group:
        pass
    assert names(tmp_path) == []


def test_abort_in_the_block_is_final(tmp_path: Path) -> None:
    with SinkGroup(sinks(tmp_path)) as group:
        fill(group)
        group.abort()
    assert names(tmp_path) == []


def test_two_outputs_with_one_path_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="two outputs have the same path"):
        SinkGroup([PictureSink(tmp_path / "a.png"), PictureSink("a.png")])


def test_memory_sinks_can_take_part(tmp_path: Path) -> None:
    memory = MemorySink()
    with SinkGroup([memory, PictureSink(tmp_path / "a.png")]) as group:
        fill(group)
    assert len(memory.images) == 1


def test_an_interrupt_while_results_are_placed_comes_too_late(tmp_path):
    class Slow(PictureSink):
        def _place(self) -> None:
            signal.raise_signal(signal.SIGINT)
            super()._place()

    before = signal.getsignal(signal.SIGINT)
    sinks = [Slow(tmp_path / "a.png"), Slow(tmp_path / "b.png")]
    with SinkGroup(sinks):
        for sink in sinks:
            sink.write(np.zeros((4, 4), np.uint8), Fraction(0))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]
    assert signal.getsignal(signal.SIGINT) is before
