"""What the outputs of a run are called, and which of an earlier run's stay beside them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bgsub.exports.table import EXPORTS
from bgsub.options.codecs import CODECS
from bgsub.options.table import OUTPUTS, Options
from bgsub.render import outputs
from bgsub.render.folder import REPORT, earlier_outputs
from bgsub.render.sinks.video import Encoding


def is_layer(output: str) -> bool:
    """Return whether an output shows every frame, rather than what has been found in all of them."""
    return output not in EXPORTS


def layers(names: Iterable[str]) -> list[str]:
    """Return those outputs that show every frame, each once."""
    return [name for name in dict.fromkeys(names) if is_layer(name)]


def file_name(output: str, codec: str = "h264") -> str:
    """Return the file name of an output, or its folder name (with a trailing slash)."""
    return outputs.file_name(output, codec) if is_layer(output) else EXPORTS[output][0]


def file_names(options: Options) -> dict[str, str]:
    """Return the file or folder name of each output of *options*, by output."""
    return {name: file_name(name, options.codec) for name in dict.fromkeys(options.outputs)}


def shown_in(options: Options) -> list[str]:
    """Return the layers whose kind of file a run writes: those asked for, and what clips are cut from."""
    return layers(options.outputs) + ["overlay"] * ("clips" in options.outputs)


def encoding_of(options: Options) -> Encoding:
    """Return how videos for people are encoded."""
    return Encoding(options.codec, options.crf, options.preset, options.threads or 0)


def left_behind(folder: Path, options: Options) -> list[str]:
    """Return what *folder* holds from earlier runs, or under any output's name, other than the outputs of *options*.

    It stays there when these are written, and may come from other footage or other options.
    """
    written = {REPORT, *file_names(options).values()}
    known = {file_name(output, codec) for output in OUTPUTS for codec in CODECS}
    stay = (earlier_outputs(folder) | known) - written
    return sorted(
        name for name in stay if (folder / name).is_dir() == name.endswith("/") and (folder / name).exists()
    )
