"""What the outputs of a run are called, and which of an earlier run's stay beside them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bgsub.exports.table import EXPORTS
from bgsub.options.table import OUTPUTS
from bgsub.render import outputs
from bgsub.render.folder import REPORT, earlier_outputs


def is_layer(output: str) -> bool:
    """Return whether an output shows every frame, rather than what has been found in all of them."""
    return output not in EXPORTS


def layers(names: Iterable[str]) -> list[str]:
    """Return those outputs that show every frame, each once."""
    return [name for name in dict.fromkeys(names) if is_layer(name)]


def file_name(output: str) -> str:
    """Return the file name of an output, or its folder name (with a trailing slash)."""
    return outputs.file_name(output) if is_layer(output) else EXPORTS[output][0]


def left_behind(folder: Path, names: Iterable[str]) -> list[str]:
    """Return what *folder* holds from earlier runs, or under any output's name, other than the outputs *names*.

    It stays there when these are written, and may come from other footage or other options.
    """
    written = {REPORT, *map(file_name, names)}
    stay = (earlier_outputs(folder) | set(map(file_name, OUTPUTS))) - written
    return sorted(
        name for name in stay if (folder / name).is_dir() == name.endswith("/") and (folder / name).exists()
    )
