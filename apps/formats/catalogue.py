"""All files that are tried."""

from __future__ import annotations

from functools import cache

from formats import oddities, streams, times
from formats.known import encoders, home_of, muxers, pixel_formats
from formats.recipe import Recipe
from formats.wants import wants_of

SEPARATED = {
    "avi",
    "matroska",
    "mov",
    "mp4",
    "mpegts",
    "webm",
    "flv",
    "asf",
    "ogv",
    "mxf",
    "3gp",
    "gif",
    "mpeg",
}
LOOKED_AT = {"gray", "gray10le", "yuv444p10le", "gbrp16le", "yuva420p"}


@cache
def catalogue() -> tuple[Recipe, ...]:
    """Return every recipe; the same in every process."""
    return (
        *_pairs(),
        *_pixels(),
        *oddities.sizes(),
        *times.all_of_them(),
        *streams.companions(),
        *streams.turned(),
        *streams.side_data(),
        *oddities.pictures(),
        *oddities.damaged(),
    )


def _pairs() -> list[Recipe]:
    pairs = [(muxer, codec) for muxer, taken in muxers().items() for codec in taken]
    return [Recipe("codec", *pair, **wants_of(*pair), separate=_is_first(*pair)) for pair in pairs]


def _is_first(muxer: str, codec: str) -> bool:
    return muxer in SEPARATED and codec == muxers()[muxer][0]


def _pixels() -> list[Recipe]:
    offered = {codec: pixel_formats(codec) for codec in encoders() if home_of(codec)}
    offered["rawvideo"] = sorted({name for names in offered.values() for name in names})
    return [
        Recipe(
            **(wants_of(home_of(codec), codec) | {"pixel_format": name}),
            group="pixels",
            container=home_of(codec),
            codec=codec,
            frames=6,
            separate=codec == "ffv1" and name in LOOKED_AT,
        )
        for codec, names in offered.items()
        for name in (names if codec == "rawvideo" else names[1:])
    ]
