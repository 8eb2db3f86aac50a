"""The result of a run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.background.model import BackgroundModel
from bgsub.base.plural import count_of
from bgsub.events.log import Log


@dataclass(frozen=True, slots=True, repr=False)
class Separation:
    """The result of :func:`separate`.

    Attributes
    ----------
    outputs
        Path of each output by name; empty if nothing was written to disk.
    layers
        ``(frames, height, width[, 3])`` uint8 arrays by output name (``plate``: one image); empty if the run
        wrote to disk.
    model
        The background of the last segment.
    report
        The contents of run.json.
    log
        What has been found: ``log.events``, ``log.tracks`` (by number), ``log.to_dict()`` as in events.json.
    tracks
        Tracks in each frame, a table with the columns of tracks.csv; empty if the run wrote to disk.
    """

    outputs: dict[str, Path]
    layers: dict[str, NDArray[np.uint8]]
    model: BackgroundModel
    report: dict[str, Any]
    log: Log
    tracks: NDArray[Any]

    def __repr__(self) -> str:
        """Return what it holds in one line."""
        held = [f"{name} {array.shape}" for name, array in self.layers.items()] or list(self.outputs)
        found = f"{count_of(len(self.log.events), 'event')}, {count_of(len(self.log.tracks), 'object')}"
        frames = count_of(self.report["frames"]["count"], "frame")
        return f"<Separation of {frames}: {', '.join(held) or 'no outputs'}; {found}>"

    def summary(self) -> str:
        """Return a one-line summary."""
        count, share = self.report["frames"]["count"], self.report["foreground_share"]
        where = f" → {_listed(self.outputs)}" if self.outputs else ""
        seconds = sum(self.report["seconds"].values())
        return (
            f"{count} frames in {seconds:.1f} s ({count / max(seconds, 1e-9):.0f} frames/s), "
            f"{share:.1%} foreground{where}"
        )


def _listed(outputs: dict[str, Path]) -> str:
    """Return the folder of the outputs, and what they are called in it."""
    folder = next(iter(outputs.values())).parent
    names = [f"{path.name}{'/' * path.is_dir()}" for path in outputs.values()]
    # One line, whatever a folder is called.
    return f"{folder}{os.sep}: {', '.join(names)}".replace("\n", "\\n")
