"""How one file is made: a row of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Stamps = Callable[[int], int]
"""From the number of a frame, from 0, to its time stamp in ticks."""

Companion = Callable[[Any], Callable[[], None]]
"""Adds a stream to an open container, and returns what writes its packets."""

Packets = Callable[[bytes, int], bytes]
"""What becomes of the bytes of a packet, given its number, from 0."""

Bytes = Callable[[bytes], bytes]
"""What becomes of the bytes of a finished file."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One file.

    Attributes
    ----------
    group
        What it is about: ``"codec"``, ``"pixels"``, ``"size"``, ``"time"``, …
    container, codec
        FFmpeg's names of the muxer and the encoder.
    note
        What is odd about it, in words.
    suffix
        Of the file's name, with its dot; by default the muxer's.
    pixel_format
        By default the encoder's first.
    size
        Width and height; None for 64 × 48, or where the encoder refuses that, the first size that it takes.
    frames, rate
        Their number, and how many there are a second.
    stamps, time_base
        When they are shown, in ticks of *time_base* seconds; by default one after the other at *rate*.
    turn
        Degrees counterclockwise, and whether the picture is mirrored, for the display matrix.
    before, after
        Streams that are added before the video, and after it.
    tags
        The container's metadata.
    options, muxer
        Of the encoder and of the muxer.
    packets, change
        What becomes of each encoded packet, and of the finished file.
    separate
        Whether ``bgsub separate`` is tried on it, too.
    """

    group: str
    container: str
    codec: str
    note: str = ""
    suffix: str = ""
    pixel_format: str = ""
    size: tuple[int, int] | None = None
    frames: int = 8
    rate: Fraction = Fraction(25)
    stamps: Stamps | None = None
    time_base: Fraction | None = None
    turn: tuple[int, bool] | None = None
    before: tuple[Companion, ...] = ()
    after: tuple[Companion, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    muxer: Mapping[str, str] = field(default_factory=dict)
    packets: Packets | None = None
    change: Bytes | None = None
    separate: bool = False
