"""Odd sizes, pictures in the place of videos, and damaged files."""

from __future__ import annotations

from formats import damage
from formats.recipe import Recipe

SIZES = ((1, 1), (2, 2), (3, 5), (17, 33), (2, 1000), (4096, 2))
SIZED = (
    *(("matroska", "ffv1"), ("mp4", "libx264"), ("avi", "mjpeg"), ("avi", "mpeg4"), ("avi", "rawvideo")),
    *(("gif", "gif"), ("mov", "png"), ("webm", "libvpx"), ("webm", "libvpx-vp9"), ("mp4", "libx265")),
    *(("mpegts", "mpeg2video"), ("mov", "qtrle"), ("avi", "huffyuv"), ("mov", "svq1"), ("flv", "flv")),
    *(("matroska", "libsvtav1"), ("mov", "prores"), ("nut", "snow"), ("yuv4mpegpipe", "wrapped_avframe")),
)

DAMAGED = (
    *(("mp4", "libx264"), ("matroska", "ffv1"), ("avi", "mjpeg"), ("avi", "mpeg4"), ("mpegts", "mpeg2video")),
    *(
        ("webm", "libvpx"),
        ("flv", "flv"),
        ("mov", "qtrle"),
        ("gif", "gif"),
        ("nut", "huffyuv"),
        ("apng", "apng"),
    ),
    *(("mxf", "mpeg2video"), ("asf", "wmv2"), ("ogv", "libvpx"), ("rm", "rv20"), ("h264", "libx264")),
    *(("mp4", "libx265"), ("ivf", "libsvtav1"), ("yuv4mpegpipe", "wrapped_avframe"), ("wtv", "msmpeg4")),
)
CHANGES = {
    "cut off at a quarter": damage.cut(0.25),
    "cut off at 60 %": damage.cut(0.6),
    "the last byte is missing": damage.cut(0.9999),
    "the first half is missing": damage.behead(0.5),
    "noise in the middle": damage.overwrite(0.5, 200),
    "zeros in the middle": damage.overwrite(0.4, 400, 0),
    "noise at the end": damage.append(2000),
    "twice, one after the other": damage.twice,
    "1 byte in 500 is wrong": damage.sprinkle(1, 0.002),
    "1 byte in 100 is wrong": damage.sprinkle(2, 0.01),
    "1 byte in 20 is wrong": damage.sprinkle(3, 0.05),
    "the head is noise": damage.overwrite(0.0, 64),
}
PICTURES = {
    ".png": "png",
    ".jpg": "mjpeg",
    ".bmp": "bmp",
    ".tif": "tiff",
    ".webp": "libwebp",
    ".pgm": "pgm",
    ".ppm": "ppm",
}


def sizes() -> list[Recipe]:
    """Return files of very small, very wide and very high pictures."""
    return [
        Recipe("size", *pair, f"{width} × {height}", size=(width, height), frames=4)
        for pair in SIZED
        for width, height in SIZES
    ]


def pictures() -> list[Recipe]:
    """Return files whose names are those of pictures, whole and damaged, and videos under such names."""
    whole = [
        Recipe("picture", "image2pipe", codec, f"as {suffix}", suffix=suffix, frames=1)
        for suffix, codec in PICTURES.items()
    ]
    broken = [
        Recipe("picture", "image2pipe", codec, f"as {suffix}, {note}", suffix, frames=1, change=change)
        for suffix, codec in PICTURES.items()
        for note, change in CHANGES.items()
    ]
    videos = [
        Recipe("picture", "mp4", "libx264", f"a video named {suffix}", suffix) for suffix in (".jpg", ".png")
    ]
    return [*whole, *broken, *videos]


def damaged() -> list[Recipe]:
    """Return files with something wrong in them."""
    return [
        Recipe("damage", *pair, note, frames=12, change=change, separate=pair == DAMAGED[0])
        for pair in DAMAGED
        for note, change in CHANGES.items()
    ]
