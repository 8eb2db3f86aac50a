"""What is known of a track in a frame."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bgsub.events.objects import Object


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame of the footage.

    Attributes
    ----------
    index
        Position in the output, from 0.
    number
        The frame's own number (see :class:`bgsub.frames.source.Frame`).
    time
        Seconds.
    name
        Name of the frame's own file, without its ending; empty where there is none.
    """

    index: int
    number: int
    time: Fraction
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A track in a frame: its number, from 1, and what is seen of it."""

    track: int
    found: Object
