"""Several sinks that finish together."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from bgsub.base.interrupts import uninterrupted
from bgsub.errors import OutputError
from bgsub.render.sinks.sink import FileSink, Sink


class SinkGroup:
    """Sinks of one run: all of their results appear, or none, as far as a file system allows.

    At the end all are closed first, which is where a full disk shows, and only then renamed, one after the
    other. If a rename fails, the ones before it are undone; a Ctrl-C is ignored from there on. What cannot be
    guarded is the process dying between two renames: every file is still whole then, but a new one may stand
    beside an old one.

    Parameters
    ----------
    sinks
        The sinks, not yet opened.

    Raises
    ------
    OutputError
        If two of them have the same path.
    """

    def __init__(self, sinks: Iterable[Sink]) -> None:
        self.sinks = tuple(sinks)
        self._aborted = False
        seen = set()
        for sink in self.sinks:
            if isinstance(sink, FileSink):
                final = sink.path.absolute()
                if final in seen:
                    raise OutputError(
                        f"two outputs have the same path {sink.path}; give them different names"
                    )
                seen.add(final)

    def commit(self) -> None:
        """Close all, then place all.

        Raises
        ------
        OutputError
            If any cannot be finished; nothing of the group is left then.
        """
        try:
            for sink in self.sinks:
                sink.close()
            for sink in self.sinks:
                sink.place()
        except BaseException:
            for sink in self.sinks:
                sink.undo()
            self.abort()
            raise
        for sink in self.sinks:
            sink.settle()

    def abort(self) -> None:
        """Abort all. Raises nothing."""
        self._aborted = True
        for sink in self.sinks:
            sink.abort()

    def __enter__(self) -> Self:
        try:
            for sink in self.sinks:
                sink.open()
        except BaseException:
            self.abort()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            if kind is not None:
                self.abort()
            elif not self._aborted:
                self.commit()
