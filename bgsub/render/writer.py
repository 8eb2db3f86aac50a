"""All outputs of a run: each frame is drawn into each of them; in the end all are complete, or none exists."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgsub.base.interrupts import uninterrupted
from bgsub.base.prefetch import prefetch
from bgsub.frames.source import Image
from bgsub.render.layers import Layer
from bgsub.render.outputs import layer_of
from bgsub.render.sinks.open import Sink
from bgsub.render.view import FrameView

BETWEEN = 1
"""Frames that may queue between two threads: enough to even out, few enough to stay small at 4K."""


class Writer:
    """Draws the layers of each view into their sinks; a context manager that leaves nothing unfinished on exit.

    Parameters
    ----------
    sinks
        By output name.
    """

    def __init__(self, sinks: dict[str, Any]) -> None:
        self._outputs = [(name, layer_of(name), sink) for name, sink in sinks.items()]
        self._longest = 0
        self._plate: Callable[[], Image] | None = None

    def __enter__(self) -> Writer:
        try:
            for _, _, sink in self._outputs:
                sink.open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: Any) -> None:
        with uninterrupted():
            for _, _, sink in self._outputs:
                sink.abort()

    def written(self, views: Generator[FrameView]) -> Generator[FrameView]:
        """Yield each view once it has been drawn and written to every output but the plate.

        Each of these outputs has its own thread, chained into a pipeline; an error in one stage stops the
        pipeline and is raised by the returned generator. Close that generator to stop early.
        """
        for name, layer, sink in self._outputs:
            if name != "plate":
                views = prefetch(_station(views, layer, sink), BETWEEN)
        return views

    def offer_plate(self, picture: Callable[[], Image], frames: int) -> None:
        """Remember the background of a segment of this many frames if it is the longest so far."""
        if frames > self._longest:
            self._longest, self._plate = frames, picture

    def plate(self) -> Image:
        """Return the background of the longest segment."""
        assert self._plate is not None, "there is a segment"
        return self._plate()

    def finish(self) -> None:
        """Write the plate, and complete all outputs: this is where a full disk shows."""
        for name, _, sink in self._outputs:
            if name == "plate":
                sink.write(self.plate(), Fraction(0))
        for _, _, sink in self._outputs:
            sink.close()

    def arrays(self) -> dict[str, NDArray[np.uint8]]:
        """Return the images in memory sinks: ``(frames, height, width[, 3])`` by output, the plate as one image."""
        return {
            name: sink.images[0] if name == "plate" else np.stack(sink.images)
            for name, _, sink in self._outputs
        }


def _station(views: Generator[FrameView], layer: Layer, sink: Sink) -> Generator[FrameView]:
    with closing(views):
        for view in views:
            sink.write(layer.draw(view), view.time, view.number, view.name)
            yield view
