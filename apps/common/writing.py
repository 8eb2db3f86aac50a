"""What is said where results cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Say in one line that the folder cannot be written into."""
    try:
        yield
    except OSError as error:
        place = error.filename or out
        raise click.ClickException(
            f"--out {out}: cannot write {place}: {error.strerror or error}: choose another folder"
        ) from error
