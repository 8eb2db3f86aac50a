"""Labels as YOLO reads them: a text file a frame, a line a box, relative to the picture."""

from __future__ import annotations

from collections.abc import Sequence

from bgsub.base.safe_name import stem_of
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene

CLASSES = "classes"
"""The file of classes, which no frame may be called."""


class Yolo:
    """``yolo/``: ``class cx cy w h``, shares of the picture's sides; one class, 0, named in ``classes.txt``.

    A frame without a track has an empty file: that nothing is there is something to learn, too.
    """

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name
        self._at = scene.files.make(self._path, is_folder=True)

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Write the file of a frame."""
        height, width = self._scene.shape
        lines = []
        for row in rows:
            x, y, across, down = row.found.box
            box = (x + across / 2) / width, (y + down / 2) / height, across / width, down / height
            lines.append("0 " + " ".join(f"{side:.6f}" for side in box) + "\n")
        place = self._at / f"{stem_of(moment.name, moment.number, taken=[CLASSES])}.txt"
        with writing(self._path):
            if place.exists():
                raise OutputError(f"cannot write {self._path}: there are two frames called {place.stem}")
            place.write_text("".join(lines), "utf-8")

    def finish(self, log: Log) -> None:
        """Write the name of the class."""
        with writing(self._path):
            (self._at / f"{CLASSES}.txt").write_text("moving\n", "utf-8")
