"""Progress bars if standard error is a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from bgsub.cli.say import printable

if TYPE_CHECKING:
    from bgsub.run.result import Separation


class Bars:
    """A :class:`bgsub.run.progress.Progress` that draws one tqdm bar for the current phase.

    Parameters
    ----------
    quiet
        Draw and print nothing.
    verbose
        Print details, too.
    """

    def __init__(self, quiet: bool, verbose: bool = False) -> None:
        self.quiet, self.verbose = quiet, verbose
        self._bar: Any = None

    def begin(self, phase: str, total: int | None) -> None:
        """Close the bar of the previous phase and open one for *phase*."""
        self.end()
        # sys.stderr is None if standard error is closed (2>&-).
        if not self.quiet and sys.stderr is not None and sys.stderr.isatty():
            unit = " iterations" if phase == "fitting" else " frames"
            self._bar = tqdm(total=total, desc=phase, unit=unit, file=sys.stderr, dynamic_ncols=True)

    def step(self) -> None:
        """Advance the bar by one."""
        if self._bar is not None:
            self._bar.update()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        # tqdm would take standard output in place of a standard error that is closed.
        if not self.quiet and sys.stderr is not None:
            with suppress(OSError, ValueError, AttributeError):  # nobody is listening; carry on
                tqdm.write(printable(text), file=sys.stderr)

    def detail(self, text: str) -> None:
        """Print a line above the bar, if details are wanted."""
        if self.verbose:
            self.say(text)

    def result(self, result: Separation, output: Path, stay: list[str]) -> None:
        """Print what has come of it, and what else lies in *output*; what happened and when comes last."""
        self.say(result.summary())
        if model := result.report["options"]["save_model"]:
            self.say(f"model → {model}")
        if stay:
            self.say(f"not of this run, and left in {output}: {', '.join(stay)}")
        for line in (*result.log.zone_lines(), result.log.summary()):
            self.say(line)

    def end(self) -> None:
        """Close the bar, if there is one."""
        if self._bar is not None:
            self._bar.leave = self._bar.n > 0
            self._bar.close()
            self._bar = None
