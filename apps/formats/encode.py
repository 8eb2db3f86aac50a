"""Write the file of a recipe."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from formats.pictures import frame
from formats.recipe import Recipe

SIZES = ((64, 48), (64, 64), (128, 96), (176, 144), (320, 200), (48, 48), (256, 128), (720, 576), (1280, 720))
"""Tried in this order for encoders that want certain sizes: H.261 and H.263, RoQ, A64, X-Face, DNxHR, DV …"""


class CannotWrite(Exception):
    """Such a file is not written by this FFmpeg; the message says why."""


def write(recipe: Recipe, path: Path) -> None:
    """Write the file, in the first size that its encoder takes.

    Raises
    ------
    CannotWrite
        There is none.
    """
    reason: Exception | None = None
    for size in [recipe.size] if recipe.size else SIZES:
        try:
            _write(recipe, path, size)
        except (av.FFmpegError, ValueError, NotImplementedError, TypeError, OSError) as error:
            reason = reason or error
        else:
            _change(recipe, path)
            return
    raise CannotWrite(" ".join(str(reason).split()))


def _change(recipe: Recipe, path: Path) -> None:
    if not path.is_file() or not path.stat().st_size:
        raise CannotWrite("the muxer left no file")
    if recipe.change:
        path.write_bytes(recipe.change(path.read_bytes()))


def _write(recipe: Recipe, path: Path, size: tuple[int, int]) -> None:
    with av.open(str(path), "w", format=recipe.container, options=dict(recipe.muxer)) as container:
        container.metadata.update(recipe.tags)
        first = [add(container) for add in recipe.before]
        stream = _video(recipe, container, size) if recipe.codec else None
        last = [add(container) for add in recipe.after]
        packets = list(_encoded(recipe, stream, size)) if recipe.codec else []
        container.start_encoding()
        for give in first:
            give()
        for packet in packets:
            container.mux(packet)
        for give in last:
            give()


def _video(recipe: Recipe, container: Any, size: tuple[int, int]) -> Any:
    stream = container.add_stream(recipe.codec, rate=recipe.rate, options=dict(recipe.options))
    stream.width, stream.height = size
    stream.pix_fmt = pixel_format_of(recipe)
    if recipe.time_base:
        stream.time_base = recipe.time_base
        stream.codec_context.time_base = 1 / recipe.rate
    if recipe.turn:
        stream.set_display_rotation(recipe.turn[0], hflip=recipe.turn[1])
    return stream


def pixel_format_of(recipe: Recipe) -> str:
    """Return the pixel format that the file is to have."""
    offered = av.Codec(recipe.codec, "w").video_formats or []
    return recipe.pixel_format or (offered[0].name if offered else "yuv420p")


def _encoded(recipe: Recipe, stream: Any, size: tuple[int, int]) -> Any:
    packets = []
    for index in range(recipe.frames):
        picture = frame(index, size, pixel_format_of(recipe))
        picture.pts, picture.time_base = index, 1 / recipe.rate
        packets += stream.encode(picture)
    packets += stream.encode(None)
    for index, packet in enumerate(packets):
        yield _made_odd(recipe, stream, packet, index)


def _made_odd(recipe: Recipe, stream: Any, packet: Any, index: int) -> Any:
    if recipe.packets:
        made = av.Packet(recipe.packets(bytes(packet), index))
        made.pts, made.dts, made.time_base = packet.pts, packet.dts, packet.time_base
        made.is_keyframe, made.stream = packet.is_keyframe, stream
        packet = made
    if recipe.stamps:
        packet.time_base = recipe.time_base or Fraction(1, 1000)
        packet.pts = recipe.stamps(index)
        # Muxers want the order of decoding to increase, and nothing to be shown before it is decoded.
        packet.dts = min(map(recipe.stamps, range(recipe.frames))) - recipe.frames + index
    return packet
