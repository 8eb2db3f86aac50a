"""A picture of each event: its fullest frame, by itself or on one sheet with the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from bgsub.base.plural import count_of
from bgsub.base.write_errors import writing
from bgsub.events.clock import span
from bgsub.events.event import Event
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene
from bgsub.frames.source import Image
from bgsub.render.boxes import draw_box
from bgsub.render.layer import as_color
from bgsub.render.sinks.picture import encode_png

FRAMED = (255, 240, 0)
COLUMNS = 5
"""Of the sheet."""
WIDE = 256
"""Pixels: width of a picture on the sheet."""
CAPTION = 26
MARGIN = 6
MOST = 500
"""Pictures on the sheet; what comes later is only counted."""


class Stills:
    """``stills/001.png`` and so on: the frame of each event in which most moves, with a box around it all."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name
        self._at = scene.files.make(self._path, is_folder=True)

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Nothing: the log has it."""

    def finish(self, log: Log) -> None:
        """Read the footage once more, and write the frames."""
        for number, _, picture in _peaks(self._scene, log.events):
            name = f"{number:03d}.png"
            with writing(self._path):
                (self._at / name).write_bytes(encode_png(picture, f"{self._path}/{name}"))


class Sheet:
    """``sheet.png``: the same in rows, small, each with its number, its time and its objects."""

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Nothing: the log has it."""

    def finish(self, log: Log) -> None:
        """Read the footage once more, and draw the sheet."""
        shown = log.events[:MOST]
        tiles = [_tile(number, event, picture) for number, event, picture in _peaks(self._scene, shown)]
        sheet = _laid_out(tiles, log)
        self._scene.files.write(self._path, encode_png(sheet, str(self._path)))


def _peaks(scene: Scene, events: Sequence[Event]) -> Iterator[tuple[int, Event, Image]]:
    """Yield number, event and framed picture of each event in order; peaks are in the order of time, as events are."""
    if not events:
        return
    wanted = iter(enumerate(events, 1))
    number, event = next(wanted)
    for index, frame in enumerate(scene.frames()):
        if index < event.peak.index:
            continue
        picture = np.array(as_color(frame.image))
        draw_box(picture, event.box, FRAMED)
        yield number, event, picture
        if (following := next(wanted, None)) is None:
            return
        number, event = following


def _tile(number: int, event: Event, picture: Image) -> Image:
    height = max(round(picture.shape[0] * WIDE / picture.shape[1]), 1)
    small = cv2.resize(picture, (WIDE, height), interpolation=cv2.INTER_AREA)
    tile = np.zeros((height + CAPTION, WIDE, 3), np.uint8)
    tile[:height] = small
    when, objects = span(event.first.time, event.last.time), count_of(len(event.tracks), "object")
    # Hershey's letters have no dash.
    when = f"{number}  {when.replace('–', '-')}  {objects}"
    _caption(tile, when, (4, height + 18))
    return tile


def _laid_out(tiles: list[Image], log: Log) -> Image:
    across = min(COLUMNS, max(len(tiles), 1))
    high = (tiles[0].shape[0] if tiles else 0) + MARGIN
    rows = -(-len(tiles) // across)
    sheet = np.full((CAPTION + rows * high + MARGIN, across * (WIDE + MARGIN) + MARGIN, 3), 28, np.uint8)
    more = f", the first {len(tiles)} shown" if len(log.events) > len(tiles) else ""
    _caption(sheet, f"{count_of(len(log.events), 'event')}{more}", (MARGIN, 18))
    for place, tile in enumerate(tiles):
        y, x = CAPTION + place // across * high, MARGIN + place % across * (WIDE + MARGIN)
        sheet[y : y + tile.shape[0], x : x + WIDE] = tile
    return sheet


def _caption(picture: Image, text: str, place: tuple[int, int]) -> None:
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (235, 235, 235), 1, cv2.LINE_AA)
