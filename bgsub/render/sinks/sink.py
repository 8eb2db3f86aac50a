"""The interface of all outputs: written frame by frame, in the end complete or absent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

import numpy as np

from bgsub.base.publish import Publication, remove
from bgsub.base.write_errors import writing
from bgsub.errors import OutputError
from bgsub.frames.source import Image


class _State(Enum):
    NEW = "not opened yet"
    OPEN = "open"
    CLOSED = "finished"
    ABORTED = "aborted"


class Sink(ABC):
    """Where the images of one layer are written. Use it as a context manager.

    ``with sink: sink.write(...)`` leaves the complete result; if the block raises, or after ``abort``,
    nothing is left. A sink that fails aborts itself. Derived classes implement ``_put`` and, if needed,
    ``_start``, ``_finish`` and ``_discard``.

    Parameters
    ----------
    name
        Name of the result in messages.

    Attributes
    ----------
    name
        As given.
    frames
        Images written so far.
    """

    _channels: ClassVar[tuple[tuple[int, ...], ...]] = ((), (3,))

    def __init__(self, name: str) -> None:
        self.name = name
        self.frames = 0
        self._state = _State.NEW
        self._shape: tuple[int, ...] | None = None
        self._time: Fraction | None = None

    def open(self) -> None:
        """Prepare for writing; does nothing if already open. Called by ``write``, too.

        Raises
        ------
        OutputError
            If the place cannot be written to, or the sink has been closed or aborted.
        """
        if self._state is _State.OPEN:
            return
        if self._state is not _State.NEW:
            raise OutputError(f"cannot write {self.name}: it is {self._state.value}")
        self._start()
        self._state = _State.OPEN

    def write(self, image: Image, time: Fraction, number: int | None = None, name: str = "") -> None:
        """Append one image. The array may be reused once this returns.

        Parameters
        ----------
        image
            ``(height, width)`` gray or ``(height, width, 3)`` RGB, uint8; all images of a sink have the same
            shape.
        time
            Seconds, later than the previous image.
        number
            The frame's own number, used in names of images; default: count from 1.
        name
            The frame's own name, used instead of the number where it has one.

        Raises
        ------
        OutputError
            If the image does not fit or cannot be written; the sink is then aborted.
        """
        self.open()
        try:
            self._check(image, time)
            self._put(np.ascontiguousarray(image), time, self.frames + 1 if number is None else number, name)
        except OutputError:
            self.abort()
            raise
        self._shape = image.shape
        self._time = time
        self.frames += 1

    def close(self) -> None:
        """Complete the result; does nothing if already complete.

        Raises
        ------
        OutputError
            If no frame was written, or the rest cannot be written; the sink is then aborted.
        """
        if self._state is _State.CLOSED:
            return
        if self._state is _State.ABORTED:
            raise OutputError(f"cannot finish {self.name}: it is aborted")
        try:
            if not self.frames:
                raise OutputError(f"cannot finish {self.name}: no frame was written")
            self._finish()
        except OutputError:
            self.abort()
            raise
        self._state = _State.CLOSED

    def abort(self) -> None:
        """Remove whatever has been written; a complete result stays. Raises nothing."""
        if self._state not in (_State.CLOSED, _State.ABORTED):
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
                self.close()
        finally:
            self.abort()

    def _check(self, image: Image, time: Fraction) -> None:
        where = f"cannot write {self.name}: image {self.frames + 1}"
        if (
            image.dtype != np.uint8
            or image.ndim not in (2, 3)
            or image.shape[2:] not in self._channels
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
        """Prepare the temporary place."""

    @abstractmethod
    def _put(self, image: Image, time: Fraction, number: int, name: str) -> None:
        """Write one checked image."""

    def _finish(self) -> None:  # noqa: B027 - optional step
        """Write what remains to be written."""

    def _discard(self) -> None:  # noqa: B027 - optional step
        """Release all resources and delete everything written; must not raise."""


class FileSink(Sink):
    """A sink that writes a file or folder; derived classes write to ``self._at``, which :meth:`open` creates.

    Parameters
    ----------
    path
        The final name. Its folder must exist; an existing file is replaced, at the very end.
    files
        Publishes it together with other files; None publishes it by itself as soon as it is complete.
    is_folder
        True if the result is a folder of numbered PNG files.

    Raises
    ------
    OutputError
        If the path cannot be used (see :meth:`.Publication.make`): by :meth:`open`.
    """

    def __init__(self, path: str | Path, files: Publication | None = None, is_folder: bool = False) -> None:
        super().__init__(str(path))
        self.path = Path(path)
        self._is_folder = is_folder
        self._files, self._is_alone = files or Publication(), files is None
        self._at = self.path

    def close(self) -> None:
        """Complete the file, and publish it unless that is left to *files*."""
        if self._state is _State.CLOSED:
            return
        super().close()
        if self._is_alone:
            try:
                self._files.publish()
            finally:
                self._files.discard()

    def _start(self) -> None:
        self._at = self._files.make(self.path, self._is_folder)

    def _discard(self) -> None:
        if self._at != self.path:
            remove(self._at)
        if self._is_alone:
            self._files.discard()

    def _store(self, target: Path, data: bytes) -> None:
        with writing(self.path):
            target.write_bytes(data)


def describe(image: Image) -> str:
    """Return shape and dtype of an array, for messages."""
    return f"{image.shape} {image.dtype}"
