"""What this FFmpeg can write: muxers that take video, encoders, and which of them go together."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

import av
from av.format import ContainerFormat, formats_available

HARDWARE = re.compile(
    "_(amf|nvenc|qsv|v4l2m2m|vaapi|videotoolbox|mf|vulkan|d3d12va|mediacodec|omx|rkmpp|cuvid)$"
)
"""Encoders that need a device."""

NO_FILE = {
    *("rtp", "rtsp", "rtp_mpegts", "sap", "srt", "whip"),  # to a network
    *("alsa", "fbdev", "oss", "video4linux2,v4l2", "sdl,sdl2", "opengl", "xv", "pulse", "caca", "decklink"),
    *("tee", "null", "fifo", "segment", "stream_segment,ssegment"),  # to other muxers, or nowhere
    *("webm_dash_manifest", "webm_chunk"),  # parts of what "dash" writes
}
"""Muxers that write no file, or none that could be named as an input."""

HOMES = ("nut", "matroska", "mov", "avi", "image2pipe", "swf", "roq", "yuv4mpegpipe", "fits", "a64", "amv")
"""Where a codec is tried for its own sake: the first of these that takes it."""


@cache
def encoders() -> tuple[str, ...]:
    """Return the names of all video encoders that need no device, each once."""
    return tuple(
        name for name in sorted(av.codecs_available) if _is_encoder(name) and not HARDWARE.search(name)
    )


def _is_encoder(name: str) -> bool:
    try:
        codec = av.Codec(name, "w")
    except ValueError:
        return False
    # "hevc" is another name for the encoder libx265, say.
    return codec.type == "video" and codec.name == name


@cache
def muxers() -> dict[str, tuple[str, ...]]:
    """Return the muxers that take video, each with the encoders that it takes."""
    found = {name: _taken(name) for name in sorted(formats_available - NO_FILE) if _is_muxer(name)}
    return {name: taken for name, taken in found.items() if taken}


def _is_muxer(name: str) -> bool:
    try:
        ContainerFormat(name, "w")
    except ValueError:
        return False
    return True


def _taken(muxer: str) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            with av.open(str(Path(folder) / "x"), "w", format=muxer) as container:
                takes = container.supported_codecs
        except (av.FFmpegError, ValueError):
            return ()
    return tuple(name for name in encoders() if {name, av.Codec(name, "w").canonical_name} & takes)


def home_of(encoder: str) -> str:
    """Return a muxer for an encoder; empty where none takes it."""
    takers = [name for name, taken in muxers().items() if encoder in taken]
    return next((name for name in (*HOMES, *takers) if name in takers), "")


def pixel_formats(encoder: str) -> list[str]:
    """Return the pixel formats that an encoder takes, as far as it says; not those of devices."""
    offered = av.Codec(encoder, "w").video_formats or []
    return [each.name for each in offered if each.name not in {"amf", "cuda", "qsv", "vaapi", "vulkan"}]


def suffix_of(muxer: str) -> str:
    """Return the suffix, with its dot, of the files of a muxer."""
    common = {"matroska": "mkv", "mpegts": "ts", "asf": "wmv", "image2": "video", "ipod": "m4v", "rm": "rm"}
    offered = sorted(ContainerFormat(muxer, "w").extensions)
    return "." + common.get(muxer, offered[0].strip() if offered else re.sub("[^a-z0-9]", "_", muxer))
