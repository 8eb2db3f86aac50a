"""Where things move: one picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene
from bgsub.frames.source import Image
from bgsub.render.layer import as_color
from bgsub.render.lettering import write
from bgsub.render.sinks.picture import encode_png

DIMMED = 0.45
"""What is left of the light of the empty scene under the colours."""
BAR = 0.06
"""Width of the colour bar, a share of the picture's; its labels take as much again, four times."""
MAP = cv2.COLORMAP_INFERNO


class Heatmap:
    """``heatmap.png``: the share of the frames in which each pixel belongs to a track, over the empty scene.

    Colours follow the square root of the share, so that a way that is seldom taken shows beside a place where somebody
    stands; the bar says which colour is which share.
    """

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name
        self._counts = np.zeros(scene.shape, np.uint32)
        self._frames = 0

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Count the pixels of a frame's tracks."""
        self._frames += 1
        for row in rows:
            x, y, width, height = row.found.box
            self._counts[y : y + height, x : x + width] += row.found.pixels > 0

    def finish(self, log: Log) -> None:
        """Draw it."""
        share = self._counts / np.float32(max(self._frames, 1))
        picture = draw_heatmap(share.astype(np.float32), self._scene.plate())
        self._scene.files.write(self._path, encode_png(picture, str(self._path)))


def draw_heatmap(share: NDArray[np.float32], plate: Image) -> Image:
    """Return a heat map with a colour bar on its right.

    Parameters
    ----------
    share
        ``(height, width)`` float32, 0–1.
    plate
        The empty scene, of the same size.
    """
    height, width = share.shape
    most = max(float(share.max()), 1e-6)
    level = np.sqrt(share / most)
    heat = _coloured(np.rint(255 * level).astype(np.uint8))
    cover = np.minimum(2 * level, 1)[..., None]
    mixed = (1 - cover) * (DIMMED * as_color(plate)) + cover * heat
    bar = max(round(BAR * width), 8)
    drawn = np.zeros((height, width + 5 * bar, 3), np.uint8)
    drawn[:, :width] = np.rint(mixed).astype(np.uint8)
    drawn[:, width + bar // 2 : width + bar // 2 + bar] = _coloured(
        np.linspace(255, 0, height).round().astype(np.uint8)[:, None]
    )
    for step in (0.0, 0.25, 0.5, 0.75, 1.0) if share.any() else (0.0,):
        row = round((height - 1) * (1 - step))
        write(
            drawn,
            f"{float(f'{100 * most * step**2:.2g}'):.10g} %",
            (width + 2 * bar, row + 5),
            (255, 255, 255),
        )
    return drawn


def _coloured(levels: NDArray[np.uint8]) -> Image:
    return np.asarray(cv2.cvtColor(cv2.applyColorMap(levels, MAP), cv2.COLOR_BGR2RGB), np.uint8)
