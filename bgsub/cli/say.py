"""Messages on standard error, results on standard output, and what to do if these cannot be written."""

from __future__ import annotations

import sys
from contextlib import suppress

import click


class StandardOutput(Exception):
    """A result could not be written to standard output; the message says why."""


def take_any_text() -> None:
    """Make standard output and standard error accept every character, whatever their encoding.

    Files and pipes get UTF-8, as option files require. Terminals get what they can show, and "?" for the rest.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def tell(text: str) -> None:
    """Print a line on standard error. Failure (a closed pipe, a full disk) is ignored: the job must go on."""
    with suppress(OSError, ValueError, AttributeError):
        click.echo(text, err=True)


def give(text: str) -> None:
    """Print *text* on standard output; StandardOutput (or BrokenPipeError) if it cannot be written."""
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StandardOutput(error.strerror or str(error)) from None
