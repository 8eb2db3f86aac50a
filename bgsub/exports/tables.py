"""Text with a line for each track in each frame: our own CSV, and the format of the MOT challenge."""

from __future__ import annotations

from collections.abc import Sequence

from bgsub.base.write_errors import writing
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene

COLUMNS = "frame,time,track,x,y,w,h,cx,cy,area"


class _Lines:
    """A text file, written line by line."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._path = scene.folder / name
        self._at = scene.files.make(self._path)
        with writing(self._path):
            self._file = self._at.open("w", encoding="utf-8", newline="")

    def _write(self, line: str) -> None:
        with writing(self._path):
            self._file.write(line + "\n")

    def finish(self, log: Log) -> None:
        """Close the file."""
        with writing(self._path):
            self._file.close()


class Tracks(_Lines):
    """``tracks.csv``: the frame's number, its time in seconds, track, box, centroid (pixels), area."""

    def __init__(self, scene: Scene, name: str) -> None:
        super().__init__(scene, name)
        self._write(COLUMNS)

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Write a line for each row."""
        for row in rows:
            found = row.found
            box, (across, down) = ",".join(map(str, found.box)), found.centre
            self._write(
                f"{moment.number},{float(moment.time):.6f},{row.track},{box},{across:.2f},{down:.2f},{found.area}"
            )


class Mot(_Lines):
    """``mot.txt``: frame, track, left, top, width, height, confidence 1, and −1 for the place in the world.

    Frames are counted from 1 and pixels from 1, as the MOT challenge does (Milan et al. 2016, arXiv:1603.00831).
    """

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Write a line for each row."""
        for row in rows:
            x, y, width, height = row.found.box
            self._write(f"{moment.index + 1},{row.track},{x + 1},{y + 1},{width},{height},1,-1,-1,-1")


class EventsFile:
    """``events.json``: see :meth:`.Log.to_dict`."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Nothing: the log has it."""

    def finish(self, log: Log) -> None:
        """Write the log."""
        self._scene.files.write(self._path, as_json(self._scene, log))


def as_json(scene: Scene, log: Log) -> str:
    """Return ``events.json`` as text."""
    import json

    height, width = scene.shape
    content = log.to_dict()
    head = {
        "schema": content.pop("schema"),
        "input": scene.name,
        "picture": {"width": width, "height": height},
    }
    return json.dumps({**head, **content}, indent=2, ensure_ascii=False) + "\n"
