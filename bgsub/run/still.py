"""One picture of footage, with its coordinates and the regions that options name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bgsub.errors import OptionError
from bgsub.frames.region import mask_of
from bgsub.frames.select import Selection
from bgsub.frames.source import Frame, FrameSource, Image
from bgsub.options.areas import parse_zone
from bgsub.options.position import Position
from bgsub.options.table import Options
from bgsub.render.layer import Colour
from bgsub.render.ruler import Ruled
from bgsub.run.given import fit_whole
from bgsub.run.progress import Progress, counted
from bgsub.run.reading import at

ROI: Colour = (140, 255, 90)
EXCLUDE: Colour = (255, 90, 90)
ZONE: Colour = (255, 240, 0)
MIDDLE = Position(share=Fraction(1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A picture and what it shows, in words."""

    picture: Image
    about: str


def frame_of(
    source: FrameSource, options: Options, place: Position | None, is_background: bool, progress: Progress
) -> Still:
    """Return a frame of *source*, or its empty scene, with coordinates and with the regions of *options*.

    Parameters
    ----------
    source, options
        Footage, and ``roi``, ``exclude`` and ``zone``.
    place
        Which frame; None takes the middle, or the first one where the length is not known.
    is_background
        Whether to fit the empty scene of all of the footage instead.
    progress
        Is told of each frame that is read.

    Raises
    ------
    OptionError
        There is no frame at *place*, or a region does not fit the picture.
    InputError
        The footage cannot be decoded.
    """
    height, width = source.info.height, source.info.width
    areas = list(_areas(options, (width, height)))  # before reading what may be long
    size = f"{width} × {height} pixels"
    if is_background:
        picture, about = _scene(source, options), f"empty scene, {size}"
    else:
        frame = _found(source, place, progress)
        picture, about = frame.image, f"frame {frame.index} ({float(frame.time):.2f} s), {size}"
    ruled = Ruled(picture)
    ruled.rule()
    for inside, name, colour in areas:
        ruled.outline(inside, name, colour)
    return Still(ruled.drawn, about)


def _scene(source: FrameSource, options: Options) -> Image:
    return fit_whole(source, replace(options, roi=None, exclude=None, scale=1, background=None)).plate()


def _found(source: FrameSource, place: Position | None, progress: Progress) -> Frame:
    wanted = _wanted(source, place)
    progress.begin("reading", None)
    first = last = None
    for frame in counted(Selection(source), progress):
        first, last = first or frame, frame
        if wanted is not None and _is_reached(wanted, frame, first):
            return frame
    assert last is not None, "sources without a frame raise"
    if place is not None and place.share != 1:
        raise OptionError(
            f"--at {place}: {source.info.name} has {last.index + 1} frames, {float(last.time):.2f} s"
        )
    return last


def _wanted(source: FrameSource, place: Position | None) -> Position | None:
    """Return the place as a frame or a time, or None for the last frame."""
    if place is not None:
        return None if place.share == 1 else at(place, source.info, "--at")
    try:
        return at(MIDDLE, source.info, "--at")
    except OptionError:
        return Position(frame=0)


def _is_reached(place: Position, frame: Frame, first: Frame) -> bool:
    if place.frame is not None:
        return frame.index >= place.frame
    return frame.time - first.time >= (place.seconds or 0)


def _areas(options: Options, size: tuple[int, int]) -> Iterator[tuple[NDArray[np.bool_], str, Colour]]:
    """Yield the mask of each region in pixels of the picture, its name and its colour."""
    shape = size[::-1]
    for text in options.roi or ():
        yield mask_of(text, size, shape, "region"), "roi", ROI
    for text in options.exclude or ():
        yield mask_of(text, size, shape, "excluded region"), "exclude", EXCLUDE
    for zone in options.zone or ():
        name, area = parse_zone(zone)
        yield mask_of(str(area), size, shape, f"zone {name}"), name, ZONE
