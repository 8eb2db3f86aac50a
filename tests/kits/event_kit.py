"""Objects that go where a test says, and the masks that show them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgsub.events.objects import Object
from bgsub.events.row import Moment, Row
from bgsub.events.tracker import Tracker
from bgsub.events.watch import Watch

SHAPE = (120, 200)
RATE = 25
Box = tuple[int, int, int, int]


def thing(box: Box, colour: float = 100.0) -> Object:
    """A full rectangle."""
    x, y, width, height = box
    middle = x + (width - 1) / 2, y + (height - 1) / 2
    return Object(box, width * height, middle, 50.0, (colour,) * 3, np.full((height, width), 255, np.uint8))


def moment(index: int, rate: int = RATE, name: str = "") -> Moment:
    return Moment(index, index + 1, Fraction(index, rate), name)


def follow(
    frames: Sequence[Sequence[Object]], rate: int = RATE, *, counted: bool = True
) -> list[dict[int, Box]]:
    """The box by index of track in each frame; with *counted*, tracks count from their third sighting on."""
    tracker, found = Tracker(SHAPE), []
    for index, objects in enumerate(frames):
        sightings = tracker(list(objects), index / rate, 1 / rate)
        for each in sightings:
            if counted and each.track.sightings > 2:
                each.track.number = each.track.index + 1
        found.append({each.track.index: each.found.box for each in sightings})
    return found


def mask_of(boxes: Sequence[Box], shape: tuple[int, int] = SHAPE) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    for x, y, width, height in boxes:
        mask[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = 255
    return mask


def watched(
    frames: Sequence[Sequence[Box]], shortest: Fraction = Fraction(1, 5), rate: int = RATE
) -> list[tuple[Moment, list[Row]]]:
    """The rows of masks that show these boxes."""
    watch = Watch(SHAPE, shortest)
    for index, boxes in enumerate(frames):
        mask = mask_of(boxes)
        watch(moment(index, rate), (mask, mask // 4, mask), Fraction(1, rate))
    rows = list(watch.rows())
    watch.close()
    return rows
