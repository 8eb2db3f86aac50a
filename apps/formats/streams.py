"""What may stand beside the video, and what may be written into it."""

from __future__ import annotations

from formats import damage
from formats.companions import attachment, audio, data, subtitles, video
from formats.metadata import exif_in_jpeg, exif_in_png, sei
from formats.recipe import Packets, Recipe

COMMON = (
    ("matroska", "libx264"),
    ("mov", "mjpeg"),
    ("mp4", "libx264"),
    ("avi", "mpeg4"),
    ("mpegts", "mpeg2video"),
)
WITH_SOUND = (
    *COMMON,
    ("webm", "libvpx"),
    ("flv", "flv"),
    ("asf", "wmv2"),
    ("nut", "ffv1"),
    ("mxf", "mpeg2video"),
)
TITLE = "Q" * 40
UNTITLED = bytes(range(0xC0, 0xC0 + 40))
SOUND_ONLY = ("mp3", "flac", "wav", "ogg", "aiff", "ipod")

SEI: dict[str, tuple[int, bytes]] = {
    "user data": (5, bytes(range(16)) + b"no words \xff\xfe"),
    "captions cut short": (4, bytes.fromhex("b5003147413934 03ff")),
    "captions": (4, bytes.fromhex("b500314741393403c1ff fc8080 ff".replace(" ", ""))),
    "LCEVC": (4, bytes.fromhex("b4 00 50 01 00 01 02 03 04 05 06 07".replace(" ", ""))),
    "HDR10+ cut short": (4, bytes.fromhex("b5003c000104 01")),
    "a code of a country that is none": (4, b"\x00\xff\xff\x01"),
    "a display orientation": (47, b"\x24\x00\x08"),
    "a frame packing that is none": (45, b"\xff\xff\xff"),
    "light levels": (144, b"\x03\xe8\x01\x90"),
    "surroundings": (148, bytes.fromhex("000186a03d134042")),
    "reference displays": (176, bytes.fromhex("a8a0405060708090")),
    "a kind that is none": (250, b"\x01\x02\x03"),
}


def companions() -> list[Recipe]:
    """Return videos with sound, subtitles, data, a cover, a second video, strange tags; and sound alone."""
    return [*_sound(), *_second(), *_texts(), *_tags(), *_odd_ones()]


def _sound() -> list[Recipe]:
    return [
        recipe
        for pair in WITH_SOUND
        for recipe in (
            Recipe("companion", *pair, "sound before it", before=(audio,), separate=pair in COMMON),
            Recipe("companion", *pair, "sound after it", after=(audio,)),
        )
    ]


def _second() -> list[Recipe]:
    cover = video("mjpeg", frames=1, cover=True)
    return [
        recipe
        for pair in WITH_SOUND
        for recipe in (
            Recipe("companion", *pair, "a smaller video before it", before=(video(pair[1], (32, 32)),)),
            Recipe("companion", *pair, "a larger video after it", after=(video(pair[1], (128, 96)),)),
            Recipe("companion", *pair, "a cover before it", before=(cover,)),
            Recipe("companion", *pair, "a cover after it", after=(cover,)),
        )
    ]


def _texts() -> list[Recipe]:
    codecs = {"matroska": ("subrip", "ass"), "mov": ("mov_text",), "mp4": ("mov_text",), "webm": ("webvtt",)}
    codecs |= {"mpegts": ("dvb_teletext", "dvb_subtitle"), "avi": ("xsub",), "nut": ("ass",)}
    return [
        Recipe("companion", *pair, f"{codec} before it", before=(subtitles(codec),))
        for pair in WITH_SOUND
        for codec in codecs.get(pair[0], ())
    ]


def _tags() -> list[Recipe]:
    pairs = (*WITH_SOUND, ("ogv", "libvpx"), ("gif", "gif"), ("yuv4mpegpipe", "wrapped_avframe"))
    return [
        recipe
        for pair in pairs
        for recipe in (
            Recipe(
                "companion",
                *pair,
                "a title that is not UTF-8",
                tags={"title": TITLE},
                change=damage.replace(TITLE.encode(), UNTITLED),
            ),
            Recipe("companion", *pair, "a comment of 60 kB", tags={"comment": "é☃" * 12_000}),
        )
    ]


def _odd_ones() -> list[Recipe]:
    everything = (audio, video("mjpeg", frames=1, cover=True), subtitles("subrip"))
    alone = [Recipe("companion", muxer, "", "sound alone", before=(audio,)) for muxer in SOUND_ONLY]
    covered = [
        Recipe(
            "companion", muxer, "", "sound and a cover", before=(audio, video("mjpeg", frames=1, cover=True))
        )
        for muxer in ("mp3", "flac", "ipod", "matroska", "mov", "asf")
    ]
    return [
        Recipe("companion", "matroska", "ffv1", "a font", after=(attachment,)),
        Recipe("companion", "matroska", "ffv1", "all at once", before=everything, after=(attachment,)),
        Recipe("companion", "matroska", "", "subtitles alone", before=(subtitles("subrip"),)),
        *(
            Recipe("companion", muxer, "mpeg2video", "data before it", before=(data,))
            for muxer in ("mpegts", "mov", "nut", "mxf")
        ),
        *alone,
        *covered,
    ]


def turned() -> list[Recipe]:
    """Return videos that are to be turned, or mirrored."""
    pairs = (("mov", "mjpeg"), ("mp4", "libx264"), ("matroska", "ffv1"), ("nut", "ffv1"), ("mp4", "libx265"))
    return [
        Recipe("turned", *pair, f"by {angle}°{', mirrored' if mirrored else ''}", turn=(angle, mirrored))
        for pair in pairs
        for angle in (0, 45, 90, 180, 270)
        for mirrored in (False, True)
    ]


def side_data() -> list[Recipe]:
    """Return videos whose frames carry what FFmpeg hands on as side data, of kinds that PyAV may have no name for."""
    return [*_exif(), *_messages()]


def _exif() -> list[Recipe]:
    made: list[tuple[str, str, Packets]] = [
        (muxer, "mjpeg", exif_in_jpeg(orientation))
        for muxer in ("avi", "mov", "matroska", "mjpeg", "mpjpeg")
        for orientation in range(1, 9)
    ]
    made += [
        (muxer, "png", exif_in_png(turn))
        for muxer in ("mov", "matroska", "image2pipe")
        for turn in range(1, 9)
    ]
    return [
        Recipe(
            "side data",
            muxer,
            codec,
            f"Exif, orientation {index % 8 + 1}",
            packets=packets,
            separate=index == 5,
        )
        for index, (muxer, codec, packets) in enumerate(made)
    ]


def _messages() -> list[Recipe]:
    return [
        Recipe("side data", muxer, codec, f"SEI: {note}", packets=sei(*message, hevc=codec == "libx265"))
        for muxer, codec in (
            ("h264", "libx264"),
            ("mp4", "libx264"),
            ("hevc", "libx265"),
            ("matroska", "libx265"),
        )
        for note, message in SEI.items()
    ]
