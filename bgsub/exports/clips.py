"""A video of each event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction

from bgsub.events.event import Event
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene
from bgsub.frames.read.video import VideoSource
from bgsub.frames.source import Frame
from bgsub.render.sinks.video import VideoSink


class Clips:
    """``clips/001.mp4`` and so on: the overlay if it is written, else the footage, from *pad* before to *pad* after."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name
        self._at = scene.files.make(self._path, is_folder=True)

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Nothing: the log has it."""

    def finish(self, log: Log) -> None:
        """Read overlay or footage once more, and write the clips; those of events that lie close overlap."""
        waiting = list(enumerate(log.events, 1))
        running: list[tuple[Event, Fraction, VideoSink]] = []
        with ExitStack() as stack:
            for frame in self._frames() if waiting else ():
                while waiting and frame.time >= waiting[0][1].first.time - self._scene.pad:
                    number, event = waiting.pop(0)
                    name = f"{number:03d}{self._scene.encoding.known.suffix}"
                    sink = VideoSink(self._at / name, fps=self._scene.rate, encoding=self._scene.encoding)
                    running.append((event, frame.time, stack.enter_context(sink)))
                for entry in list(running):
                    self._write(entry, frame, running)
                if not waiting and not running:
                    break

    def _write(
        self,
        entry: tuple[Event, Fraction, VideoSink],
        frame: Frame,
        running: list[tuple[Event, Fraction, VideoSink]],
    ) -> None:
        event, began, sink = entry
        if frame.time <= event.last.time + self._scene.pad:
            sink.write(frame.image, frame.time - began)
            return
        sink.close()
        running.remove(entry)

    def _frames(self) -> Iterator[Frame]:
        if self._scene.overlay is None:
            return self._scene.frames()
        return iter(VideoSource(self._scene.overlay))
