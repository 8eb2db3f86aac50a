"""The low-rank background itself: centre, components, and where each frame lies along them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bgsub.base.write_errors import writing
from bgsub.events.log import Log
from bgsub.events.row import Moment, Row
from bgsub.exports.export import Scene


class Factors:
    """``factors.npz``: of each segment k = 0, 1 … ``centre_k``, ``components_k``, ``frames_k`` and ``coefficients_k``.

    The background of the i-th frame of a segment is ``centre_k + tensordot(coefficients_k[i], components_k, 1)``, grey
    levels, before it is brought to the light of that frame.
    """

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene, self._path = scene, scene.folder / name

    def add(self, moment: Moment, rows: Sequence[Row]) -> None:
        """Nothing: the run has collected them."""

    def finish(self, log: Log) -> None:
        """Write them."""
        arrays: dict[str, Any] = {}
        for k, segment in enumerate(self._scene.factors):
            rank = len(segment.components)
            arrays[f"centre_{k}"], arrays[f"components_{k}"] = segment.centre, segment.components
            arrays[f"frames_{k}"] = np.array(segment.numbers, np.int64)
            arrays[f"coefficients_{k}"] = np.array(segment.coefficients, np.float32).reshape(
                len(segment.numbers), rank
            )
        at = self._scene.files.make(self._path)
        with writing(self._path), at.open("wb") as file:
            np.savez_compressed(file, **arrays)
