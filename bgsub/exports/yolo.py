"""Labels as YOLO reads them: a text file a frame, a line a box, relative to the picture."""

from __future__ import annotations

from collections.abc import Sequence

from bgsub.base.write_errors import writing
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene


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
        with writing(self._path):
            (self._at / f"{moment.name or f'{moment.number:06d}'}.txt").write_text("".join(lines), "utf-8")

    def finish(self, log: Log) -> None:
        """Write the name of the class."""
        with writing(self._path):
            (self._at / "classes.txt").write_text("moving\n", "utf-8")
