"""Words for people on standard error, results on standard output, and what happens when nobody can be reached."""

from __future__ import annotations

from contextlib import suppress

import click


class StandardOutput(Exception):
    """A result could not be written to standard output; the message says why."""


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
