"""Messages on standard error, results on standard output, and what to do if these cannot be written."""

from __future__ import annotations

import re
import sys
from contextlib import suppress

import click

# Control characters, and those that turn the direction of what follows them: in a file's name they would command the
# terminal, or show another name.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class StandardOutput(Exception):
    """A result could not be written to standard output; the message says why."""


def take_any_text() -> None:
    """Make standard output and standard error accept every character, whatever their encoding.

    Files and pipes get UTF-8, as option files require. Terminals get what they can show, and "?" for the rest.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def printable(text: str) -> str:
    r"""Return *text* with control characters, other than the ends of lines and tabs, written as escapes.

    Examples
    --------
    >>> printable("a\x1b[31mb.mp4")
    'a\\x1b[31mb.mp4'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def tell(text: str) -> None:
    """Print a line on standard error. Failure (a closed pipe, a full disk) is ignored: the job must go on."""
    with suppress(OSError, ValueError, AttributeError):
        click.echo(printable(text), err=True)


def give(text: str) -> None:
    """Print *text* on standard output; StandardOutput (or BrokenPipeError) if it cannot be written."""
    try:
        click.echo(printable(text), nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StandardOutput(error.strerror or str(error)) from None


def silent(_: str) -> None:
    """Say nothing."""
