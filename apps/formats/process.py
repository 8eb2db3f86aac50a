"""A process that answers, and a new one as soon as it has crashed or hangs."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

PATIENCE = 10
"""Seconds in which a process ends that was asked to."""

Answer = dict[str, Any]


class Process:
    """A process and the line to it.

    Parameters
    ----------
    serve
        What it runs: receives questions, sends answers, and ends when None comes.
    arguments
        Of *serve*, after the connection.
    starting
        Seconds that it may take until it says that it is ready; None where it says nothing.
    """

    def __init__(
        self, serve: Callable[..., None], arguments: tuple[Any, ...], starting: float | None = None
    ) -> None:
        self._serve, self._arguments, self._starting = serve, arguments, starting
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        target: Callable[[Connection], None] = self._serve
        # Not a daemon: the program itself may start processes.
        self._process = context.Process(target=target, args=(theirs, *self._arguments))
        self._process.start()
        theirs.close()
        if self._starting is not None and not self._line.poll(self._starting):
            self._process.kill()
            raise TimeoutError("a process does not start")
        if self._starting is not None:
            self._line.recv()

    def ask(self, question: Any, seconds: float) -> Answer:
        """Send a question and return the answer; see :meth:`answer`."""
        self._line.send(question)
        return self.answer(seconds)

    def answer(self, seconds: float) -> Answer:
        """Return the next answer; where none comes, how the process ``failed``, and there is a new one."""
        try:
            if self._line.poll(seconds):
                answer: Answer = self._line.recv()
                return answer
            reason = f"does not end within {seconds} s"
        except (EOFError, OSError):
            self._process.join()
            reason = f"crashes (exit code {self._process.exitcode})"
        self._process.kill()
        self._process.join()
        self._start()
        return {"failed": reason}

    def restart(self) -> None:
        """End the process and start another."""
        self.close()
        self._start()

    def close(self) -> None:
        """End the process."""
        self._line.send(None)
        self._process.join(PATIENCE)
        self._process.kill()
        self._process.join()
