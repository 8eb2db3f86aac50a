"""Words for people on standard error, results on standard output, and what happens when nobody can be reached."""

from __future__ import annotations

import sys
from contextlib import suppress

import click


class StandardOutput(Exception):
    """A result could not be written to standard output; the message says why."""


def take_any_text() -> None:
    """Let standard output and standard error take every character, whatever their encoding was meant to be.

    What goes to a file or a pipe is UTF-8, as a file of options must be. A terminal is given what it can show, and "?"
    for the rest.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def tell(text: str) -> None:
    """Print a line on standard error. A job is not lost because nobody listens (a closed pipe, a full disk)."""
    with suppress(OSError, ValueError, AttributeError):
        click.echo(text, err=True)


def give(text: str) -> None:
    """Print *text* on standard output; StandardOutput (or BrokenPipeError) when it cannot be written."""
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StandardOutput(error.strerror or str(error)) from None
