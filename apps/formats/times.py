"""Odd time stamps."""

from __future__ import annotations

from fractions import Fraction

from formats import damage
from formats.recipe import Recipe, Stamps

STAMPED = (("matroska", "ffv1"), ("mov", "mjpeg"), ("mp4", "libx264"), ("nut", "huffyuv"), ("webm", "libvpx"))

ODD: dict[str, Stamps] = {
    "in part negative": lambda index: 40 * (index - 3),
    "a day late": lambda index: 86_400_000 + 40 * index,
    "26 hours late": lambda index: 93_600_000 + 40 * index,
    "all the same": lambda index: 0,
    "in pairs": lambda index: 80 * (index // 2),
    "going back": lambda index: 40 * (index % 4),
    "backwards": lambda index: 400 - 40 * index,
    "variable": lambda index: index**3,
    "a gap of a month": lambda index: 40 * index + 2_592_000_000 * (index > 4),
    "a gap of a year": lambda index: 40 * index + 31_536_000_000 * (index > 4),
    "an hour apart": lambda index: 3_600_000 * index,
}
SEPARATED = {"all the same", "going back", "a gap of a year", "a day late"}
BASES = (Fraction(1, 2**31 - 1), Fraction(1, 1), Fraction(1, 10**9), Fraction(1001, 24_000), Fraction(3, 7))
RATES = (
    Fraction(1, 100),
    Fraction(1),
    Fraction(30_000, 1001),
    Fraction(1000),
    Fraction(100_000),
    Fraction(1, 5000),
)
RAW = ("h264", "hevc", "m4v", "mjpeg", "mpeg2video", "obu", "dirac", "h261", "h263")
JOINED = (
    ("mpegts", "mpeg2video"),
    ("mpeg", "mpeg1video"),
    ("flv", "flv"),
    ("nut", "ffv1"),
    ("matroska", "mjpeg"),
)


def all_of_them() -> list[Recipe]:
    """Return files whose times are missing, late, repeated, going back, or far apart."""
    return [*_stamped(), *_based(), *_rated(), *_single(), *_joined()]


def _stamped() -> list[Recipe]:
    return [
        Recipe("time", *pair, note, stamps=stamps, separate=pair == STAMPED[0] and note in SEPARATED)
        for pair in STAMPED
        for note, stamps in ODD.items()
    ]


def _based() -> list[Recipe]:
    return [
        Recipe("time", *pair, f"ticks of {base} s", time_base=base, stamps=lambda index: 3 * index)
        for pair in STAMPED
        for base in BASES
    ]


def _rated() -> list[Recipe]:
    pairs = (*STAMPED, ("avi", "mjpeg"), ("gif", "gif"), ("flv", "flv"), ("yuv4mpegpipe", "wrapped_avframe"))
    return [Recipe("time", *pair, f"{rate} frames/s", rate=rate) for pair in pairs for rate in RATES]


def _single() -> list[Recipe]:
    pairs = (
        *STAMPED,
        ("avi", "mjpeg"),
        ("gif", "gif"),
        ("mpegts", "mpeg2video"),
        ("asf", "wmv2"),
        ("apng", "apng"),
    )
    return [Recipe("time", *pair, "one frame", frames=1, separate=pair == STAMPED[2]) for pair in pairs]


def _joined() -> list[Recipe]:
    return [
        Recipe("time", *pair, "two recordings, one after the other", change=damage.twice, separate=True)
        for pair in JOINED
    ]
