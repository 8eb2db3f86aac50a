"""What encoders and muxers want before they write anything."""

from __future__ import annotations

from typing import Any

_D10 = {
    **dict.fromkeys(("b", "minrate", "maxrate"), "50000000"),
    **dict.fromkeys(("bufsize", "rc_init_occupancy"), "2000000"),
    **dict.fromkeys(("g", "non_linear_quant", "intra_vlc", "ps", "qmin"), "1"),
    "qmax": "12",
    "flags": "+ildct+low_delay",
}
"""Sony's IMX: whole pictures in 50 Mbit/s."""

_WANTS: dict[tuple[str, str], dict[str, Any]] = {
    ("", "dnxhd"): {"options": {"profile": "dnxhr_lb"}, "size": (256, 128)},
    ("mxf_d10", "mpeg2video"): {
        "options": _D10,
        "pixel_format": "yuv422p",
        "size": (720, 576),
    },
    ("filmstrip", "rawvideo"): {"pixel_format": "rgba"},
    ("image2", ""): {"muxer": {"update": "1"}},  # one file, not a numbered one for each frame
}


def wants_of(muxer: str, codec: str) -> dict[str, Any]:
    """Return the fields of a recipe that this pair needs."""
    rows = [(muxer, codec), ("", codec), (muxer, "")]
    return {name: value for row in rows for name, value in _WANTS.get(row, {}).items()}
