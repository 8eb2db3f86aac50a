"""File and folder names on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


class Name(click.Path):
    """A nonempty path, as text or ``Path``: an empty one (an unset variable) would mean the current folder."""

    def __init__(self, path_type: type[str] | type[Path] = Path) -> None:
        super().__init__(path_type=path_type)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """Reject an empty or blank name."""
        if not str(value).strip():
            self.fail("it is empty; give the name of a file or folder", param, ctx)
        return super().convert(value, param, ctx)
