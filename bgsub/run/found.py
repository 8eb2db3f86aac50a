"""From the masks of a run to what has been found in them: tracks, events, and the files that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.model import BackgroundModel
from bgsub.background.separated import Separated
from bgsub.base.publish import Publication
from bgsub.errors import OptionError
from bgsub.events.clock import time_of_day, timecode
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.events.watch import Watch
from bgsub.events.zones import Zone
from bgsub.exports.export import Scene, SegmentFactors
from bgsub.exports.table import EXPORTS
from bgsub.frames.grid import Grid
from bgsub.frames.read.timing import DEFAULT_RATE
from bgsub.frames.region import mask_of
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame, Image
from bgsub.options.areas import parse_zone
from bgsub.options.table import Options
from bgsub.run.outputs import encoding_of

COLUMNS = [
    ("frame", "i8"),
    ("time", "f8"),
    ("track", "i4"),
    *((name, "i4") for name in ("x", "y", "w", "h")),
    ("cx", "f8"),
    ("cy", "f8"),
    ("area", "i8"),
]
"""Of the table of tracks in memory, as in ``tracks.csv``."""


@dataclass
class Findings:
    """Takes in a run's masks; in the end writes the exports.

    Attributes
    ----------
    selection, grid, options
        What is read, how, and what is asked for.
    log
        What has been found: complete after :meth:`finish`.
    rows
        The table of tracks (see COLUMNS) after :meth:`finish` without a folder.
    """

    selection: Selection
    grid: Grid
    options: Options
    log: Log = field(init=False)
    rows: NDArray[Any] = field(init=False)

    def __post_init__(self) -> None:
        shape, info = self.grid.frame_shape, self.selection.source.info
        size = info.width, info.height
        zones = [
            Zone(name, mask_of(str(area), size, shape, "zone", self.options.max_pixels))
            for name, area in map(parse_zone, self.options.zone or ())
        ]
        self.log = Log(self.options.merge_gap, self.options.min_event, zones, self._recorded)
        self.rows = np.empty(0, COLUMNS)
        self._watch = Watch(shape, self.options.min_event)
        self._rate = self.selection.rate or DEFAULT_RATE / self.options.every
        self._count = 0
        self._factors: list[SegmentFactors] = []

    @property
    def _recorded(self) -> datetime | None:
        return self.selection.source.info.recorded

    def take_in(self, frame: Frame, parts: Separated) -> tuple[tuple[int, tuple[int, int, int, int]], ...]:
        """Take in a separated frame; return the tracks in sight: number and box ``(x, y, width, height)``.

        Raises
        ------
        OutputError
            If the disk of the temporary folder is full.
        """
        moment = Moment(self._count, frame.number, frame.time, frame.name)
        self._count += 1
        if self._factors:
            self._factors[-1].numbers.append(frame.number)
            self._factors[-1].coefficients.append(parts.coefficients)
        seen = self._watch(moment, (parts.mask, parts.score, parts.image), 1 / self._rate)
        return tuple((each.track.number, each.found.box) for each in seen)

    def caption(self, frame: Frame) -> str:
        """Return what to write into the overlay of a frame: its time, if that is asked for."""
        if "time" not in (self.options.burn or ()):
            return ""
        if (recorded := self._recorded) is None:
            return timecode(frame.time)
        return time_of_day(frame.time, recorded).strftime("%Y-%m-%d %H:%M:%S")

    def begin_segment(self, model: BackgroundModel) -> None:
        """Take in that the next frames are held against *model*."""
        if "factors" not in self.options.outputs:
            return
        shape = (*self.grid.shape, 3) if self.grid.channels == 3 else self.grid.shape
        components = np.ascontiguousarray(model.components.T).reshape(model.rank, *shape)
        self._factors.append(SegmentFactors(model.offset.reshape(shape), components))

    def finish(
        self, folder: Path | None, files: Publication, plate: Callable[[], Image], overlay: Path | None
    ) -> None:
        """Sum up, and write the exports into *folder*; without one, only the table of tracks.

        *plate* returns the empty scene, and *overlay* is where the finished overlay is by now, if there is one.

        Raises
        ------
        OutputError
            If one cannot be written.
        """
        names = [name for name in dict.fromkeys(self.options.outputs) if name in EXPORTS and folder]
        scene = Scene(
            self.selection.source.info.name,
            getattr(self.selection.source, "file_names", {}),
            self.grid.frame_shape,
            self._rate,
            self._recorded,
            self.options.pad,
            plate,
            self._frames,
            overlay,
            encoding_of(self.options),
            self._factors,
            folder or Path(),
            files,
        )
        exports = [EXPORTS[name][1](scene, EXPORTS[name][0]) for name in names]
        table: list[tuple[Any, ...]] = []
        for moment, rows in self._watch.rows():
            self.log.add(moment, rows)
            for export in exports:
                export.add(moment, rows)
            if folder is None:
                table += [_entry(moment, row) for row in rows]
        for export in exports:
            export.finish(self.log)
        self.rows = np.array(table, COLUMNS)

    def close(self) -> None:
        """Delete what is kept on disk."""
        self._watch.close()

    def _frames(self) -> Iterator[Frame]:
        for frame in self.selection:
            yield Frame(frame.index, frame.number, frame.time, self.grid.resample(frame.image), frame.name)


def refuse_without_folder(names: tuple[str, ...]) -> None:
    """Raise :class:`OptionError` if one of the outputs is a file in any case, and there is no folder for it."""
    for name in names:
        if name in EXPORTS and name not in ("events", "tracks"):
            raise OptionError(f"--outputs {name} is written to files only; give a folder for the results")


def _entry(moment: Moment, row: Row) -> tuple[Any, ...]:
    found = row.found
    return (moment.number, float(moment.time), row.track, *found.box, *found.centre, found.area)
