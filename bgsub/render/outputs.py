"""The file name, sink and layer of each output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bgsub.base.publish import Publication
from bgsub.render.folder import REPORT, earlier_outputs
from bgsub.render.layers import LAYERS, Layer, SideBySide, make_layer
from bgsub.render.sinks.encoder import refuse_too_large
from bgsub.render.sinks.open import H264, FileSink, Timing, open_sink

SUFFIX = {"video": ".mp4", "mask": ".mkv", "picture": ".png"}
CODECS = {"video": "libx264", "mask": "ffv1"}
PLATE = "background.png"
FOLDER = "-png"
"""Suffix of the names of outputs that are folders of PNG files."""


BYTES = {"video": 100, "mask": 52, "overlay": 120, "side-by-side": 350}
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
    if output.endswith(FOLDER):
        return f"{output}/"
    return PLATE if output == "plate" else output + SUFFIX[layer_of(output).kind]


def refuse_impossible(folder: Path, names: Iterable[str], shape: tuple[int, int]) -> None:
    """Raise :class:`OutputError` if a video cannot hold images of this (height, width), before any is made."""
    for name in names:
        layer = layer_of(name)
        if name.endswith(FOLDER) or layer.kind not in CODECS:
            continue
        height, width = layer.shape(shape) if isinstance(layer, SideBySide) else shape
        refuse_too_large(folder / file_name(name), CODECS[layer.kind], (width, height))


def left_behind(folder: Path, names: Iterable[str]) -> list[str]:
    """Return what *folder* holds from earlier runs, or under any output's name, other than the outputs *names*.

    It stays there when these are written, and may come from other footage or other options.
    """
    known = {file_name(each) for layer in LAYERS for each in _outputs_of(layer)}
    written = {REPORT, *map(file_name, names)}
    stay = (earlier_outputs(folder) | known) - written
    return sorted(
        name for name in stay if (folder / name).is_dir() == name.endswith("/") and (folder / name).exists()
    )


def _outputs_of(layer: str) -> tuple[str, ...]:
    return (layer,) if make_layer(layer).kind == "picture" else (layer, layer + FOLDER)


def open_output(output: str, folder: Path, timing: Timing, threads: int, files: Publication) -> FileSink:
    """Return the sink of an output in *folder*; nothing is written yet."""
    name = file_name(output)
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
        if name.endswith(FOLDER):
            pixel += FOLDER_BYTES
        elif (kind := layer_of(name).kind) != "picture":  # the plate is drawn last, by itself
            pixel += BYTES.get(name, BYTES[kind]) + THREAD_BYTES * more
    return pixel * height * width
