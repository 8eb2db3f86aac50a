"""What videos for people can be encoded with. Plain data: judged before any footage is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bgsub.errors import OptionError

X26 = ("ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow")
BT601 = (1, 6, 1, 1)
"""Limited range, BT.601 matrix, BT.709 primaries and transfer, as numbered in ISO/IEC 23091-2."""


@dataclass(frozen=True, slots=True)
class Codec:
    """One way to encode video.

    Attributes
    ----------
    encoder, container, pixel_format
        FFmpeg's names.
    suffix
        Of the files.
    crf, worst
        Usual and largest constant rate factor; None for a codec that has none.
    presets, preset, key
        Speed presets, the usual one, and FFmpeg's name for the option; empty for a codec that has none.
    options
        Further options of the encoder.
    tag
        Four letters by which players know the codec in its container; empty for the container's own choice.
    ticks
        Ticks a second of the container, if it has no choice; else 0.
    planes, given
        Whether frames are given in the pixel format (4:2:0, BT.601); else FFmpeg converts them from this layout.
    even
        Whether both sides of the picture must be even.
    """

    encoder: str
    container: str
    suffix: str
    pixel_format: str
    crf: float | None = None
    worst: float | None = None
    presets: tuple[str, ...] = ()
    preset: str = ""
    key: str = "preset"
    options: Mapping[str, str] = field(default_factory=dict)
    tag: str = ""
    ticks: int = 0
    planes: bool = True
    given: str = "rgb24"
    even: bool = True


CODECS: dict[str, Codec] = {
    # x264 omits the look-ahead from its fastest presets, but on a still background it saves a sixth of the space; this
    # preset takes 0.64 of the time of veryfast for 1.1 times the space (768 × 576 surveillance footage).
    "h264": Codec("libx264", "mp4", ".mp4", "yuv420p", 20, 51, X26, "superfast"),
    # Of a clip shorter than its run of B-frames, x265 gives FFmpeg decoding times that no file can hold.
    "hevc": Codec(
        *("libx265", "mp4", ".mp4", "yuv420p", 24, 51, X26, "superfast"),
        options={"x265-params": "log-level=none:bframes=0"},
        tag="hvc1",
    ),
    "vp9": Codec(
        *("libvpx-vp9", "webm", ".webm", "yuv420p", 30, 63, tuple("012345678"), "8", "cpu-used"),
        options={"deadline": "realtime", "row-mt": "1", "b": "0"},
        ticks=1000,
    ),
    "av1": Codec("libsvtav1", "mp4", ".mp4", "yuv420p", 32, 63, tuple(map(str, range(14))), "10"),
    "ffv1": Codec(
        *("ffv1", "matroska", ".mkv", "bgr0"),
        options={"level": "3", "slicecrc": "1", "g": "1"},
        ticks=1000,
        planes=False,
        even=False,
    ),
    "prores": Codec(
        *("prores_ks", "mov", ".mov", "yuv422p10le"), options={"profile": "standard"}, planes=False
    ),
}
CUTOUT = Codec(
    *("libvpx-vp9", "webm", ".webm", "yuva420p", 24, 63, CODECS["vp9"].presets, "8", "cpu-used"),
    # VP9 allows no alpha with frames that are shown later ("alternative references").
    options={**CODECS["vp9"].options, "auto-alt-ref": "0"},
    ticks=1000,
    planes=False,
    given="rgba",
)
"""Of what has an alpha channel; nobody chooses it by name."""
OTHER_NAMES = {
    **dict.fromkeys(("x264", "libx264", "avc"), "it is called h264 here"),
    **dict.fromkeys(("h265", "x265", "libx265"), "it is called hevc here"),
    **dict.fromkeys(("svtav1", "libsvtav1", "libaom-av1"), "it is called av1 here"),
    "libvpx-vp9": "it is called vp9 here",
}
"""Names under which people know these codecs."""
LOOKAHEAD = {"x264-params": "mbtree=1:rc-lookahead=10"}
"""Goes with the usual preset of x264."""


def check_codec(codec: str, crf: float | None, preset: str | None) -> None:
    """Raise OptionError if a codec does not take this constant rate factor or preset."""
    known = CODECS[codec]
    if crf is not None:
        if known.worst is None:
            raise OptionError(f"--crf does nothing for {codec}, which has one quality: leave it out")
        if not 0 <= crf <= known.worst:
            raise OptionError(f"--crf is {crf:g}, but must be ≥ 0, ≤ {known.worst:g} for {codec}")
    if preset is not None and preset not in known.presets:
        if not known.presets:
            raise OptionError(f"--preset does nothing for {codec}, which has none: leave it out")
        raise OptionError(f"--preset {preset}: {codec} has {', '.join(known.presets)}")
