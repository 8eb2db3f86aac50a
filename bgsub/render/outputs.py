"""The file name, sink and layer of each output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.render.layers import Layer, SideBySide, make_layer
from bgsub.render.sinks.encoder import refuse_too_large
from bgsub.render.sinks.open import H264, FileSink, ImageSequenceSink, Timing, open_sink

SUFFIX = {"video": ".mp4", "mask": ".mkv", "picture": ".png", "cutout": ".webm"}
CODECS = {"video": "libx264", "mask": "ffv1", "cutout": "libvpx-vp9"}
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

QUALITY = {"background": 14.0}
"""CRF where 20 is not good enough: a background costs next to nothing, and people measure on it."""


def layer_of(output: str) -> Layer:
    """Return the layer that an output shows: ``mask-png`` shows ``mask``."""
    return make_layer(output.removesuffix(FOLDER))


def file_name(output: str) -> str:
    """Return the file name of an output, or its folder name (with a trailing slash)."""
    if output.endswith(FOLDER) or output == RESULT:
        return f"{output}/"
    return PLATE if output == "plate" else output + SUFFIX[layer_of(output).kind]


def refuse_impossible(folder: Path, names: Iterable[str], shape: tuple[int, int]) -> None:
    """Raise :class:`OutputError` if a video cannot hold images of this (height, width), before any is made."""
    for name in names:
        layer = layer_of(name)
        if file_name(name).endswith("/") or layer.kind not in CODECS:
            continue
        height, width = layer.shape(shape) if isinstance(layer, SideBySide) else shape
        refuse_too_large(folder / file_name(name), CODECS[layer.kind], (width, height))


def open_output(output: str, folder: Path, timing: Timing, threads: int, files: Publication) -> FileSink:
    """Return the sink of an output in *folder*; nothing is written yet."""
    name = file_name(output)
    if output == RESULT:
        return ImageSequenceSink(folder / name, files, prefix="bin")
    path: str | Path = f"{folder / name}/" if name.endswith("/") else folder / name
    h264 = H264(crf=QUALITY.get(output, H264().crf), threads=threads)
    return open_sink(path, layer_of(output).kind, timing, h264, files)


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
