"""What each output is called on disk, and the sink and layer behind it."""

from __future__ import annotations

from pathlib import Path

from bgsub.render.layers import Layer, make_layer
from bgsub.render.sinks import H264, FileSink, Timing, open_sink

SUFFIX = {"video": ".mp4", "mask": ".mkv", "picture": ".png"}
PLATE = "background.png"
FOLDER = "-png"
"""End of the names of outputs that are folders of PNG files."""


QUALITY = {"background": 14.0}
"""CRF where 20 is not enough: a background costs next to nothing, and people measure on it."""


def layer_of(output: str) -> Layer:
    """Return the layer that an output shows: ``mask-png`` shows ``mask``."""
    return make_layer(output.removesuffix(FOLDER))


def file_name(output: str) -> str:
    """Return the name of an output's file, or of its folder (with a slash)."""
    if output.endswith(FOLDER):
        return f"{output}/"
    return PLATE if output == "plate" else output + SUFFIX[layer_of(output).kind]


def open_output(output: str, folder: Path, timing: Timing, threads: int) -> FileSink:
    """Return the sink of an output in *folder*; nothing is written yet."""
    name = file_name(output)
    path: str | Path = f"{folder / name}/" if name.endswith("/") else folder / name
    return open_sink(
        path, layer_of(output).kind, timing, H264(crf=QUALITY.get(output, H264().crf), threads=threads)
    )
