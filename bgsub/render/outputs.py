"""The file name, sink and layer of each output."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.options.codecs import CODECS
from bgsub.render.layers import Layer, SideBySide, make_layer
from bgsub.render.sinks.encoder import refuse_too_large, refuse_without_encoder
from bgsub.render.sinks.open import Encoding, FileSink, ImageSequenceSink, Timing, open_sink

SUFFIX = {"mask": ".mkv", "picture": ".png", "cutout": ".webm"}
ENCODERS = {"mask": "ffv1", "cutout": "libvpx-vp9"}
PLATE = "background.png"
RESULT = "cdnet"
"""A folder whose pictures are named as CDnet names results, ``bin000001.png``."""
FOLDER = "-png"
"""Suffix of the names of outputs that are folders of PNG files."""


BYTES = {"video": 100, "mask": 52, "overlay": 120, "boxes": 120, "side-by-side": 350, "cutout": 150}
"""Bytes per pixel of a video: queued frames, the encoder, and its look-ahead of ten frames."""
FOLDER_BYTES = 60
"""The same for folders of images."""
THREAD_BYTES = 2
"""Bytes per pixel that a video encoder takes for each extra thread: a frame of its own."""
THREAD_LINES = 32
"""Fewest lines of the picture that x264 gives to a thread."""

BETTER = {"background": 6.0}
"""What is taken off the usual CRF where that is not good enough: a background costs next to nothing, and people measure
on it."""


def layer_of(output: str) -> Layer:
    """Return the layer that an output shows: ``mask-png`` shows ``mask``."""
    return make_layer(output.removesuffix(FOLDER))


def file_name(output: str, codec: str = "h264") -> str:
    """Return the file name of an output, or its folder name (with a trailing slash)."""
    if output.endswith(FOLDER) or output == RESULT:
        return f"{output}/"
    kind = layer_of(output).kind
    return (
        PLATE if output == "plate" else output + (CODECS[codec].suffix if kind == "video" else SUFFIX[kind])
    )


def refuse_impossible(
    folder: Path, names: Iterable[str], shape: tuple[int, int], codec: str = "h264"
) -> None:
    """Raise :class:`OutputError` if an output cannot be written, before any work is done.

    That is, if a video cannot hold images of this (height, width), or this FFmpeg has no encoder for it.
    """
    for name in names:
        layer, file = layer_of(name), file_name(name, codec)
        if file.endswith("/") or layer.kind == "picture":
            continue
        encoder = CODECS[codec].encoder if layer.kind == "video" else ENCODERS[layer.kind]
        height, width = layer.shape(shape) if isinstance(layer, SideBySide) else shape
        refuse_without_encoder(folder / file, encoder)
        refuse_too_large(folder / file, encoder, (width, height))


def open_output(
    output: str, folder: Path, timing: Timing, encoding: Encoding, files: Publication
) -> FileSink:
    """Return the sink of an output in *folder*; nothing is written yet."""
    name = file_name(output, encoding.codec)
    if output == RESULT:
        return ImageSequenceSink(folder / name, files, prefix="bin")
    path: str | Path = f"{folder / name}/" if name.endswith("/") else folder / name
    return open_sink(path, layer_of(output).kind, timing, better_of(output, encoding), files)


def better_of(output: str, encoding: Encoding) -> Encoding:
    """Return the encoding of an output: a background has a better quality than others, unless one is asked for."""
    usual = encoding.known.crf
    if output not in BETTER or usual is None or encoding.crf is not None:
        return encoding
    return replace(encoding, crf=usual - BETTER[output])


def nbytes(names: Iterable[str], shape: tuple[int, int], threads: int) -> int:
    """Return the bytes needed while the outputs *names* are written for images of this (height, width)."""
    height, width = shape
    # x264 starts 1.5 threads per processor.
    more = min(3 * threads // 2, height // THREAD_LINES + 1) - 1
    pixel = 0
    for name in dict.fromkeys(names):
        if file_name(name).endswith("/"):
            pixel += FOLDER_BYTES
        elif (kind := layer_of(name).kind) != "picture":  # the plate is drawn last, by itself
            pixel += BYTES.get(name, BYTES[kind]) + THREAD_BYTES * more
    return pixel * height * width
