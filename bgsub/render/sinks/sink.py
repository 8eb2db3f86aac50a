"""The contract of every output: written frame by frame, there whole at the end or not at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from bgsub.base.staging import Staged
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError
from bgsub.frames.source import Image


class _State(Enum):
    NEW = "not opened yet"
    OPEN = "open"
    CLOSED = "closed"
    PLACED = "finished"
    ABORTED = "aborted"


class Sink(ABC):
    """Where the images of one layer go. Use it as a context manager.

    ``with sink: sink.write(...)`` leaves the complete result under its final name; when the block raises,
    nothing is left. So it is after ``abort`` inside the block. The steps can also be called one by one, so
    that several sinks finish together (:class:`.SinkGroup`)::

        open ► write … ► close ► place ► settle      under its final name, what was there before dropped
                                   └► undo        what was there before is back
        abort: at any time before place; nothing of the result stays

    A sink that fails aborts itself. Methods of a derived class: ``_put`` and, where needed, ``_start``,
    ``_finish`` and ``_discard``.

    Parameters
    ----------
    name
        What the result is called in messages.

    Attributes
    ----------
    name
        As given.
    frames
        Images written so far.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.frames = 0
        self._state = _State.NEW
        self._shape: tuple[int, ...] | None = None
        self._time: Fraction | None = None

    def open(self) -> None:
        """Make ready to write; nothing happens when it is open already. ``write`` does it too.

        Raises
        ------
        OutputError
            If the place cannot be written to, or the sink was closed or aborted before.
        """
        if self._state is _State.OPEN:
            return
        if self._state is not _State.NEW:
            raise OutputError(f"cannot write {self.name}: it is {self._state.value}")
        self._start()
        self._state = _State.OPEN

    def write(self, image: Image, time: Fraction, number: int | None = None) -> None:
        """Append one image. The array may be reused once this returns.

        Parameters
        ----------
        image
            ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8; all images of a sink have the same
            shape.
        time
            Seconds, later than the image before.
        number
            The frame's number in its own world, used in names of pictures; default: count from 1.

        Raises
        ------
        OutputError
            If the image does not fit or cannot be written; the sink is aborted then.
        """
        self.open()
        try:
            self._check(image, time)
            self._put(np.ascontiguousarray(image), time, self.frames + 1 if number is None else number)
        except OutputError:
            self.abort()
            raise
        self._shape = image.shape
        self._time = time
        self.frames += 1

    def close(self) -> None:
        """Complete the result under its hidden name; nothing happens when it is complete already.

        Raises
        ------
        OutputError
            If no frame was written, or the rest cannot be written; the sink is aborted then.
        """
        if self._state in (_State.CLOSED, _State.PLACED):
            return
        if self._state is _State.ABORTED:
            raise OutputError(f"cannot finish {self.name}: it is aborted")
        if not self.frames:
            self.abort()
            raise OutputError(f"cannot finish {self.name}: no frame was written")
        try:
            self._finish()
        except OutputError:
            self.abort()
            raise
        self._state = _State.CLOSED

    def place(self) -> None:
        """Give the complete result its final name, keeping what had it before; closes first if need be."""
        self.close()
        if self._state is _State.CLOSED:
            try:
                self._place()
            except OutputError:
                self.abort()
                raise
            self._state = _State.PLACED

    def undo(self) -> None:
        """Take a placed result away again and bring back what was there before. Raises nothing."""
        if self._state is _State.PLACED:
            self._undo()
            self._state = _State.ABORTED

    def settle(self) -> None:
        """Drop what the placed result replaced. Raises nothing."""
        if self._state is _State.PLACED:
            self._settle()

    def commit(self) -> None:
        """Finish for good: ``close``, ``place`` and ``settle``."""
        self.place()
        self.settle()

    def abort(self) -> None:
        """Leave nothing of the result. Raises nothing; a result that is placed already stays."""
        if self._state in (_State.PLACED, _State.ABORTED):
            return
        self._state = _State.ABORTED
        self._discard()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None and self._state is not _State.ABORTED:
                self.commit()
        finally:
            self.abort()

    def _check(self, image: Image, time: Fraction) -> None:
        where = f"cannot write {self.name}: image {self.frames + 1}"
        if (
            image.dtype != np.uint8
            or image.ndim not in (2, 3)
            or image.shape[2:] not in ((), (3,))
            or not image.size
        ):
            raise OutputError(
                f"{where} must be (height, width) or (height, width, 3) uint8, not {describe(image)}"
            )
        if self._shape is not None and image.shape != self._shape:
            raise OutputError(f"{where} is {image.shape}, the ones before are {self._shape}")
        if self._time is not None and time <= self._time:
            raise OutputError(f"{where} has time {time} s, not later than {self._time} s of the one before")

    def _start(self) -> None:  # noqa: B027 - optional step
        """Prepare the hidden place."""

    @abstractmethod
    def _put(self, image: Image, time: Fraction, number: int) -> None:
        """Write one checked image."""

    def _finish(self) -> None:  # noqa: B027 - optional step
        """Write what is left to write."""

    def _place(self) -> None:  # noqa: B027 - optional step
        """Give the final name."""

    def _undo(self) -> None:  # noqa: B027 - optional step
        """Take the final name away."""

    def _settle(self) -> None:  # noqa: B027 - optional step
        """Forget what was replaced."""

    def _discard(self) -> None:  # noqa: B027 - optional step
        """Free everything held and delete everything written; must not raise."""


class FileSink(Sink):
    """A sink that ends up under a path; derived classes write to ``self._staged.partial``.

    Parameters
    ----------
    path
        The final name. Its folder must exist; a file of that name is replaced, at the very end.
    is_folder
        True where the result is a folder of numbered PNG files.

    Raises
    ------
    OutputError
        If the path cannot be used (see :class:`.Staged`).
    """

    def __init__(self, path: str | Path, is_folder: bool = False) -> None:
        super().__init__(str(path))
        self.path = Path(path)
        self._staged = Staged(self.path, is_folder)

    def _start(self) -> None:
        self._staged.prepare()

    def _place(self) -> None:
        self._staged.place()

    def _undo(self) -> None:
        self._staged.undo()

    def _settle(self) -> None:
        self._staged.settle()

    def _discard(self) -> None:
        self._staged.discard()

    def _store(self, target: Path, data: bytes) -> None:
        with writing(self.path):
            target.write_bytes(data)


def describe(image: Image) -> str:
    """Return shape and type of an array, for messages."""
    return f"{image.shape} {image.dtype}"
